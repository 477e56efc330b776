import { actAs } from '../../core/domain/access/actor.ts';
import type { Core } from '../../core/domain/core.ts';
import type { ChainConfig } from '../../core/domain/core-config.ts';
import { describeCustomError, readCustomErrors } from '../../core/evm/abi/custom-errors.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import { createTextFetcher } from '../../core/quotes/http-price.ts';
import { createWebhookCaller } from '../../core/webhooks/create-webhook-caller.ts';
import { startGateway } from '../../gateway/gateway.ts';
import { defaultGatewayLimits } from '../../gateway/gateway-limits.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';

export const hostilities = ['nothing', 'webhook', 'price', 'node', 'error ABI'] as const;
type Hostility = (typeof hostilities)[number];

/** What a public key may ask for by default. */
export const callsPerSecond = 50;

const anywhere = { host: '127.0.0.1', port: 0 };

/** As a process of its own: a gateway in front of nothing, and what keeps its loop busy. Posts the admin address. */
const [, , hostility, url] = process.argv;
if (process.send !== undefined && hostility !== undefined && url !== undefined) {
  const core = { status: async () => [] } as unknown as Core; // /livez asks nothing of it
  const gateway = await startGateway({
    core,
    actAs,
    listen: anywhere,
    admin: anywhere,
    limits: defaultGatewayLimits,
    logger: silentLogger,
    clock: Date,
  });
  const suffer = suffering(hostility as Hostility, url);
  const timer = setInterval(() => void suffer().catch(() => undefined), 1_000 / callsPerSecond);
  process.send(gateway.adminUrl);
  process.once('disconnect', () => {
    clearInterval(timer);
    process.exit(0);
  });
}

function suffering(hostility: Hostility, url: string): () => Promise<unknown> {
  switch (hostility) {
    case 'nothing':
      return async () => undefined;
    case 'webhook':
      return sufferWebhook(url);
    case 'price':
      return createTextFetcher(new URL(url));
    case 'node': {
      const config = { chainId: 1, name: '', nodeUrls: [url], callTimeoutMs: 3_000, pollIntervalMs: 4_000 };
      const client = createChainClient(config as unknown as ChainConfig); // all that the client reads of it
      return () => client.getChainId();
    }
    case 'error ABI':
      return sufferAbi();
  }
}

/** A webhook of its own each time, so that no breaker spares us. */
function sufferWebhook(webhookUrl: string): () => Promise<unknown> {
  const config = { allowHttp: true, allowedRanges: ['127.0.0.0/8'], timeoutMs: 2_000, connectTimeoutMs: 500 };
  const caller = createWebhookCaller(config, { clock: Date, logger: silentLogger });
  let calls = 0;
  return () => {
    calls += 1;
    return caller.call({ webhookId: `hook-${calls}`, webhookUrl, requestType: 'POST', secret: 'whsec_AAAA' }, '{}');
  };
}

/** An error whose parameters take no place in the data: all of them are there in every revert. */
function sufferAbi(): () => Promise<unknown> {
  let nested: object = { type: 'tuple', components: Array(13_000).fill({ type: 'tuple', components: [] }) };
  for (let depth = 0; depth < 12; depth += 1) nested = { type: 'tuple', components: [nested] };
  const errors = readCustomErrors(JSON.stringify([{ type: 'error', name: 'Hollow', inputs: [nested] }]));
  const text = { bytes: (value: string) => value, string: (value: string) => value };
  return async () => errors.map(({ selector }) => describeCustomError(selector, errors, text));
}

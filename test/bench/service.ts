import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { privateKeyToAddress } from 'viem/accounts';
import { accepted } from '../../clients/cli/accepted.ts';
import { devCoreConfig } from '../../clients/cli/dev/dev-core-config.ts';
import { openDevState } from '../../clients/cli/dev/dev-state.ts';
import { deriveDevKey } from '../../clients/cli/dev/devnet/dev-keys.ts';
import { startDevnet } from '../../clients/cli/dev/devnet/start-devnet.ts';
import { registerPaymaster } from '../../clients/cli/dev/register-paymaster.ts';
import { systemClock } from '../../clients/cli/system-clock.ts';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import { defaultHoldCaps } from '../../core/domain/hold-caps.ts';
import { startGrpcServer } from '../../core/grpc/server.ts';
import { startLocalCore } from '../../core/local.ts';
import type { BenchTarget, KeptMemory } from './bench-target.ts';
import { deployAccount } from './deploy-account.ts';
import { deployTokens } from './deploy-tokens.ts';
import { type GatewayPlace, startBenchGateway } from './gateway.ts';
import { silentLogger } from './silent-logger.ts';

/** Accounts that requests come from: no sender has so many open operations that reading them is what is measured. */
const senderCount = 100;
/** Tokens beside those that every development chain has. */
const moreTokens = 8;

/**
 * One node as production runs it, but with rate limits and caps on open operations out of the way, on a development chain.
 * Runs as a child process. The argument is the folder for its database, by default the one for temporary files; `--split`
 * puts the gateway into a process of its own, `--requests-at-once` sets that limit, and `--hook` is asked about every decision and
 * told of what lands.
 */
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    split: { type: 'boolean', default: false },
    'requests-at-once': { type: 'string' },
    hook: { type: 'string' },
  },
});
const folder = mkdtempSync(join(positionals[0] ?? tmpdir(), 'tollfree-bench-'));
const state = openDevState(folder);
const logger = silentLogger;
const devnet = await startDevnet({
  port: 0,
  paymasterSigner: privateKeyToAddress(state.signerKey.reveal()),
  // A chain without a new block for long is not signed on.
  idleBlockSeconds: 5,
});
const tokens = [...devnet.tokens, ...(await deployTokens(devnet, moreTokens))];
const config = {
  ...devCoreConfig({ ...devnet, tokens }, state, await devnet.client.getBlockNumber()),
  holds: { ...defaultHoldCaps, maxOpenHoldsPerSender: 1_000_000, maxShareOfTankPerSender: 1 },
};
const local = await startLocalCore(config, { logger, clock: systemClock });
const gateway = flags.split ? await startRemoteGateway() : await startOwnGateway();
const account = accepted(await local.core.createAccount({ name: 'bench' }));
const { authToken } = accepted(await local.core.issueAuthToken({ accountId: account.accountId, name: 'bench' }));
const management = createManagementClient({ baseUrl: gateway.url, authToken });
const paymaster = await registerPaymaster({ devnet, management, gatewayUrl: gateway.url }, '0.7', deriveDevKey(1));
if (flags.hook !== undefined) await registerHook(flags.hook);
const [token] = devnet.tokens;
if (token === undefined) throw new Error('The development chain has no token.');
const senders: `0x${string}`[] = [];
while (senders.length < senderCount) senders.push(await deployAccount(devnet));

type OpenGateway = GatewayPlace & { readonly pid?: number | undefined; close(): Promise<void> };

async function registerHook(url: string): Promise<void> {
  const { apiKey } = paymaster;
  await management.createWebhook({ apiKey, webhookUrl: url, requestType: 'POST' });
  await management.createNotification({ apiKey, url, events: ['operation.settled', 'operation.failed'] });
}

async function startOwnGateway(): Promise<OpenGateway> {
  const most = flags['requests-at-once'];
  return startBenchGateway(local.core, most === undefined ? undefined : Number(most));
}

async function startRemoteGateway(): Promise<OpenGateway> {
  const address = `unix:${join(folder, 'core.sock')}`;
  const server = await startGrpcServer({ core: local.core, address, reflection: false, logger });
  const child = fork(new URL('./gateway.ts', import.meta.url), [address]);
  const [place] = (await once(child, 'message')) as [GatewayPlace];
  return {
    ...place,
    pid: child.pid,
    close: async () => {
      child.disconnect();
      await once(child, 'exit');
      await server.close();
    },
  };
}

// What it keeps, without what the collector has not come to yet.
process.on('message', () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const kept: KeptMemory = { heapUsed, external, handles: process.getActiveResourcesInfo().length };
  process.send?.(kept);
});
process.once('disconnect', () => void close());

async function close(): Promise<void> {
  await gateway.close();
  await local.close();
  await devnet.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

const target: BenchTarget = {
  rpcUrl: paymaster.rpcUrl,
  target: devnet.target.address,
  token: token.address,
  tokens: tokens.map(({ address }) => address),
  paymaster: paymaster.address,
  entryPoint: paymaster.entryPoint,
  senders,
  nodePid: devnet.pid,
  servicePid: process.pid,
  gatewayPid: gateway.pid,
  adminUrl: gateway.adminUrl,
  nodeUrl: devnet.rpcUrl,
  paymasterSigner: privateKeyToAddress(state.signerKey.reveal()),
};
process.send?.(target);

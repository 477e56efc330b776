import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAddress, type Hex, numberToHex, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import type { CoreConfig } from '../../../core/domain/core-config.ts';
import { openHandle } from '../../../core/store/sqlite/open-handle.ts';
import { deriveDevKey } from '../../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { rpcBody } from '../../../server/dev/rpc-call.ts';
import { signUserOperation } from '../../../server/dev/user-operation/build-user-operation.ts';
import { type DevUserOperation, toRpcUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { newSmartAccount, nextOperation, plainLimits, targetCall } from '../../support/chain/chain-lab.ts';
import { leasedSignerKey } from '../../support/chain/lease-devnet.ts';
import { startTestBundler } from '../../support/chain/test-bundler.ts';
import { newOperation, sponsored } from '../../support/interface/rpc-calls.ts';
import { type HttpAnswer, sendHttp } from '../../support/interface/send-http.ts';
import { freeOperation, newExecutor, transfer } from '../../support/relay/relay-lab.ts';
import { findClosedPort } from '../../support/servers/find-closed-port.ts';
import { respond, respondResult, startRpcServer } from '../../support/servers/json-rpc-server.ts';
import { startOidcIssuer } from '../../support/servers/oidc-issuer.ts';
import { sponsor as sponsorDraft, withAnswer } from '../../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../../support/service/running-service.ts';
import { newTicketPaymaster, type TicketPaymaster } from '../../support/service/ticket-lab.ts';

type Lab = { readonly service: RunningService; readonly devnet: Devnet; readonly paymaster: TicketPaymaster };
type Configure = (config: CoreConfig, devnet: Devnet) => CoreConfig | Promise<CoreConfig>;

const version = '0.7';

/** The answer of a service that is set up in a way of its own, with one funded paymaster. */
async function withService(configure: Configure, ask: (lab: Lab) => Promise<HttpAnswer>): Promise<HttpAnswer> {
  const service = await startService({ configure });
  try {
    return await ask({ service, devnet: service.devnet, paymaster: await newTicketPaymaster(service, version) });
  } finally {
    await service.close();
  }
}

function send({ paymaster }: Lab, method: string, params: readonly unknown[]): Promise<HttpAnswer> {
  return sendHttp(paymaster.rpcUrl, { method: 'POST', json: JSON.parse(rpcBody(method, params)) });
}

/** A sponsorship of a good operation. */
async function sponsor(lab: Lab, context: object = {}): Promise<HttpAnswer> {
  return send(lab, 'pm_getFeeQuoteOrData', [await newOperation(lab.devnet, version), { ...sponsored, ...context }]);
}

/** The signer is a process that ends once the service has started. */
async function withEndedSigner(ask: (lab: Lab) => Promise<HttpAnswer>): Promise<HttpAnswer> {
  const account = privateKeyToAccount(leasedSignerKey);
  const server = await startRpcServer(async (request, response) => {
    if (request.method === 'eth_accounts') return respondResult(response, request, [account.address]);
    const [, raw] = request.params as readonly [unknown, Hex];
    respondResult(response, request, await account.signMessage({ message: { raw } }));
  });
  const signer = { kind: 'eth-sign', url: server.url, address: account.address, timeoutMs: 5_000 } as const;
  return withService(
    (config) => ({ ...config, chains: config.chains.map((chain) => ({ ...chain, signer })) }),
    async (lab) => {
      await server.close();
      return ask(lab);
    },
  );
}

/** Another process keeps the service's SQLite file locked, so that nothing can be written. */
async function withLockedStore(ask: (lab: Lab) => Promise<HttpAnswer>): Promise<HttpAnswer> {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-locked-'));
  const file = join(folder, 'tollfree.db');
  try {
    return await withService(
      (config) => ({ ...config, database: { kind: 'sqlite', file } }),
      async (lab) => {
        const other = openHandle(file);
        other.exec('BEGIN IMMEDIATE');
        try {
          return await ask(lab);
        } finally {
          other.exec('ROLLBACK');
          other.close();
        }
      },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sends the bundler an operation that the paymaster has signed, with another owner's signature of the account. */
async function sendBySomeoneElse(lab: Lab): Promise<HttpAnswer> {
  const drafted = await nextOperation(lab.devnet, newSmartAccount(version), [targetCall(lab.devnet, 'increment')]);
  const signed = withAnswer(drafted, await sponsorDraft(lab.paymaster.rpcUrl, drafted));
  const spoiled = await signUserOperation(lab.devnet, signed, newSmartAccount(version).owner);
  return send(lab, 'eth_sendUserOperation', [toRpcUserOperation(spoiled), lab.devnet.entryPoints[version]]);
}

/** Asks the operator's bundler to relay an operation without fees. */
function relay(lab: Lab, free: DevUserOperation): Promise<HttpAnswer> {
  const sent = { ...toRpcUserOperation(free), maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' };
  const entryPoint = getAddress(lab.devnet.entryPoints[version]);
  return send(lab, 'tollfree_relayUserOperation', [sent, entryPoint, numberToHex(lab.devnet.chainId), {}]);
}

const asItIs: Configure = (config) => config;

/** The coin's price has a source that does not answer. */
const unpriced: Configure = async (config) => {
  const url = `http://127.0.0.1:${await findClosedPort()}/`;
  const source = { kind: 'http', url, path: 'usd', maxAgeSeconds: 60, allowHttp: true } as const;
  const nativePrice = { sources: [source], minimumSources: 1, maximumDeviationBasisPoints: 200 };
  return { ...config, chains: config.chains.map((chain) => ({ ...chain, nativePrice })) };
};

/** The operator relays; the bundler that it relays by does not answer. */
const relaying: Configure = async (config, devnet) => {
  const executor = await newExecutor(devnet);
  const url = `http://127.0.0.1:${await findClosedPort()}/`;
  const relay = { kind: 'ALTO', url, executors: [executor.address], entryPoint: version } as const;
  return { ...config, chains: config.chains.map((chain) => ({ ...chain, relay })) };
};

/** Its bundler is at this URL, and takes operations of the paymaster alone. */
function bundledBy(url: string): Configure {
  const bundler = { urls: [url], expose: 'OWN', asksForLimits: false } as const;
  return (config) => ({ ...config, chains: config.chains.map((chain) => ({ ...chain, bundler })) });
}

async function withBundler(ask: (lab: Lab) => Promise<HttpAnswer>): Promise<HttpAnswer> {
  let close = async () => {};
  const configure: Configure = async (config, devnet) => {
    const [chain] = config.chains;
    if (chain === undefined) throw new Error('The service has no chain.');
    const bundler = await startTestBundler(devnet, chain);
    close = bundler.close;
    return bundledBy(bundler.url)(config, devnet);
  };
  try {
    return await withService(configure, ask);
  } finally {
    await close();
  }
}

/** A node that leaves out what gas costs. */
async function withoutGasPrice(ask: (lab: Lab) => Promise<HttpAnswer>): Promise<HttpAnswer> {
  let chainUrl = '';
  const node = await startRpcServer(async (request, response) => {
    const isSilent = ['eth_feeHistory', 'eth_maxPriorityFeePerGas'].includes(request.method);
    const body = JSON.stringify({ jsonrpc: '2.0', ...request });
    const headers = { 'content-type': 'application/json' };
    if (isSilent) return respond(response, 'no', 503);
    respond(response, await (await fetch(chainUrl, { method: 'POST', headers, body })).text());
  });
  const configure: Configure = (config, devnet) => {
    chainUrl = devnet.rpcUrl;
    return { ...config, chains: config.chains.map((chain) => ({ ...chain, nodeUrls: [node.url] })) };
  };
  try {
    return await withService(configure, ask);
  } finally {
    await node.close();
  }
}

/** The reasons that a service gives because of how it is set up, or because a part of it is away, and a request for each. */
export const provokedBySetup = {
  BUDGET_NOT_COUNTED: () =>
    withService(unpriced, async (lab) => {
      await lab.paymaster.client.createBudget({ name: 'month', maxUsd: '1000', window: 'MONTH' });
      return sponsor(lab);
    }),
  PRICE_UNAVAILABLE: () =>
    withService(unpriced, async (lab) => {
      await lab.paymaster.client.setPolicy({ policy: { maxCostPerOperation: { usd: '1' } } });
      return sponsor(lab);
    }),
  CHAIN_UNAVAILABLE: () => withoutGasPrice(sponsor),
  RELAY_REQUIRED: () =>
    withService(relaying, async (lab) => {
      await lab.paymaster.client.setPolicy({ policy: { relay: 'ONLY' } });
      return sponsor(lab);
    }),
  RELAY_NOT_ALLOWED: () =>
    withService(relaying, async (lab) => relay(lab, await freeOperation(lab.devnet, newSmartAccount(version)))),
  OPERATION_PENDING: () =>
    withService(relaying, async (lab) => {
      const { devnet, service, paymaster } = lab;
      const executor = service.config.chains[0]?.relay?.executors[0];
      if (executor === undefined) throw new Error('The service has no executor.');
      await paymaster.client.setPolicy({ policy: { relay: 'PREFER' } });
      // The funding wallet fills the relay tank, too.
      await transfer(devnet, privateKeyToAccount(deriveDevKey(1)), { to: executor, value: parseEther('1') });
      await expect
        .poll(async () => (await paymaster.client.readGasTank()).relay?.available, { timeout: 20_000 })
        .not.toBe('0');
      const account = newSmartAccount(version);
      const paid = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
      const limited = toRpcUserOperation({ ...paid, ...plainLimits('undeployed') });
      await send(lab, 'pm_getFeeQuoteOrData', [limited, sponsored]);
      return relay(lab, await freeOperation(devnet, account));
    }),
  OPERATION_NOT_SIGNED: () =>
    withBundler(async (lab) => {
      const operation = { ...(await newOperation(lab.devnet, version)), signature: `0x${'11'.repeat(65)}` };
      return send(lab, 'eth_sendUserOperation', [operation, lab.devnet.entryPoints[version]]);
    }),
  BUNDLER_UNAVAILABLE: async () => {
    const url = `http://127.0.0.1:${await findClosedPort()}/`;
    return withService(bundledBy(url), (lab) => send(lab, 'eth_getUserOperationReceipt', [`0x${'11'.repeat(32)}`]));
  },
  BUNDLER_REFUSED: () => withBundler(sendBySomeoneElse),
  SIGNER_UNAVAILABLE: () => withEndedSigner(sponsor),
  STORE_UNAVAILABLE: () => withLockedStore(sponsor),
  TICKET_KEYS_UNAVAILABLE: async () => {
    const provider = await startOidcIssuer();
    try {
      return await withService(asItIs, async (lab) => {
        const { client } = lab.paymaster;
        const [{ paymasterId = '' } = {}] = await client.listPaymasters();
        const { issuer, jwksUrl } = provider;
        const key = { name: 'login', kind: 'JWKS', issuer, jwksUrl, audience: 'shop-page' } as const;
        await client.createTicketKey({ paymasterId, ...key });
        const ticket = await provider.logIn('alice', 'shop-page');
        await provider.rotate();
        const newer = await provider.logIn('alice', 'shop-page');
        provider.setAway(true);
        await sponsor(lab, { ticket });
        return sponsor(lab, { ticket: newer });
      });
    } finally {
      await provider.close();
    }
  },
} as const;

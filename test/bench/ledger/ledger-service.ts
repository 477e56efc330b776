import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAddress } from 'viem/accounts';
import { createManagementClient } from '../../../clients/sdk/create-management-client.ts';
import { actAs } from '../../../core/domain/access/actor.ts';
import { defaultHoldCaps } from '../../../core/domain/chain-config.ts';
import type { ChainConfig, CoreConfig } from '../../../core/domain/core-config.ts';
import { type LocalCore, startLocalCore } from '../../../core/local.ts';
import { type Gateway, startGateway } from '../../../gateway/gateway.ts';
import { defaultGatewayLimits } from '../../../gateway/gateway-limits.ts';
import { accepted } from '../../../server/accepted.ts';
import { devCoreConfig } from '../../../server/dev/dev-core-config.ts';
import { openDevState } from '../../../server/dev/dev-state.ts';
import { deriveDevKey } from '../../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { createDevnetClient } from '../../../server/dev/devnet/devnet-client.ts';
import { startAnvil } from '../../../server/dev/devnet/start-anvil.ts';
import { startDevnet } from '../../../server/dev/devnet/start-devnet.ts';
import { registerPaymaster } from '../../../server/dev/register-paymaster.ts';
import { systemClock } from '../../../server/system-clock.ts';
import { silentLogger } from '../../support/logging/recording-logger.ts';
import type { BenchTarget } from '../bench-target.ts';
import { deployAccount } from '../deploy-account.ts';
import { nextNonceKey, requestKinds, requestOf } from '../request-kinds.ts';
import type { LargeLedger } from './fill-ledger.ts';
import type { ManyPaymasters } from './fill-paymasters.ts';

/** Milliseconds that filling and opening took, and what the reads are made against. */
export type LedgerTarget = BenchTarget & {
  readonly url: string;
  readonly adminUrl: string;
  readonly authToken: string;
  readonly apiKey: string;
  /** The sender that has many open holds. */
  readonly openSender: `0x${string}`;
  readonly openedMs: number;
};

/** How often a chain is looked at where the operator does not say: with many chains it matters. */
const shippedPollIntervalMs = 4_000;

/** One node on ledger of the given size, on a development chain or several. Runs as a child process. */
const [operations = 1_000_000, openHolds = 50_000, paymasters = 0, contracts = 0, chains = 1] = process.argv
  .slice(2)
  .map(Number);
const folder = mkdtempSync(join(tmpdir(), 'tollfree-ledger-'));
const state = openDevState(folder);
const devnet = await startDevnet({
  port: 0,
  paymasterSigner: privateKeyToAddress(state.signerKey.reveal()),
  // A chain without a new block for long is not signed on.
  idleBlockSeconds: 5,
});
const plain = devCoreConfig(devnet, state, await devnet.client.getBlockNumber());
const config: CoreConfig = {
  ...plain,
  holds: { ...defaultHoldCaps, maxOpenHoldsPerSender: 1_000_000, maxShareOfTankPerSender: 1 },
  decisions: { keepDays: 30, keepMost: 100_000_000 },
  chains: plain.chains.map((chain) => ({ ...chain, pollIntervalMs: shippedPollIntervalMs })),
};
const openSender = await deployAccount(devnet);
const sender = await deployAccount(devnet);
const anywhere = { host: '127.0.0.1', port: 0 };

async function start(
  databaseFile: string,
  served: CoreConfig['chains'] = config.chains,
): Promise<{ local: LocalCore; gateway: Gateway }> {
  const local = await startLocalCore(
    { ...config, chains: served, database: { kind: 'sqlite', file: databaseFile } },
    { logger: silentLogger, clock: systemClock },
  );
  const unbounded = { requestsPerSecond: 1_000_000, requestBurst: 1_000_000 };
  const limits = {
    ...defaultGatewayLimits,
    ...unbounded,
    managementPerSecond: unbounded.requestsPerSecond,
    managementBurst: unbounded.requestBurst,
  };
  const listening = { listen: anywhere, admin: anywhere, trustedProxies: ['127.0.0.1/32'] };
  return {
    local,
    gateway: await startGateway({
      core: local.core,
      actAs,
      ...listening,
      limits,
      logger: silentLogger,
      clock: systemClock,
    }),
  };
}

const small = await start(state.databaseFile);
const account = accepted(await small.local.core.createAccount({ name: 'bench' }));
const { authToken } = accepted(await small.local.core.createAuthToken({ accountId: account.accountId, name: 'bench' }));
const management = createManagementClient({ baseUrl: small.gateway.url, authToken });
const registration = { devnet, management, gatewayUrl: small.gateway.url };
const paymaster = await registerPaymaster(registration, '0.7', deriveDevKey(1));
const [token] = devnet.tokens;
if (token === undefined) throw new Error('The development chain has no token.');
const location = { target: devnet.target.address, token: token.address, paymaster: paymaster.address };
const common = { ...location, entryPoint: paymaster.entryPoint };
await signOnce();
await small.gateway.close();
await small.local.close();

const databaseFile = join(folder, 'large.db');
await fill(
  { from: state.databaseFile, to: databaseFile, operations, openHolds, openSender },
  { paymasters, contracts },
);
const others = await startOtherChains(devnet, chains - 1);
const served = config.chains.flatMap((chain) => [chain, ...others.map((other) => ({ ...chain, ...other.config }))]);
const before = performance.now();
const { local, gateway } = await start(databaseFile, served);
const openedMs = performance.now() - before;

async function fill(ledger: LargeLedger, many: ManyPaymasters): Promise<void> {
  const child = fork(new URL('./fill.ts', import.meta.url), [JSON.stringify({ ledger, many })]);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('The ledger could not be filled.');
}

/** The one decision whose record the others are given. */
async function signOnce(): Promise<void> {
  for (;;) {
    const target = { ...common, rpcUrl: paymaster.rpcUrl, senders: [sender] };
    const answer = await fetch(paymaster.rpcUrl, {
      method: 'POST',
      ...requestOf(requestKinds.SPONSORED.bodies[0], target, nextNonceKey()),
    });
    if ('result' in ((await answer.json()) as object)) return;
    // The deposit is not in the ledger yet.
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

process.on('message', async () => {
  const reports = accepted(await local.core.checkLedger({ allRows: false }));
  process.send?.(reports.flatMap(({ faults, difference }) => [...faults, ...(difference ? [`${difference}`] : [])]));
});
process.once('disconnect', () => {
  void close();
});

async function close(): Promise<void> {
  await gateway.close();
  await local.close();
  await Promise.all([devnet.close(), ...others.map((other) => other.close())]);
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

const target: LedgerTarget = {
  ...common,
  senders: [sender],
  openSender,
  authToken,
  openedMs,
  apiKey: paymaster.apiKey,
  rpcUrl: `${gateway.url}/api/v1/${devnet.chainId}/${paymaster.apiKey}`,
  url: gateway.url,
  adminUrl: gateway.adminUrl,
  servicePid: process.pid,
  nodePid: devnet.pid,
};
process.send?.(target);

type OtherChain = {
  readonly config: Pick<ChainConfig, 'chainId' | 'nodeUrls' | 'startBlock'>;
  close(): Promise<void>;
};

/** So many more chains with all that is on this one: each a node, since contracts sign and check with their chain's id. */
async function startOtherChains(devnet: Devnet, count: number): Promise<readonly OtherChain[]> {
  if (count <= 0) return [];
  const state = await devnet.client.dumpState();
  const chains: OtherChain[] = [];
  while (chains.length < count) {
    const chainId = devnet.chainId + 1 + chains.length;
    const { rpcUrl, close } = await startAnvil({ port: 0, chainId, idleBlockSeconds: 5 });
    const client = createDevnetClient(rpcUrl, chainId);
    await client.loadState({ state });
    // What was loaded has no history of blocks.
    await client.mine({ blocks: 1 });
    chains.push({ config: { chainId, nodeUrls: [rpcUrl], startBlock: await client.getBlockNumber() }, close });
  }
  return chains;
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { concat } from 'viem';
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import { startGrpcServer } from '../../core/grpc/server.ts';
import { startLocalCore } from '../../core/local.ts';
import { accepted } from '../../server/accepted.ts';
import { openDevState } from '../../server/dev/dev-state.ts';
import { create2Deployer, tokenDeployment } from '../../server/dev/devnet/deployments.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import type { Devnet, DevnetToken } from '../../server/dev/devnet/devnet.ts';
import { sendInOrder } from '../../server/dev/devnet/devnet-client.ts';
import { startDevnet } from '../../server/dev/devnet/start-devnet.ts';
import { registerPaymaster } from '../../server/dev/register-paymaster.ts';
import { systemClock } from '../../server/system-clock.ts';
import { deploySimulationCode } from '../support/chain/deploy-simulation-code.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { type BenchChain, benchCoreConfig } from './bench-core-config.ts';
import type { BenchTarget, KeptMemory, WatchedService } from './bench-target.ts';
import { deployAccount } from './deploy-account.ts';
import { type GatewayAddresses, startBenchGateway } from './gateway.ts';
import type { SecondCore } from './second-core.ts';
import { watchTurns } from './turn-time.ts';

/** Accounts that requests come from: no sender has so many open operations that reading them is what is measured. */
const senderCount = 100;
/** Tokens next to those that every development chain has. */
const moreTokens = 8;

/**
 * One node as production runs it, but with rate limits and caps on open operations out of the way, on a development chain.
 * Runs as a child process. The argument is the folder for its database, by default the one for temporary files; `--split`
 * puts the gateway into a process of its own, `--requests-at-once` sets that limit, and `--hook` is asked about every decision and
 * told of what lands. `--database` is the URL of a PostgreSQL server in place of a file, at which there are as many cores, each a
 * process with a gateway, as `--cores` says. With `--code-on-chain` the code that simulates is on the chain before. With `--turns`
 * it says how long turns of its event loop are.
 */
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    split: { type: 'boolean', default: false },
    'requests-at-once': { type: 'string' },
    hook: { type: 'string' },
    database: { type: 'string' },
    cores: { type: 'string', default: '1' },
    'code-on-chain': { type: 'boolean', default: false },
    turns: { type: 'boolean', default: false },
  },
});
const folder = mkdtempSync(join(positionals[0] ?? tmpdir(), 'tollfree-bench-'));
const state = openDevState(folder);
const devnet = await startDevnet({
  port: 0,
  paymasterSigner: privateKeyToAddress(state.signerKey.reveal()),
  // A chain without a new block for long is not signed on.
  idleBlockSeconds: 5,
});
if (flags['code-on-chain']) await deploySimulationCode(devnet);
const tokens = [...devnet.tokens, ...(await deployTokens(devnet, moreTokens))];
const { chainId, rpcUrl, entryPoints, paymasterContracts, tokenRecipient } = devnet;
const chain: BenchChain = {
  devnet: { chainId, rpcUrl, entryPoints, paymasterContracts, tokens, tokenRecipient },
  startBlock: await devnet.client.getBlockNumber(),
  databaseUrl: flags.database,
};
const local = await startLocalCore(benchCoreConfig(chain, state), { logger: silentLogger, clock: systemClock });
const gateway = flags.split ? await startRemoteGateway() : await startOwnGateway();
const account = accepted(await local.core.createAccount({ name: 'bench' }));
const { authToken } = accepted(await local.core.createAuthToken({ accountId: account.accountId, name: 'bench' }));
const management = createManagementClient({ baseUrl: gateway.url, authToken });
const paymaster = await registerPaymaster({ devnet, management, gatewayUrl: gateway.url }, '0.7', deriveDevKey(1));
if (flags.hook !== undefined) await registerHook(flags.hook);
const [token] = devnet.tokens;
if (token === undefined) throw new Error('The development chain has no token.');
const senders: `0x${string}`[] = [];
while (senders.length < senderCount) senders.push(await deployAccount(devnet));

type OpenGateway = GatewayAddresses & { readonly pid?: number | undefined; close(): Promise<void> };

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
  const server = await startGrpcServer({ core: local.core, address, reflection: false, logger: silentLogger });
  const child = fork(programFile('gateway-alone'), [address]);
  const [location] = (await once(child, 'message')) as [GatewayAddresses];
  return {
    ...location,
    pid: child.pid,
    close: async () => {
      child.disconnect();
      await once(child, 'exit');
      await server.close();
    },
  };
}

/** Another file of this folder, in the form that this one has. */
function programFile(name: string): URL {
  return new URL(`./${name}${extname(import.meta.filename)}`, import.meta.url);
}

/** One more core at the database. */
async function startSecondCore(): Promise<OpenGateway> {
  const child = fork(programFile('second-core'), { serialization: 'advanced' });
  const reported: SecondCore = { folder, chain };
  child.send(reported);
  const [location] = (await once(child, 'message')) as [GatewayAddresses];
  const close = async () => {
    child.disconnect();
    await once(child, 'exit');
  };
  return { ...location, pid: child.pid, close };
}

// What it keeps, without what the collector has not come to yet.
const longestTurn = flags.turns ? watchTurns() : undefined;
process.on('message', () => {
  const longestTurnMs = longestTurn?.();
  globalThis.gc?.();
  longestTurn?.();
  const { heapUsed, external } = process.memoryUsage();
  const kept: KeptMemory & Partial<WatchedService> = {
    heapUsed,
    external,
    handles: process.getActiveResourcesInfo().length,
    ...omitAbsent({ longestTurnMs }),
  };
  process.send?.(kept);
});
process.once('disconnect', () => void close());

async function close(): Promise<void> {
  for (const other of others) await other.close();
  await gateway.close();
  await local.close();
  await devnet.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

const others: OpenGateway[] = [];
while (others.length < Number(flags.cores) - 1) others.push(await startSecondCore());

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
  others: others.map(({ url, pid }) => ({ rpcUrl: paymaster.rpcUrl.replace(gateway.url, url), pid })),
  adminUrl: gateway.adminUrl,
  account: { url: gateway.url, authToken, apiKey: paymaster.apiKey },
  nodeUrl: devnet.rpcUrl,
  paymasterSigner: privateKeyToAddress(state.signerKey.reveal()),
};
process.send?.(target);

/** Puts so many more tokens on a development chain. */
async function deployTokens(devnet: Devnet, count: number): Promise<readonly DevnetToken[]> {
  const tokens = Array.from({ length: count }, (_, index) => ({
    name: `Bench token ${index}`,
    symbol: `bench${index}`,
    decimals: 6,
  }));
  const deployments = tokens.map(tokenDeployment);
  await sendInOrder(
    devnet.client,
    privateKeyToAccount(deriveDevKey(0)),
    deployments.map(({ name, salt, creationCode }) => ({
      description: name,
      to: create2Deployer,
      data: concat([salt, creationCode]),
      gas: 10_000_000n,
    })),
  );
  return deployments.map(({ address }, index) => ({ address, symbol: `bench${index}`, decimals: 6 }));
}

import { type Address, encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { ChainConfig } from '../../core/domain/core-config.ts';
import { compareLedgerAndChain } from '../../core/ledger/checking/compare-ledger-and-chain.ts';
import { ensureContractTotals } from '../../core/ledger/posting/pass-block.ts';
import { createChainClient, createNodeClients } from '../../core/node/chain-client.ts';
import type { ChainWatcher } from '../../core/node/followed-chain.ts';
import { startChainWatcher } from '../../core/runtime/chain-watcher.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { openLedger } from '../support/core/ledger-lab.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { forward, type RpcRequest, respond, startRpcServer } from '../support/servers/json-rpc-server.ts';

const abi = parseAbi(['function depositTo(address account) payable']);
const wallet = privateKeyToAccount(deriveDevKey(1));
const pollIntervalMs = 3_600_000;
const tooLate = pollIntervalMs + 60_001;

/** What a node says instead of what the chain has; the answer as it is where it says nothing. */
type Lie = (request: RpcRequest, truth: { result?: unknown }) => unknown;
const honest: Lie = (_, truth) => truth;

let devnet: Devnet;
let ledger: Awaited<ReturnType<typeof openLedger>>;
let entryPoint: Address;
let contract: Address;
let other: Address;
let now: number;

beforeEach(async () => {
  devnet = await leaseDevnet(wallet.address);
  ledger = await openLedger();
  entryPoint = getAddress(devnet.entryPoints['0.7']);
  contract = getAddress(devnet.paymasterContracts['pimlico-singleton-0.7']);
  other = getAddress(devnet.target.address);
  now = Date.now();
  const { chainId } = devnet;
  await ensureContractTotals(
    ledger.store,
    [contract, other].map((address) => ({ chainId, address })),
  );
});
afterEach(async () => {
  await ledger.close();
  await devnet.close();
});

/** A node in front of the chain that lies as it is told, now and later. */
async function startNode(lie: Lie) {
  const node = { url: '', lie };
  const server = await startRpcServer(async (request, response) => {
    const truth = (await forward(devnet.rpcUrl, request)) as object;
    respond(response, node.lie(request, truth));
  });
  onTestFinished(() => server.close());
  node.url = server.url;
  return node;
}

/** The block to read from: blocks of other tests of this chain are of no interest. */
let startBlock: bigint;
beforeEach(async () => {
  startBlock = (await devnet.client.getBlockNumber()) + 1n;
});

function watch(nodeUrls: readonly string[], contracts: readonly Address[] = [contract]): ChainWatcher {
  const config = {
    chainId: devnet.chainId,
    name: 'chain',
    nodeUrls,
    callTimeoutMs: 5_000,
    pollIntervalMs: 1,
  } as unknown as ChainConfig;
  const watcher = startChainWatcher({
    chainId: devnet.chainId,
    client: createChainClient(config),
    nodes: createNodeClients(config),
    watched: [{ entryPoint, contracts: contracts.map((address) => ({ address })) }],
    confirmations: 0,
    pollIntervalMs,
    startBlock,
    store: ledger.store,
    clock: { now: () => now },
    // A wrong clock would be said first.
    maxClockDifferenceSeconds: 7_200,
    logger: silentLogger,
  });
  onTestFinished(() => watcher.close());
  return watcher;
}

async function deposit(value: bigint, account = contract): Promise<void> {
  const { client: chain } = devnet;
  const data = encodeFunctionData({ abi, functionName: 'depositTo', args: [account] });
  const hash = await chain.sendTransaction({ account: wallet, chain: chain.chain, to: entryPoint, data, value });
  await chain.waitForTransactionReceipt({ hash });
}

async function funded(of = contract): Promise<bigint> {
  const tank = await ledger.store.db.selectFrom('tanks').select('funded').where('contract', '=', of).executeTakeFirst();
  return BigInt(tank?.funded ?? 0);
}

/** What the operator's check says of the ledger. */
async function differenceOf(address: Address): Promise<bigint | string> {
  const client = createChainClient({ nodeUrls: [devnet.rpcUrl], callTimeoutMs: 5_000 } as unknown as ChainConfig);
  const location = { chainId: devnet.chainId, address, entryPoint };
  const report = await compareLedgerAndChain(ledger.store, client, { location, versions: [] });
  return report.faults.length === 0 ? (report.difference ?? report.state) : report.faults.join();
}

const isLogs = ({ method }: RpcRequest) => method === 'eth_getLogs';
const emptyLogs: Lie = (request, truth) => (isLogs(request) ? { ...truth, result: [] } : truth);
const removedLogs: Lie = (request, truth) =>
  isLogs(request) && Array.isArray(truth.result)
    ? { ...truth, result: truth.result.map((log: object) => ({ ...log, removed: true })) }
    : truth;
const foreignLogs: Lie = (request, truth) =>
  isLogs(request) && Array.isArray(truth.result)
    ? { ...truth, result: truth.result.map((log: object) => ({ ...log, address: wallet.address })) }
    : truth;

test.each([
  ['leaves events out', emptyLogs],
  ['says that they were removed', removedLogs],
  ['tells those of others', foreignLogs],
])('a node that %s is not believed while another one tells', async (_, lie) => {
  const liar = await startNode(lie);
  const watcher = watch([liar.url, devnet.rpcUrl]);
  await deposit(10n);
  await watcher.catchUp();
  expect(await funded()).toBe(10n);
  expect(await differenceOf(contract)).toBe(0n);
});

test('when all leave events out nothing is posted, signing stops a minute later, and nothing is lost', async () => {
  const liar = await startNode(honest);
  const watcher = watch([liar.url]);
  await deposit(1n);
  await watcher.catchUp();
  liar.lie = emptyLogs;
  await deposit(10n);
  await expect(watcher.catchUp()).rejects.toThrow('the nodes omit events');
  expect(await funded()).toBe(1n);
  expect(watcher.faultOf(contract)).toBeUndefined();
  now += tooLate;
  await expect(watcher.catchUp()).rejects.toThrow('the nodes omit events');
  expect(watcher.faultOf(contract)).toMatch(/its deposit is 11 wei but the events add up to 1 wei/);
  expect(watcher.fault()).toBe(watcher.faultOf(contract));
  liar.lie = honest;
  await watcher.catchUp();
  expect(watcher.faultOf(contract)).toBeUndefined();
  expect(await funded()).toBe(11n);
  expect(await differenceOf(contract)).toBe(0n);
});

test('a node that lags behind the head it has told loses nothing', async () => {
  const lagging = await startNode(honest);
  const watcher = watch([lagging.url]);
  await deposit(1n);
  await watcher.catchUp();
  const seen = await devnet.client.getBlockNumber();
  await deposit(10n);
  lagging.lie = ({ method, params }, truth) => {
    const asked = method === 'eth_getBlockByNumber' ? params[0] : method === 'eth_call' ? params[1] : undefined;
    if (isHexNumber(asked) && BigInt(asked) > seen) return { ...truth, result: null };
    return isLogs({ id: 0, method, params }) ? { ...truth, result: [] } : truth;
  };
  await expect(watcher.catchUp()).rejects.toThrow();
  expect(await funded()).toBe(1n);
  lagging.lie = honest;
  await watcher.catchUp();
  expect(await funded()).toBe(11n);
});

function isHexNumber(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]+$/.test(value);
}

test('a contract that is added later has what was deposited for it before, and keeps no other back', async () => {
  await deposit(5n, other);
  startBlock = (await devnet.client.getBlockNumber()) + 1n;
  const first = watch([devnet.rpcUrl]);
  await deposit(10n);
  await deposit(7n, other);
  await first.catchUp();
  await first.close();
  await deposit(100n);
  await watch([devnet.rpcUrl], [contract, other]).catchUp();
  expect(await funded()).toBe(110n);
  expect(await funded(other)).toBe(7n);
  expect([await differenceOf(contract), await differenceOf(other)]).toEqual([0n, 0n]);
});

test('a contract that was taken out for a while has what happened meanwhile', async () => {
  const first = watch([devnet.rpcUrl], [contract, other]);
  await deposit(3n, other);
  await first.catchUp();
  await first.close();
  const without = watch([devnet.rpcUrl]);
  await deposit(4n, other);
  await deposit(10n);
  await without.catchUp();
  await without.close();
  await watch([devnet.rpcUrl], [contract, other]).catchUp();
  expect(await funded(other)).toBe(7n);
  expect([await differenceOf(contract), await differenceOf(other)]).toEqual([0n, 0n]);
});

test('a ledger that refuses an event of one contract holds up no other', async () => {
  const watcher = watch([devnet.rpcUrl], [contract, other]);
  await ledger.store.db.deleteFrom('contract_totals').where('contract', '=', other).execute();
  await deposit(10n);
  await deposit(7n, other);
  await expect(watcher.catchUp()).rejects.toThrow();
  expect(await funded()).toBe(10n);
  expect(watcher.faultOf(contract)).toBeUndefined();
  expect(watcher.faultOf(other)).toContain('the ledger does not accept what the chain reports');
  expect(watcher.fault()).toBeUndefined();
});

test('a fork that only one node has does not roll the ledger back', async () => {
  const forked = await startNode(honest);
  const watcher = watch([forked.url, devnet.rpcUrl]);
  await deposit(10n);
  await watcher.catchUp();
  forked.lie = (request, truth) =>
    request.method === 'eth_getBlockByNumber' && isHexNumber(request.params[0])
      ? { ...truth, result: { ...(truth.result as object), hash: `0x${'ab'.repeat(32)}` } }
      : truth;
  await deposit(32n);
  await watcher.catchUp();
  expect(await funded()).toBe(42n);
  const entries = await ledger.store.db.selectFrom('journal').select('reverses').execute();
  expect(entries).toEqual([{ reverses: null }, { reverses: null }]);
});

import { type Address, encodeFunctionData, getAddress, hexToBigInt, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { ChainConfig } from '../../core/domain/core-config.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { compareLedgerAndChain } from '../../core/ledger/checking/compare-ledger-and-chain.ts';
import { createRowSums } from '../../core/ledger/checking/row-sums.ts';
import { createLedger } from '../../core/ledger/manage-ledger.ts';
import { ensureContractTotals } from '../../core/ledger/posting/pass-block.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import type { ChainWatcher } from '../../core/node/followed-chain.ts';
import { startChainWatcher } from '../../core/runtime/chain-watcher.ts';
import type { ChainRuntime } from '../../core/sponsorship/run/sponsorship-parts.ts';
import { accepted } from '../../server/accepted.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { openLedger, readTank } from '../support/core/ledger-lab.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { findClosedPort } from '../support/servers/find-closed-port.ts';
import { type RpcRequest, type RpcServer, respond, startRpcServer } from '../support/servers/json-rpc-server.ts';

const abi = parseAbi(['function depositTo(address account) payable']);
const wallet = privateKeyToAccount(deriveDevKey(1));

/** What the node does with a request instead of answering it; undefined to answer. */
type Fault = (request: RpcRequest) => string | undefined;

let devnet: Devnet;
let node: RpcServer;
let fault: Fault = () => undefined;
let entryPoint: Address;
let contract: Address;
let ledger: Awaited<ReturnType<typeof openLedger>>;
let now = Date.now();

beforeAll(async () => {
  devnet = await leaseDevnet(wallet.address);
  entryPoint = getAddress(devnet.entryPoints['0.7']);
  contract = getAddress(devnet.paymasterContracts['pimlico-singleton-0.7']);
  node = await startRpcServer(async (request, response) => {
    const failure = fault(request);
    if (failure !== undefined) return respond(response, failure, 503);
    const forwarded = await fetch(devnet.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    respond(response, await forwarded.text());
  });
});
afterAll(async () => {
  await node.close();
  await devnet.close();
});
beforeEach(async () => {
  now = Date.now();
  fault = () => undefined;
  ledger = await openLedger();
  onTestFinished(ledger.close);
  await ensureContractTotals(ledger.store, [location()]);
});

const location = () => ({ chainId: devnet.chainId, address: contract, entryPoint });

function client(url = node.url) {
  const { chainId } = devnet;
  const config = { chainId, name: 'chain', nodeUrls: [url], callTimeoutMs: 5_000, pollIntervalMs: 100 };
  return createChainClient(config as unknown as ChainConfig);
}

async function watchFrom(startBlock: bigint): Promise<ChainWatcher> {
  const watcher = startChainWatcher({
    chainId: devnet.chainId,
    client: client(),
    nodes: [client()],
    watched: [{ entryPoint, contracts: [{ address: contract }] }],
    confirmations: 0,
    pollIntervalMs: 3_600_000,
    startBlock,
    store: ledger.store,
    clock: { now: () => now },
    logger: silentLogger,
  });
  onTestFinished(() => watcher.close());
  return watcher;
}

async function deposit(value: bigint): Promise<void> {
  const data = encodeFunctionData({ abi, functionName: 'depositTo', args: [contract] });
  const { client: chain } = devnet;
  const hash = await chain.sendTransaction({ account: wallet, chain: chain.chain, to: entryPoint, data, value });
  await chain.waitForTransactionReceipt({ hash });
}

async function funded(): Promise<bigint> {
  const key = { chainId: devnet.chainId, contract, wallet: wallet.address };
  return (await readTank(ledger.store, key))?.funded ?? 0n;
}

/** The deposit of earlier tests is not in the ledger of this one. */
async function nextBlock(): Promise<bigint> {
  return (await devnet.client.getBlockNumber()) + 1n;
}

test('a node that fails for a while loses nothing: it is said, nothing is signed for, and all is there afterwards', async () => {
  const watcher = await watchFrom(await nextBlock());
  await deposit(1n);
  await watcher.catchUp();
  expect(await funded()).toBe(1n);

  fault = () => 'the node is being upgraded';
  for (const value of [10n, 100n]) {
    await deposit(value);
    await expect(watcher.catchUp()).rejects.toThrow();
  }
  now += 30_001;
  expect(watcher.fault()).toBe('the node does not respond');
  expect(watcher.view()).toBeUndefined();
  expect(await compareLedgerAndChain(ledger.store, client(), { location: location(), versions: [] })).toMatchObject({
    state: 'unreachable',
    funded: 1n,
    faults: [],
  });

  fault = () => undefined;
  await watcher.catchUp();
  expect(watcher.fault()).toBeUndefined();
  expect(await funded()).toBe(111n);
});

test('reports a wrong clock before the ledger is up to date, since no one else would correct it', async () => {
  fault = ({ method }) => (method === 'eth_getLogs' ? 'not now' : undefined);
  const firstBlock = await nextBlock();
  await deposit(1n);
  const { timestamp } = await devnet.client.getBlock();
  now = Number(timestamp) * 1_000;
  const watcher = await watchFrom(firstBlock);
  await expect(watcher.catchUp()).rejects.toThrow();
  expect(watcher.fault()).toBe('the ledger is catching up with the chain');
  now += 6 * 60_000;
  await expect(watcher.catchUp()).rejects.toThrow();
  expect(watcher.fault()).toMatch(/^the newest block is 3\d\d seconds older than this machine's clock/);
});

test('a node that fails between two questions of one look leaves no half of it in the ledger', async () => {
  const startBlock = await nextBlock();
  for (const value of [1n, 10n, 100n]) await deposit(value);
  const watcher = await watchFrom(startBlock);
  const methods = ['eth_getBlockByNumber', 'eth_call', 'eth_getLogs', 'eth_getTransactionByHash'];
  for (const failing of methods) {
    // The first answer of this kind is given, all others fail.
    let asked = 0;
    fault = ({ method }) => {
      if (method !== failing) return undefined;
      asked += 1;
      return asked > 1 ? 'overloaded' : undefined;
    };
    await watcher.catchUp().catch(() => undefined);
    expect([0n, 1n, 11n, 111n]).toContain(await funded());
  }
  fault = () => undefined;
  await watcher.catchUp();
  expect(await funded()).toBe(111n);
});

test('a node that answers for a few blocks at a time only is followed in smaller steps', async () => {
  const startBlock = await nextBlock();
  for (const value of [1n, 10n]) {
    await deposit(value);
    await devnet.client.mine({ blocks: 20 });
  }
  const range = z.object({
    fromBlock: z.templateLiteral(['0x', z.string()]),
    toBlock: z.templateLiteral(['0x', z.string()]),
  });
  fault = ({ id, method, params }) => {
    if (method !== 'eth_getLogs') return undefined;
    const { fromBlock, toBlock } = range.parse(params[0]);
    const error = { code: -32005, message: 'query exceeds max block range 4' };
    const isTooWide = hexToBigInt(toBlock) - hexToBigInt(fromBlock) >= 4n;
    return isTooWide ? JSON.stringify({ jsonrpc: '2.0', id, error }) : undefined;
  };
  const watcher = await watchFrom(startBlock);
  await watcher.catchUp();
  expect(await funded()).toBe(11n);
});

test('a chain that does not respond keeps no other from being checked', async () => {
  const watcher = await watchFrom(await nextBlock());
  await deposit(1n);
  await watcher.catchUp();
  const silent = { ...location(), chainId: devnet.chainId + 1 };
  await ensureContractTotals(ledger.store, [silent]);
  const families = [...paymasterContractFamilies.values()].filter(({ name }) => name === 'pimlico-singleton-0.7');
  const runtimeOf = (at: typeof silent, url: string) => {
    const contracts = new Map(families.map((family) => [family.name, { location: at, family }]));
    // What the check looks at.
    return { contracts, client: client(url), watcher } as unknown as ChainRuntime;
  };
  const operations = createLedger({
    store: ledger.store,
    rows: createRowSums(ledger.store, { now: () => now }),
    clock: { now: () => now },
    chains: new Map([
      [silent.chainId, runtimeOf(silent, `http://127.0.0.1:${await findClosedPort()}`)],
      [devnet.chainId, runtimeOf(location(), node.url)],
    ]),
  });
  const [unreachable, compared] = accepted(await operations.checkLedger({ allRows: false }));
  expect(unreachable).toMatchObject({ state: 'unreachable', chainId: silent.chainId, atBlock: 0n, faults: [] });
  expect(unreachable).not.toHaveProperty('difference');
  expect(compared).toMatchObject({ state: 'compared', chainId: devnet.chainId, funded: 1n });
});

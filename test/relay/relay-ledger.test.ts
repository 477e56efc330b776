import {
  type Address,
  getAddress,
  type Hex,
  parseEther,
  parseGwei,
  RpcRequestError,
  type TransactionReceipt,
} from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endOfTime } from '../../core/evm/entry-point/entry-point-abi.ts';
import { bareContentId } from '../../core/evm/paymaster-contracts/family/content-id.ts';
import { checkAccounts } from '../../core/ledger/checking/check-accounts.ts';
import { closeHolds } from '../../core/ledger/holds/close-holds.ts';
import { holdBatch } from '../../core/ledger/holds/hold-batch.ts';
import { ensureContractTotals } from '../../core/ledger/posting/pass-block.ts';
import { watchRelay } from '../../core/ledger/relay-queue.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import type { ChainWatcher } from '../../core/node/followed-chain.ts';
import { startChainWatcher } from '../../core/runtime/chain-watcher.ts';
import { fromWeiText } from '../../core/store/wei.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { readUserOperationHash } from '../../server/dev/user-operation/entry-point.ts';
import { systemClock } from '../../server/system-clock.ts';
import { newSmartAccount, nextOperation, walletWith } from '../support/chain/chain-lab.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { checkContractLedger } from '../support/core/check-contract-ledger.ts';
import { type HoldAsked, holdRequest, insertPaymaster, openLedger } from '../support/core/ledger-lab.ts';
import { setPolicyLimits } from '../support/core/set-limits.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import {
  balanceOf,
  costOf,
  freeOperation,
  freeOperationOf,
  newExecutor,
  sendBundle,
  transfer,
} from '../support/relay/relay-lab.ts';

const version = '0.8';

let devnet: Devnet;
let ledger: Awaited<ReturnType<typeof openLedger>>;
let relay: Address;
let executors: readonly [LocalAccount, LocalAccount];
let wallet: LocalAccount;
const running: ChainWatcher[] = [];

beforeEach(async () => {
  devnet = await leaseDevnet();
  ledger = await openLedger();
  relay = getAddress(devnet.entryPoints[version]);
  executors = [await newExecutor(devnet), await newExecutor(devnet)];
  wallet = await walletWith(devnet, parseEther('100'));
  await ensureContractTotals(ledger.store, [{ chainId: devnet.chainId, address: relay }]);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((watcher) => watcher.close()));
  await ledger.close();
  await devnet.close();
});

function watch(
  over: { confirmations?: number; client?: ChainClient; executors?: readonly LocalAccount[] } = {},
): ChainWatcher {
  const { confirmations = 0, client = devnet.client as unknown as ChainClient, executors: wallets = executors } = over;
  const watched = watchRelay(ledger.store, {
    chainId: devnet.chainId,
    contract: relay,
    executors: wallets.map(({ address }) => address),
  });
  const watcher = startChainWatcher({
    chainId: devnet.chainId,
    client,
    nodes: [client],
    watched: [{ entryPoint: relay, contracts: [{ address: relay, relay: watched }] }],
    confirmations,
    pollIntervalMs: 3_600_000,
    startBlock: 0n,
    store: ledger.store,
    clock: systemClock,
    logger: silentLogger,
  });
  running.push(watcher);
  return watcher;
}

async function checkedLedger(atBlock?: bigint, of: readonly LocalAccount[] = executors) {
  const checked = await ledger.store.read((snapshot) =>
    checkContractLedger(snapshot, { chainId: devnet.chainId, contract: relay, keepsBalances: false }),
  );
  expect(checked.faults).toEqual([]);
  expect(checked.bookDeposit).toBe(await balanceOf(devnet, of, atBlock));
  return checked;
}

async function tank(of: LocalAccount = wallet) {
  const row = await ledger.store.db
    .selectFrom('tanks_with_held')
    .selectAll()
    .where('wallet', '=', of.address)
    .where('contract', '=', relay)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { funded: fromWeiText(row.funded), settled: fromWeiText(row.settled), held: fromWeiText(row.held) };
}

/** Holds for an operation as the service does before it hands the operation over. */
async function hold(
  operation: DevUserOperation,
  amount: bigint,
  of: LocalAccount = wallet,
  over: HoldAsked = {},
): Promise<Hex> {
  const userOperationHash = await readUserOperationHash(devnet, operation);
  const request = holdRequest({
    tank: { chainId: devnet.chainId, contract: relay, wallet: of.address },
    amount,
    sender: operation.sender,
    nonce: operation.nonce,
    validUntil: endOfTime,
    contentId: bareContentId({ ...operation, gas: operation }),
    relayed: { userOperationHash, operation: '{}' },
    ...over,
  });
  const [outcome] = await ledger.store.transaction((transaction) => holdBatch(transaction, [request], 1));
  expect(outcome?.kind).toBe('held');
  return userOperationHash;
}

async function outcomes(): Promise<readonly { state: string; charge: bigint | undefined }[]> {
  const rows = await ledger.store.db.selectFrom('holds').select(['state', 'charge']).orderBy('hold_id').execute();
  return rows.map(({ state, charge }) => ({ state, charge: charge === null ? undefined : fromWeiText(charge) }));
}

/** What the one limit there is has counted. */
async function countedByLimit() {
  const rows = await ledger.store.db
    .selectFrom('ledger_accounts')
    .select(['count', 'amount'])
    .where('name', 'like', 'limit/%')
    .execute();
  expect(await ledger.store.read(checkAccounts)).toEqual([]);
  return rows.map(({ count, amount }) => ({ count, amount: fromWeiText(amount) }))[0];
}

/** Releases the one hold there is. */
async function releaseOnly(): Promise<void> {
  await ledger.store.transaction(async (transaction) => {
    const { hold_id } = await transaction.selectFrom('holds').select('hold_id').executeTakeFirstOrThrow();
    await closeHolds(transaction, new Map([[hold_id, { state: 'released', because: 'expired', now: 2 }]]));
  });
}

async function fill(value = parseEther('5')): Promise<ChainWatcher> {
  const watcher = watch();
  await watcher.catchUp();
  await transfer(devnet, wallet, { to: executors[0].address, value });
  await watcher.catchUp();
  expect(await tank()).toEqual({ funded: value, settled: 0n, held: 0n });
  return watcher;
}

describe('the ledger of a relay', () => {
  test('begins with what the executors have, which is in no tank', async () => {
    const watcher = watch();
    await watcher.catchUp();
    const { unattributedDeposits, funded } = await checkedLedger();
    expect(unattributedDeposits).toBe(parseEther('20'));
    expect(funded).toBe(0n);
  });

  test('puts a direct transfer into the tank of its sender, and one by a contract into none', async () => {
    const watcher = await fill(parseEther('2'));
    // The target pays out what it is sent: the executor gets it from a contract.
    const { strayDeposits } = await checkedLedger();
    await devnet.client.setBalance({ address: executors[1].address, value: parseEther('11') });
    await devnet.client.mine({ blocks: 1 });
    await watcher.catchUp();
    const after = await checkedLedger();
    expect(after.strayDeposits.length).toBe(strayDeposits.length + 1);
    expect(after.strayDeposits.some(({ amount }) => amount === parseEther('1'))).toBe(true);
    expect((await tank())?.funded).toBe(parseEther('2'));
  });

  test('has what an ordinary operation pays the executor as the operator’s, not as a deposit to match', async () => {
    const watcher = await fill();
    const before = await checkedLedger();
    const account = newSmartAccount(version);
    const { initCode, sender } = await freeOperation(devnet, account);
    await devnet.client.setBalance({ address: sender, value: parseEther('10') });
    const fees = { maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: parseGwei('100') };
    const paying = await freeOperation(devnet, account, { initCode, ...fees });
    const free = await freeOperationOf(devnet, version);
    await hold(free, parseEther('1'));
    const had = await balanceOf(devnet, executors);
    const receipt = await sendBundle(devnet, executors[0], [paying, free]);
    const gained = (await balanceOf(devnet, executors)) - had;
    expect(gained).toBeGreaterThan(0n);
    await watcher.catchUp();
    const { strayDeposits, hotWalletDeposits, unexplainedCosts } = await checkedLedger();
    expect(strayDeposits).toEqual(before.strayDeposits);
    const [{ charge = 0n } = {}] = await outcomes();
    expect(charge).toBeGreaterThan(costOf(receipt) / 3n);
    expect(unexplainedCosts).toBe(0n);
    expect(hotWalletDeposits - charge).toBe(gained);
  });

  test('leaves what a contract pays an executor next to a bundle as a deposit to match', async () => {
    const watcher = await fill();
    const { strayDeposits: before } = await checkedLedger();
    const account = newSmartAccount(version);
    const { initCode, sender } = await freeOperation(devnet, account);
    await devnet.client.setBalance({ address: sender, value: parseEther('10') });
    const fees = { maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: parseGwei('100') };
    const { callData } = await nextOperation(devnet, account, [
      { to: executors[1].address, value: parseEther('2'), data: '0x' },
    ]);
    const operation = await freeOperation(devnet, account, { initCode, callData, ...fees });
    await sendBundle(devnet, executors[0], [operation]);
    await watcher.catchUp();
    const { strayDeposits } = await checkedLedger();
    const amounts = (list: typeof before) => list.map(({ amount }) => amount);
    expect(amounts(strayDeposits)).toEqual([...amounts(before), parseEther('2')]);
  });

  test('charges one operation all that its bundle cost', async () => {
    const watcher = await fill();
    const operation = await freeOperationOf(devnet, version);
    await hold(operation, parseEther('1'));
    const receipt = await sendBundle(devnet, executors[0], [operation]);
    await watcher.catchUp();
    expect(await outcomes()).toEqual([{ state: 'settled', charge: costOf(receipt) }]);
    expect(await tank()).toEqual({ funded: parseEther('5'), settled: costOf(receipt), held: 0n });
    const { unexplainedCosts, settled } = await checkedLedger();
    expect(unexplainedCosts).toBe(0n);
    expect(settled).toBe(costOf(receipt));
  });

  test('shares a bundle so that the shares add up to the transaction, whichever tank paid for the others', async () => {
    const watcher = await fill();
    const operations: DevUserOperation[] = [];
    for (let index = 0; index < 5; index += 1) operations.push(await freeOperationOf(devnet, version));
    for (const operation of operations.slice(0, 3)) await hold(operation, parseEther('0.5'));
    const receipt = await sendBundle(devnet, executors[1], operations);
    await watcher.catchUp();
    const charges = (await outcomes()).map(({ charge = 0n }) => charge);
    const { unexplainedCosts } = await checkedLedger();
    expect(charges.every((charge) => charge > costOf(receipt) / 7n && charge < costOf(receipt) / 3n)).toBe(true);
    expect(charges.reduce((sum, charge) => sum + charge, unexplainedCosts)).toBe(costOf(receipt));
  });

  test('charges a tank no more than was held; the operator pays the rest', async () => {
    const watcher = await fill();
    const operation = await freeOperationOf(devnet, version);
    await hold(operation, 1_000n);
    const receipt = await sendBundle(devnet, executors[0], [operation]);
    await watcher.catchUp();
    expect(await outcomes()).toEqual([{ state: 'settled', charge: 1_000n }]);
    expect((await checkedLedger()).unexplainedCosts).toBe(costOf(receipt) - 1_000n);
  });

  test('leaves a bundle that fails, and all else that executors send, to the operator', async () => {
    const watcher = await fill();
    const operation = await freeOperationOf(devnet, version);
    await hold(operation, parseEther('1'));
    const spoiled = { ...operation, signature: `0x${'11'.repeat(65)}` as Hex };
    const failed = await sendBundle(devnet, executors[0], [spoiled]);
    expect(failed.status).toBe('reverted');
    const between = await transfer(devnet, executors[0], { to: executors[1].address, value: parseEther('1') });
    const away = await transfer(devnet, executors[1], { to: wallet.address, value: parseEther('3') });
    await watcher.catchUp();
    expect(await outcomes()).toEqual([{ state: 'live', charge: undefined }]);
    const { unexplainedCosts, withdrawals } = await checkedLedger();
    expect(unexplainedCosts).toBe(costOf(failed) + costOf(between) + costOf(away));
    expect(withdrawals).toBe(parseEther('3'));
    expect((await tank())?.settled).toBe(0n);
  });

  test('separates several transactions of one block', async () => {
    const watcher = await fill();
    const [first, second] = [await freeOperationOf(devnet, version), await freeOperationOf(devnet, version)];
    await hold(first, parseEther('1'));
    await hold(second, parseEther('1'));
    await devnet.client.setAutomine(false);
    const sent = Promise.all([
      sendBundle(devnet, executors[0], [first]),
      sendBundle(devnet, executors[1], [second]),
      transfer(devnet, wallet, { to: executors[1].address, value: parseEther('1') }),
    ]);
    await expect.poll(async () => (await devnet.client.getTxpoolStatus()).pending).toBe(3);
    await devnet.client.mine({ blocks: 1 });
    await devnet.client.setAutomine(true);
    const [one, other] = await sent;
    expect(one.blockNumber).toBe(other.blockNumber);
    await watcher.catchUp();
    expect((await outcomes()).map(({ charge }) => charge)).toEqual([costOf(one), costOf(other)]);
    expect((await tank())?.funded).toBe(parseEther('6'));
    expect((await checkedLedger()).unexplainedCosts).toBe(0n);
  });

  test('charges nothing for a copy that another bundler has landed', async () => {
    const watcher = await fill();
    const operation = await freeOperationOf(devnet, version);
    await hold(operation, parseEther('1'));
    const stranger = await newExecutor(devnet);
    await sendBundle(devnet, stranger, [operation]);
    // Our own bundle comes too late, and fails.
    const late = await sendBundle(devnet, executors[0], [operation]);
    await watcher.catchUp();
    expect(await outcomes()).toEqual([{ state: 'settled', charge: 0n }]);
    expect((await checkedLedger()).unexplainedCosts).toBe(costOf(late));
  });

  test('releases what was held for another operation of the same nonce, for which the operator pays', async () => {
    const watcher = await fill();
    const account = newSmartAccount(version);
    const [first, second] = [
      await freeOperation(devnet, account),
      await freeOperation(devnet, account, { callGasLimit: 99_999n }),
    ];
    await hold(first, parseEther('1'));
    const receipt = await sendBundle(devnet, executors[0], [second]);
    await watcher.catchUp();
    expect(await outcomes()).toEqual([{ state: 'released', charge: undefined }]);
    expect((await tank())?.settled).toBe(0n);
    expect((await checkedLedger()).unexplainedCosts).toBe(costOf(receipt));
  });

  test('charges the tank for an operation that lands after its hold was released', async () => {
    const watcher = await fill();
    const operation = await freeOperationOf(devnet, version);
    await hold(operation, parseEther('1'));
    await releaseOnly();
    const receipt = await sendBundle(devnet, executors[0], [operation]);
    await watcher.catchUp();
    expect(await tank()).toEqual({ funded: parseEther('5'), settled: costOf(receipt), held: 0n });
    expect((await checkedLedger()).unexplainedCosts).toBe(0n);
  });

  test('counts it in limits then, and not any more once the chain takes it back', async () => {
    const ids = {
      paymasterId: '10000000-0000-4000-8000-000000000001',
      accountId: '20000000-0000-4000-8000-000000000001',
    };
    await insertPaymaster(ledger.store, ids);
    await setPolicyLimits(ledger.store, ids.paymasterId, [
      { per: 'total', window: 'ever', unit: 'wei', max: 10n ** 20n },
    ]);
    const watcher = await fill();
    const operation = await freeOperationOf(devnet, version);
    await hold(operation, parseEther('1'), wallet, ids);
    await releaseOnly();
    expect(await countedByLimit()).toEqual({ count: 0, amount: 0n });
    const snapshot = await devnet.client.snapshot();
    const receipt = await sendBundle(devnet, executors[0], [operation]);
    await watcher.catchUp();
    expect(await outcomes()).toEqual([{ state: 'settled', charge: costOf(receipt) }]);
    expect(await countedByLimit()).toEqual({ count: 1, amount: costOf(receipt) });
    await devnet.client.revert({ id: snapshot });
    await transfer(devnet, wallet, { to: executors[1].address, value: parseEther('2') });
    await watcher.catchUp();
    expect(await outcomes()).toEqual([{ state: 'released', charge: undefined }]);
    expect(await countedByLimit()).toEqual({ count: 0, amount: 0n });
    expect(await tank()).toEqual({ funded: parseEther('7'), settled: 0n, held: 0n });
    await checkedLedger();
  });

  test('have no other tank pay that holds for the same nonce by then', async () => {
    const watcher = await fill();
    const other = await walletWith(devnet, parseEther('100'));
    await transfer(devnet, other, { to: executors[1].address, value: parseEther('4') });
    await watcher.catchUp();
    const account = newSmartAccount(version);
    const first = await freeOperation(devnet, account);
    await hold(first, parseEther('1'));
    await releaseOnly();
    await hold(await freeOperation(devnet, account, { callGasLimit: 99_999n }), parseEther('1'), other);
    const receipt = await sendBundle(devnet, executors[0], [first]);
    await watcher.catchUp();
    expect((await tank())?.settled).toBe(costOf(receipt));
    expect(await tank(other)).toEqual({ funded: parseEther('4'), settled: 0n, held: 0n });
    await checkedLedger();
  });

  test('hold and settle again after a reorganisation, once', async () => {
    const watcher = await fill();
    const operation = await freeOperationOf(devnet, version);
    await hold(operation, parseEther('1'));
    const snapshot = await devnet.client.snapshot();
    await sendBundle(devnet, executors[0], [operation]);
    await watcher.catchUp();
    expect((await outcomes())[0]?.state).toBe('settled');
    await devnet.client.revert({ id: snapshot });
    await transfer(devnet, wallet, { to: executors[1].address, value: parseEther('2') });
    await watcher.catchUp();
    expect(await outcomes()).toEqual([{ state: 'live', charge: undefined }]);
    expect(await tank()).toEqual({ funded: parseEther('7'), settled: 0n, held: parseEther('1') });
    await checkedLedger();
    const receipt = await sendBundle(devnet, executors[1], [operation]);
    await watcher.catchUp();
    expect(await tank()).toEqual({ funded: parseEther('7'), settled: costOf(receipt), held: 0n });
    await checkedLedger();
  });

  test('stay exact when executors join and leave the configuration', async () => {
    const watcher = await fill();
    await watcher.close();
    const third = await newExecutor(devnet, parseEther('4'));
    await devnet.client.mine({ blocks: 1 });
    await watch({ executors: [executors[0], third] }).catchUp();
    const { unexplainedCosts } = await checkedLedger(undefined, [executors[0], third]);
    expect(unexplainedCosts).toBe(parseEther('6'));
    expect((await tank())?.funded).toBe(parseEther('5'));
  });

  test('wait for another node when one leaves out a transaction of an executor', async () => {
    const watcher = await fill();
    await watcher.close();
    await transfer(devnet, executors[0], { to: wallet.address, value: parseGwei('1') });
    const own = devnet.client as unknown as ChainClient;
    const lying = new Proxy(own, {
      get: (client, name, receiver) =>
        name !== 'getBlock'
          ? Reflect.get(client, name, receiver)
          : async (asked: { includeTransactions?: boolean }) => {
              const block = await client.getBlock(asked as never);
              return asked.includeTransactions === true ? { ...block, transactions: [] } : block;
            },
    });
    await expect(watch({ client: lying }).catchUp()).rejects.toThrow(/omits transactions/);
    await watch().catchUp();
    await checkedLedger();
  });

  test('charge operations also what no receipt shows and only the balance does, as fees of some layer 2', async () => {
    const watcher = await fill();
    await watcher.close();
    const operations = [await freeOperationOf(devnet, version), await freeOperationOf(devnet, version)];
    for (const operation of operations) await hold(operation, parseEther('1'));
    const receipt = await sendBundle(devnet, executors[0], operations);
    // The node tells a third of the price: the rest is such a fee.
    await watch({
      client: withReceipts((reported) => ({ effectiveGasPrice: reported.effectiveGasPrice / 3n })),
    }).catchUp();
    const charges = (await outcomes()).map(({ charge = 0n }) => charge);
    expect(charges.reduce((sum, charge) => sum + charge, 0n)).toBe(costOf(receipt));
    expect((await checkedLedger()).unexplainedCosts).toBe(0n);
  });

  test('charge the fee for data that a receipt of the OP stack tells, and leave what is too much of it to no one', async () => {
    const watcher = await fill();
    await watcher.close();
    const operation = await freeOperationOf(devnet, version);
    await hold(operation, parseEther('1'));
    const receipt = await sendBundle(devnet, executors[0], [operation]);
    const l1Fee = 1_000_000n;
    const price = (costOf(receipt) - l1Fee) / receipt.gasUsed;
    const rest = costOf(receipt) - l1Fee - price * receipt.gasUsed;
    await watch({
      client: withReceipts(() => ({ effectiveGasPrice: price, l1Fee: `0x${(l1Fee + rest).toString(16)}` })),
    }).catchUp();
    expect((await outcomes())[0]?.charge).toBe(costOf(receipt));
    await checkedLedger();
  });

  test('are exact where the node no longer has the state of the blocks, by the receipts of open operations', async () => {
    const watcher = await fill();
    await watcher.close();
    const operations = [await freeOperationOf(devnet, version), await freeOperationOf(devnet, version)];
    const [known] = operations;
    if (known === undefined) throw new Error('There is an operation.');
    await hold(known, parseEther('1'));
    await transfer(devnet, wallet, { to: executors[1].address, value: parseEther('1') });
    const receipt = await sendBundle(devnet, executors[0], operations);
    const last = receipt.blockNumber;
    const own = devnet.client as unknown as ChainClient;
    const pruned = new Proxy(own, {
      get: (client, name, receiver) =>
        name !== 'getTransactionCount'
          ? Reflect.get(client, name, receiver)
          : async (asked: { blockNumber?: bigint }) => {
              if (asked.blockNumber !== undefined && asked.blockNumber < last) throw stateIsGone;
              return client.getTransactionCount(asked as never);
            },
    });
    await watch({ client: pruned }).catchUp();
    const [{ charge = 0n } = { charge: 0n }] = await outcomes();
    expect(charge).toBeGreaterThan(costOf(receipt) / 3n);
    expect(charge).toBeLessThan(costOf(receipt));
    // The transfer and the other operation are known by the sum alone, which is the operator's.
    expect((await tank())?.funded).toBe(parseEther('5'));
    await checkedLedger();
  });
});

const stateIsGone = new RpcRequestError({
  body: {},
  url: 'http://node',
  error: { code: -32_000, message: 'missing trie node' },
});

/** A node that tells other receipts. */
function withReceipts(change: (reported: TransactionReceipt) => object): ChainClient {
  const own = devnet.client as unknown as ChainClient;
  return new Proxy(own, {
    get: (client, name, receiver) =>
      name !== 'getTransactionReceipt'
        ? Reflect.get(client, name, receiver)
        : async (asked: { hash: Hex }) => {
            const reported = await client.getTransactionReceipt(asked);
            return { ...reported, ...change(reported) };
          },
  });
}

import { type Address, encodeFunctionData, getAddress, type Hex, parseAbi, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ensureContractTotals } from '../../core/ledger/posting/pass-block.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import type { ChainWatcher } from '../../core/node/followed-chain.ts';
import { startChainWatcher } from '../../core/runtime/chain-watcher.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { systemClock } from '../../server/system-clock.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { checkContractLedger } from '../support/core/check-contract-ledger.ts';
import { openLedger, readTank } from '../support/core/ledger-lab.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';

const entryPointAbi = parseAbi([
  'function depositTo(address account) payable',
  'function balanceOf(address account) view returns (uint256)',
]);
const paymasterAbi = parseAbi(['function deposit() payable', 'function withdrawTo(address to, uint256 amount)']);
const wallet = privateKeyToAccount(deriveDevKey(1));
const owner = privateKeyToAccount(deriveDevKey(2));

let devnet: Devnet;
let ledger: Awaited<ReturnType<typeof openLedger>>;
let contract: Address;
let entryPoint: Address;
const running: ChainWatcher[] = [];

beforeEach(async () => {
  devnet = await leaseDevnet(owner.address);
  ledger = await openLedger();
  contract = getAddress(devnet.paymasterContracts['pimlico-singleton-0.7']);
  entryPoint = getAddress(devnet.entryPoints['0.7']);
  await ensureContractTotals(ledger.store, [{ chainId: devnet.chainId, address: contract }]);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((watcher) => watcher.close()));
  await ledger.close();
  await devnet.close();
});

function watch(confirmations: number, startBlock = 0n): ChainWatcher {
  const watcher = startChainWatcher({
    chainId: devnet.chainId,
    // The development client reads all that the watcher reads.
    client: devnet.client as unknown as ChainClient,
    nodes: [devnet.client as unknown as ChainClient],
    watched: [{ entryPoint, contracts: [{ address: contract }] }],
    confirmations,
    pollIntervalMs: 3_600_000,
    startBlock,
    store: ledger.store,
    clock: systemClock,
    logger: silentLogger,
  });
  running.push(watcher);
  return watcher;
}

async function send(from: typeof wallet, to: Address, data: Hex, value: bigint): Promise<void> {
  const hash = await devnet.client.sendTransaction({ account: from, to, data, value, gas: 500_000n });
  const receipt = await devnet.client.waitForTransactionReceipt({ hash });
  expect(receipt.status).toBe('success');
}

const depositTo = (value: bigint) =>
  send(
    wallet,
    entryPoint,
    encodeFunctionData({ abi: entryPointAbi, functionName: 'depositTo', args: [contract] }),
    value,
  );

const tank = () => readTank(ledger.store, { chainId: devnet.chainId, contract, wallet: wallet.address });
const checkedLedger = () =>
  ledger.store.transaction((transaction) =>
    checkContractLedger(transaction, { chainId: devnet.chainId, contract, keepsBalances: false }),
  );
const chainDeposit = () =>
  devnet.client.readContract({ address: entryPoint, abi: entryPointAbi, functionName: 'balanceOf', args: [contract] });

describe('deposits', () => {
  test('sent by the wallet to the EntryPoint or to the paymaster fund its tank', async () => {
    await depositTo(parseEther('1.5'));
    await send(wallet, contract, encodeFunctionData({ abi: paymasterAbi, functionName: 'deposit' }), 7n);
    await watch(0).catchUp();
    expect((await tank())?.funded).toBe(parseEther('1.5') + 7n);
    expect((await checkedLedger()).bookDeposit).toBe(await chainDeposit());
  });

  test('count once they have their confirmations', async () => {
    const watcher = watch(3);
    await depositTo(5n);
    await devnet.client.mine({ blocks: 2 });
    await watcher.catchUp();
    expect(await tank()).toBeUndefined();
    await devnet.client.mine({ blocks: 1 });
    await watcher.catchUp();
    expect((await tank())?.funded).toBe(5n);
  });

  test('and withdrawals of the owner leave the journal equal to the chain', async () => {
    await depositTo(1_000n);
    const data = encodeFunctionData({ abi: paymasterAbi, functionName: 'withdrawTo', args: [owner.address, 300n] });
    await devnet.client.setBalance({ address: owner.address, value: parseEther('1') });
    await send(owner, contract, data, 0n);
    await watch(0).catchUp();
    expect(await checkedLedger()).toMatchObject({ bookDeposit: 700n, withdrawals: 300n, faults: [] });
    expect(await chainDeposit()).toBe(700n);
  });
});

describe('a ledger that begins later than the contract', () => {
  test('have what was deposited before as a deposit of no tank, so that it can be taken out again', async () => {
    await depositTo(1_000n);
    const startBlock = (await devnet.client.getBlockNumber()) + 1n;
    const data = encodeFunctionData({ abi: paymasterAbi, functionName: 'withdrawTo', args: [owner.address, 300n] });
    await devnet.client.setBalance({ address: owner.address, value: parseEther('1') });
    await send(owner, contract, data, 0n);
    await depositTo(5n);
    await watch(0, startBlock).catchUp();
    expect(await checkedLedger()).toMatchObject({ bookDeposit: 705n, unattributedDeposits: 1_000n, withdrawals: 300n });
    expect(await chainDeposit()).toBe(705n);
    expect((await tank())?.funded).toBe(5n);
  });

  test('have it once, however often they go on', async () => {
    await depositTo(1_000n);
    const watcher = watch(0, (await devnet.client.getBlockNumber()) + 1n);
    for (const value of [5n, 6n]) {
      await depositTo(value);
      await watcher.catchUp();
    }
    expect(await checkedLedger()).toMatchObject({ bookDeposit: 1_011n, unattributedDeposits: 1_000n });
  });

  test('wait until the first block is confirmed', async () => {
    await depositTo(1_000n);
    const watcher = watch(3, (await devnet.client.getBlockNumber()) + 1n);
    await watcher.catchUp();
    expect(await checkedLedger()).toMatchObject({ bookDeposit: 0n });
    await devnet.client.mine({ blocks: 4 });
    await watcher.catchUp();
    expect(await checkedLedger()).toMatchObject({ bookDeposit: 1_000n });
  });
});

describe('the watch', () => {
  test('goes on where it was left, with no event twice and none lost', async () => {
    await depositTo(10n);
    const first = watch(0);
    await first.catchUp();
    await first.close();
    await depositTo(32n);
    await watch(0).catchUp();
    expect((await tank())?.funded).toBe(42n);
  });

  test('is not misled by a reorganisation within the confirmations', async () => {
    const watcher = watch(3);
    await depositTo(10n);
    await watcher.catchUp();
    await devnet.client.request({ method: 'anvil_reorg' as never, params: [1, []] as never });
    await devnet.client.mine({ blocks: 4 });
    await watcher.catchUp();
    expect((await tank())?.funded ?? 0n).toBe(await chainDeposit());
    expect(watcher.fault()).toBeUndefined();
  });

  test('rolls back by itself when blocks of the ledger are gone from the chain', async () => {
    const watcher = watch(0);
    await depositTo(10n);
    await watcher.catchUp();
    await depositTo(32n);
    await depositTo(7n);
    await watcher.catchUp();
    expect((await tank())?.funded).toBe(49n);
    await devnet.client.request({ method: 'anvil_reorg' as never, params: [2, []] as never });
    await watcher.catchUp();
    expect((await tank())?.funded).toBe(10n);
    expect((await checkedLedger()).bookDeposit).toBe(await chainDeposit());
    expect(watcher.fault()).toBeUndefined();
    expect(watcher.faultOf(contract)).toBeUndefined();
    const reversals = ledger.store.db.selectFrom('journal').select('amount').where('reverses', 'is not', null);
    const reversed = (await reversals.execute()).map(({ amount }) => BigInt(amount));
    expect(new Set(reversed)).toEqual(new Set([32n, 7n]));
    await depositTo(100n);
    await watcher.catchUp();
    expect(await checkedLedger()).toMatchObject({ bookDeposit: 110n, faults: [] });
  });
});

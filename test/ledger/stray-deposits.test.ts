import { randomUUID } from 'node:crypto';
import { type Address, type Hex, numberToHex, pad, zeroHash } from 'viem';
import { describe, expect, test } from 'vitest';
import { biconomySponsorship07 } from '../../core/evm/paymaster-contracts/biconomy/biconomy-sponsorship-0.7.ts';
import { biconomySponsorship110 } from '../../core/evm/paymaster-contracts/biconomy/biconomy-sponsorship-1.1.0.ts';
import { readIdleTanks } from '../../core/ledger/checking/read-ledgers.ts';
import { holdBatch } from '../../core/ledger/holds/hold-batch.ts';
import { adjustTank, findUnmatchedDeposit, type TankAdjustment } from '../../core/ledger/tanks/adjust-tank.ts';
import { readStrayDeposits } from '../../core/ledger/tanks/read-stray-deposits.ts';
import { accountRecovery, operatorRecovery } from '../../core/ledger/tanks/recovery.ts';
import type { ChainEvent } from '../../core/node/chain-event.ts';
import {
  chainId,
  contract,
  customerWithdrawal,
  depositEvent,
  holdRequest,
  insertPaymaster,
  landedEvent,
  numberedAddress,
  post,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';

const ledger = useLedger();

const wallet = numberedAddress(1);
const transaction = (number: number): Hex => pad(numberToHex(number), { size: 32 });

/** A deposit that no account sent straight, at this position of its transaction. */
function indirect(txHash: Hex, logIndex: number, rise: bigint, sender: Address = wallet): ChainEvent {
  return { kind: 'deposit', contract, totalDeposit: 0n, rise, sender, blockNumber: 1n, txHash, logIndex };
}

function ofCustomer(txHash: Hex, logIndex: number, amount: bigint): ChainEvent {
  return { kind: 'customer-deposit', contract, wallet, amount, blockNumber: 1n, txHash, logIndex };
}

const strays = (sought: { readonly sender?: Address } = {}) =>
  ledger.store.transaction((open) => readStrayDeposits(open, { chainId, contract, ...sought }));

/** What the operator's command does, once it knows the tank. */
function adjust(adjustment: Pick<TankAdjustment, 'kind' | 'amount'> & { readonly wallet?: number }, txHash: Hex) {
  const { wallet: number = 1, ...rest } = adjustment;
  const whole = { tank: tankOf(number), reason: 'came through a Safe', forTransaction: txHash, ...rest };
  return ledger.store.transaction(async (open) => {
    const problem = await findUnmatchedDeposit(open, whole, undefined);
    return problem ?? ((await adjustTank(open, whole, 1)) ? 'done' : 'too little');
  });
}

describe('a deposit of no tank', () => {
  test('is told apart from those of customers, also in one transaction with them', async () => {
    // Into a balance, past every balance, into a balance again.
    await post(ledger.store, [
      indirect(transaction(1), 1, 10n),
      ofCustomer(transaction(1), 2, 10n),
      indirect(transaction(1), 3, 500n),
      indirect(transaction(1), 5, 20n),
      ofCustomer(transaction(1), 6, 20n),
      indirect(transaction(2), 1, 7n),
      ofCustomer(transaction(2), 2, 7n),
    ]);
    expect(await strays()).toEqual([{ txHash: transaction(1), amount: 500n, sender: wallet }]);
  });

  test('is listed before smaller ones, and to its sender alone', async () => {
    const dust = Array.from({ length: 30 }, (_, index) =>
      indirect(transaction(100 + index), 1, 1n, numberedAddress(0xbad)),
    );
    await post(ledger.store, [indirect(transaction(1), 1, 1_000n), ...dust]);
    expect(await strays()).toHaveLength(31);
    expect((await strays())[0]).toEqual({ txHash: transaction(1), amount: 1_000n, sender: wallet });
    expect(await strays({ sender: wallet })).toHaveLength(1);
  });

  test('is credited once: never more than came in, no matter who it is credited to', async () => {
    const txHash = transaction(1);
    await post(ledger.store, [indirect(txHash, 1, 60n), indirect(txHash, 2, 40n)]);
    expect(await adjust({ kind: 'credit', amount: 101n }, txHash)).toBe('has 100 wei that are in no tank');
    expect(await adjust({ kind: 'credit', amount: 60n }, txHash)).toBe('done');
    expect(await strays()).toMatchObject([{ amount: 40n }]);
    expect(await adjust({ kind: 'credit', amount: 41n, wallet: 2 }, txHash)).toBe('has 40 wei that are in no tank');
    expect(await adjust({ kind: 'credit', amount: 40n, wallet: 2 }, txHash)).toBe('done');
    expect(await strays()).toEqual([]);
    expect(await adjust({ kind: 'credit', amount: 1n }, txHash)).toContain('is not a deposit');

    // A credit in the wrong tank is rolled back out of that tank alone, and the deposit is open again.
    expect(await adjust({ kind: 'debit', amount: 41n, wallet: 2 }, txHash)).toBe('has 40 wei credited to this tank');
    expect(await adjust({ kind: 'debit', amount: 40n, wallet: 2 }, txHash)).toBe('done');
    expect(await adjust({ kind: 'credit', amount: 40n }, txHash)).toBe('done');
    expect(await strays()).toEqual([]);
  });

  test('is credited where the contract keeps balances only if its owner can put it into one', async () => {
    const txHash = transaction(1);
    await post(ledger.store, [indirect(txHash, 1, 60n)]);
    const credit = {
      tank: tankOf(1),
      kind: 'credit',
      amount: 60n,
      reason: 'refunded',
      forTransaction: txHash,
    } as const;
    const problemOf = (family: typeof biconomySponsorship07) =>
      ledger.store.transaction((open) => findUnmatchedDeposit(open, credit, family.customerFunding));
    expect(await problemOf(biconomySponsorship110)).toContain('no function to add the deposit');
    expect(await problemOf(biconomySponsorship07)).toBeUndefined();
  });
});

describe('the way back of a deposit of no tank', () => {
  const deposit = { amount: 60n, txHash: transaction(1) };
  const none = biconomySponsorship110.customerFunding;
  const refunds = biconomySponsorship07.customerFunding;
  const credit = `tollfree tank credit "60 wei" --paymaster <name|id> --for ${transaction(1)}`;
  const refund = (whose: string) => `refundBalances([${whose}], [60])`;

  test('is for the operator a credit, once it is known who paid', () => {
    const way = operatorRecovery(deposit, undefined);
    expect(way).toContain('Find out who paid');
    expect(way).toContain(credit);
    expect(way).not.toContain('owner');
  });

  test('is for the operator a credit after a refund, where the contract can refund', () => {
    const way = operatorRecovery(deposit, refunds);
    expect(way).toContain('Find out who paid');
    expect(way).toContain(refund('<wallet>'));
    expect(way.indexOf(refund('<wallet>'))).toBeLessThan(way.indexOf(credit));
  });

  test('is none where only the contract itself fills balances', () => {
    expect(operatorRecovery(deposit, none)).toMatch(/^None: only depositFor /);
    const reported = accountRecovery(deposit, wallet, none);
    expect(reported).toContain('Only depositFor fills a balance');
    expect(reported).toContain('no function to return it');
  });

  test('is an earlier beginning of the ledger, for what customer balances had before it', () => {
    const opening = { ...deposit, txHash: zeroHash };
    expect(operatorRecovery(opening, none)).toContain('startBlock');
    expect(operatorRecovery(opening, refunds)).toContain('startBlock');
    expect(operatorRecovery(opening, undefined)).toContain('tank credit');
  });

  test('is for the account holder to ask the operator, and which call of the owner comes first', () => {
    const plain = accountRecovery(deposit, wallet, undefined);
    expect(plain).toContain('was not sent directly by the funding wallet');
    expect(plain).toContain('Ask the operator to credit it');
    const reported = accountRecovery(deposit, wallet, refunds);
    expect(reported).toContain('Only depositFor fills a balance');
    expect(reported).toContain(refund(wallet));
    expect(reported).toContain('Then the operator credits it to the tank');
  });
});

test('a tank is of no paymaster while none of this contract has its wallet', async () => {
  const { store } = ledger;
  await post(store, [depositEvent(1, 10n), depositEvent(2, 300n), depositEvent(3, 7n)]);
  // `insertPaymaster` makes one of version 1.
  await insertPaymaster(store, { accountId: randomUUID(), paymasterId: randomUUID() });
  await store.db
    .updateTable('paymasters')
    .set({ funding_wallet: numberedAddress(1) })
    .execute();
  const idleOf = (versions: readonly string[]) =>
    store.transaction(async (open) => (await readIdleTanks(open, [{ chainId, contract, versions }]))[0]);
  const others = [
    { wallet: numberedAddress(2), left: 300n },
    { wallet: numberedAddress(3), left: 7n },
  ];
  expect(await idleOf(['1', '3'])).toEqual(others);
  // The paymaster pays from another contract: its wallet has filled the wrong tank.
  expect(await idleOf(['2'])).toEqual([others[0], { wallet: numberedAddress(1), left: 10n }, others[1]]);
});

test('of a tank of no paymaster counts what is neither spent, held nor taken out already', async () => {
  const { store } = ledger;
  await post(store, [depositEvent(1, 100n), depositEvent(2, 40n), depositEvent(3, 50n)]);
  const hold = (wallet: number, amount: bigint, nonce = 0n) =>
    store.transaction((open) =>
      holdBatch(open, [holdRequest({ tank: tankOf(wallet), amount, nonce, sender: numberedAddress(wallet) })], 1),
    );
  await hold(1, 30n);
  await hold(1, 25n, 1n);
  await hold(2, 40n);
  await hold(3, 50n);
  await post(store, [landedEvent(1, 1n, 20n), ...customerWithdrawal(3, 20n)]);
  const [idle] = await store.transaction((open) => readIdleTanks(open, [{ chainId, contract, versions: [] }]));
  expect(idle).toEqual([{ wallet: numberedAddress(1), left: 100n - 30n - 20n }]);
});

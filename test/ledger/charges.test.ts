import { describe, expect, test } from 'vitest';
import { readTokenPayments } from '../../core/decisions/stored-decision.ts';
import { holdBatch } from '../../core/ledger/holds/hold-batch.ts';
import { releaseExpired } from '../../core/ledger/posting/release-expired.ts';
import { adjustTank } from '../../core/ledger/tanks/adjust-tank.ts';
import { readGasTank } from '../../core/ledger/tanks/read-gas-tank.ts';
import { checkContractLedger } from '../support/core/check-contract-ledger.ts';
import {
  chainId,
  chargedEvent,
  contract,
  customerDeposit,
  customerWithdrawal,
  holdRequest,
  landedEvent,
  numberedAddress,
  paidInTokens,
  post,
  readTank,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';

const ledger = useLedger();

const sender = 0xa1;
const wallet = numberedAddress(1);

async function hold(amount: bigint, nonce: bigint, validUntil = 1_000) {
  const request = holdRequest({ tank: tankOf(1), amount, nonce, validUntil });
  const [outcome] = await ledger.store.transaction((transaction) => holdBatch(transaction, [request], 1));
  return outcome;
}

const checkedLedger = () =>
  ledger.store.transaction((transaction) =>
    checkContractLedger(transaction, { chainId, contract, keepsBalances: true }),
  );
const expire = () =>
  ledger.store.transaction((transaction) => releaseExpired(transaction, { chainId, contract, chainTime: 5_000 }, 2));
const availableWith = async (walletBalance: bigint) => {
  const funds = { chainDeposit: 10n ** 24n, walletBalance };
  const tank = await ledger.store.transaction((transaction) => readGasTank(transaction, tankOf(1), funds, 1));
  return tank.available;
};
const inLedger = async () => (await checkedLedger()).customers.get(wallet);

describe('the tank of a customer', () => {
  test('pays what the contract took from the balance; the journal has what the EntryPoint took, the margin is named', async () => {
    await post(ledger.store, [...customerDeposit(1, 500n)]);
    await hold(100n, 1n);
    await hold(100n, 2n);
    await post(ledger.store, [chargedEvent(landedEvent(sender, 1n, 60n), 1, 75n)]);
    expect(await readTank(ledger.store, tankOf(1))).toEqual({ funded: 500n, settled: 75n, held: 100n });
    expect(await checkedLedger()).toMatchObject({
      bookDeposit: 440n,
      settled: 75n,
      margin: 15n,
      unexplainedCosts: 0n,
      faults: [],
    });
    // With a discount the contract takes less than the operation cost it.
    await post(ledger.store, [chargedEvent(landedEvent(sender, 2n, 60n), 1, 40n)]);
    expect(await checkedLedger()).toMatchObject({ settled: 115n, margin: -5n, faults: [] });
    expect(await inLedger()).toBe(385n);
  });

  test('pays for an operation that no hold explains too, since the contract took it from that balance', async () => {
    await post(ledger.store, [...customerDeposit(1, 500n)]);
    const foreign = chargedEvent(landedEvent(0xbb, 9n, 60n), 1, 75n);
    expect(await post(ledger.store, [foreign])).toEqual([foreign]);
    expect(await checkedLedger()).toMatchObject({ settled: 75n, margin: 15n, unexplainedCosts: 0n, faults: [] });
    expect(await inLedger()).toBe(425n);
  });

  test('is not the one that pays when the contract charged another wallet for the same sender and nonce', async () => {
    await post(ledger.store, [...customerDeposit(1, 500n), ...customerDeposit(2, 500n)]);
    await hold(100n, 1n);
    await post(ledger.store, [chargedEvent(landedEvent(sender, 1n, 60n), 2, 75n)]);
    expect(await readTank(ledger.store, tankOf(1))).toEqual({ funded: 500n, settled: 0n, held: 0n });
    expect(await readTank(ledger.store, tankOf(2))).toEqual({ funded: 500n, settled: 75n, held: 0n });
    expect((await checkedLedger()).faults).toEqual([]);
  });

  test('falls with a withdrawal of the customer', async () => {
    await post(ledger.store, [...customerDeposit(1, 500n)]);
    await hold(100n, 1n);
    await post(ledger.store, [...customerWithdrawal(1, 400n)]);
    expect(await readTank(ledger.store, tankOf(1))).toEqual({ funded: 100n, settled: 0n, held: 100n });
    expect(await checkedLedger()).toMatchObject({ bookDeposit: 100n, withdrawals: 400n, shortfall: 0n, faults: [] });
    expect(await inLedger()).toBe(100n);
  });
});

describe('what the chain took although it was held', () => {
  test('is posted whole and named as a shortfall, nothing more is held, and it is recovered as holds end', async () => {
    await post(ledger.store, [...customerDeposit(1, 500n)]);
    await hold(300n, 1n, 1_000);
    await hold(100n, 2n, 9_000);
    await post(ledger.store, [...customerWithdrawal(1, 450n)]);
    expect(await checkedLedger()).toMatchObject({ funded: 50n, held: 400n, shortfall: 350n, faults: [] });
    expect(await inLedger()).toBe(50n);
    expect(await availableWith(50n)).toBe(0n);
    expect(await hold(1n, 3n)).toMatchObject({ kind: 'unfunded' });

    await expire();
    expect(await checkedLedger()).toMatchObject({ funded: 50n, held: 100n, shortfall: 50n, faults: [] });
    await post(ledger.store, [...customerDeposit(1, 200n)]);
    expect(await checkedLedger()).toMatchObject({ funded: 250n, held: 100n, shortfall: 0n, faults: [] });
    expect(await availableWith(250n)).toBe(150n);
    expect(await readTank(ledger.store, tankOf(1))).toEqual({ funded: 250n, settled: 0n, held: 100n });
  });

  test('is covered by a credit of the operator before anything more is held', async () => {
    await post(ledger.store, [...customerDeposit(1, 100n)]);
    await hold(100n, 1n);
    await post(ledger.store, [...customerWithdrawal(1, 100n)]);
    const credit = { tank: tankOf(1), kind: 'credit', amount: 100n, reason: 'goodwill' } as const;
    await ledger.store.transaction((transaction) => adjustTank(transaction, credit, 1));
    expect(await hold(1n, 2n)).toMatchObject({ kind: 'unfunded' });
    expect(await checkedLedger()).toMatchObject({ funded: 100n, held: 100n, shortfall: 0n, faults: [] });
  });

  test('may be a charge above its hold, when the contract’s owner has raised the overhead', async () => {
    await post(ledger.store, [...customerDeposit(1, 200n)]);
    await hold(100n, 1n);
    await hold(100n, 2n);
    await post(ledger.store, [chargedEvent(landedEvent(sender, 1n, 90n), 1, 130n)]);
    expect(await checkedLedger()).toMatchObject({
      funded: 200n,
      settled: 130n,
      held: 100n,
      shortfall: 30n,
      faults: [],
    });
    expect(await inLedger()).toBe(70n);
    await post(ledger.store, [chargedEvent(landedEvent(sender, 2n, 60n), 1, 70n)]);
    expect(await checkedLedger()).toMatchObject({ settled: 200n, held: 0n, shortfall: 0n, margin: 50n, faults: [] });
    expect(await inLedger()).toBe(0n);
  });

  test('may be more than the ledger ever saw come in', async () => {
    await post(ledger.store, [...customerDeposit(1, 100n)]);
    await hold(60n, 1n);
    const [customers] = customerWithdrawal(1, 150n);
    await post(ledger.store, customers === undefined ? [] : [customers]);
    expect(await inLedger()).toBe(-50n);
    expect((await checkedLedger()).faults).toEqual([]);
  });
});

test('what is available of a tank is no more than the customer’s balance less its holds', async () => {
  await post(ledger.store, [...customerDeposit(1, 500n)]);
  await hold(100n, 1n);
  expect(await availableWith(500n)).toBe(400n);
  expect(await availableWith(250n)).toBe(150n);
  expect(await availableWith(40n)).toBe(0n);
});

describe('a payment in a token', () => {
  test('is kept with the hold of its operation, exactly, however large', async () => {
    await post(ledger.store, [...customerDeposit(1, 500n)]);
    const outcome = await hold(100n, 1n);
    if (outcome?.kind !== 'held') throw new Error('It was not held.');
    const amount = 2n ** 255n + 1n;
    await post(ledger.store, [paidInTokens(landedEvent(sender, 1n, 60n), amount)]);
    const payments = await readTokenPayments(ledger.store.db, [outcome.holdId, outcome.holdId + 1]);
    expect([...payments]).toEqual([[outcome.holdId, { token: numberedAddress(0x70), amount }]]);
  });

  test('of an operation that no hold explains is kept as well', async () => {
    await post(ledger.store, [...customerDeposit(1, 500n), paidInTokens(landedEvent(0xbb, 9n, 60n), 7n)]);
    const rows = await ledger.store.db.selectFrom('token_payments').selectAll().execute();
    expect(rows).toMatchObject([{ hold_id: null, amount: '7' }]);
  });

  test('is never changed or deleted', async () => {
    await post(ledger.store, [...customerDeposit(1, 500n), paidInTokens(landedEvent(0xbb, 9n, 60n), 7n)]);
    const { db } = ledger.store;
    await expect(db.updateTable('token_payments').set({ amount: '8' }).execute()).rejects.toThrow('never changed');
    await expect(db.deleteFrom('token_payments').execute()).rejects.toThrow('never deleted');
  });
});

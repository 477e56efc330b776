import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkAllLedgers } from '../../core/ledger/checking/check-ledger.ts';
import { holdBatch } from '../../core/ledger/holds/hold-batch.ts';
import { createHoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import { journalWrites, openJournal, post as postEntry } from '../../core/ledger/journal.ts';
import { adjustTank } from '../../core/ledger/tanks/adjust-tank.ts';
import { runTogether } from '../../core/store/statements/run-together.ts';
import { fromWeiSum, fromWeiText, sumWei, sumWeiText, toWeiText } from '../../core/store/wei.ts';
import { checkContractLedger } from '../support/core/check-contract-ledger.ts';
import {
  chainId,
  contract,
  depositEvent,
  holdRequest,
  landedEvent,
  post,
  readTank,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';

const clock = { now: () => 1_000 };
const ledger = useLedger();

const check = () =>
  ledger.store.transaction((transaction) =>
    checkContractLedger(transaction, { chainId, contract, keepsBalances: false }),
  );

describe('the ledger of a contract', () => {
  test('add up after deposits, holds, landings and operator entries', async () => {
    const queue = createHoldQueue(ledger.store, clock, []);
    await post(ledger.store, [depositEvent(1, 500n), depositEvent(2, 300n)]);
    await queue.hold(holdRequest({ tank: tankOf(1), amount: 60n, nonce: 1n }));
    await queue.hold(holdRequest({ tank: tankOf(1), amount: 70n, nonce: 2n }));
    await post(ledger.store, [landedEvent(0xa1, 1n, 25n), landedEvent(0xbb, 9n, 11n)]);
    await ledger.store.transaction((transaction) =>
      adjustTank(transaction, { tank: tankOf(2), kind: 'credit', amount: 40n, reason: 'goodwill' }, 1),
    );
    expect(await check()).toEqual({
      bookDeposit: 764n,
      unattributedDeposits: 0n,
      strayDeposits: [],
      hotWalletDeposits: 0n,
      withdrawals: 0n,
      unexplainedCosts: 11n,
      funded: 840n,
      settled: 25n,
      held: 70n,
      shortfall: 0n,
      margin: 0n,
      customers: new Map([
        [tankOf(1).wallet, 475n],
        [tankOf(2).wallet, 300n],
      ]),
      faults: [],
    });
  });

  test('a deposit that no single account made counts for the contract and for no tank', async () => {
    const { direct: _, ...indirect } = { ...depositEvent(1, 0n), direct: undefined };
    await post(ledger.store, [depositEvent(1, 100n)]);
    await post(ledger.store, [{ ...indirect, kind: 'deposit', contract, totalDeposit: 140n }]);
    expect(await check()).toMatchObject({ bookDeposit: 140n, unattributedDeposits: 40n, funded: 100n, faults: [] });
  });

  test('a withdrawal by the contract’s owner is named', async () => {
    await post(ledger.store, [depositEvent(1, 100n)]);
    const location = { blockNumber: 9n, txHash: `0x${'9'.repeat(64)}`, logIndex: 1 } as const;
    await post(ledger.store, [{ kind: 'withdrawal', contract, amount: 30n, ...location }]);
    expect(await check()).toMatchObject({ bookDeposit: 70n, withdrawals: 30n, faults: [] });
  });

  test('a sum that was tampered with is found and named', async () => {
    await post(ledger.store, [depositEvent(1, 100n)]);
    await ledger.store.db
      .updateTable('tanks')
      .set({ funded: toWeiText(101n) })
      .execute();
    expect((await check()).faults).toEqual([
      expect.stringMatching(/^funded of tank .* stored 101 wei, sum of entries 100 wei$/),
    ]);
  });

  test('so are sums by the day and what is open', async () => {
    const queue = createHoldQueue(ledger.store, clock, []);
    await post(ledger.store, [depositEvent(1, 500n)]);
    for (const nonce of [1n, 2n]) await queue.hold(holdRequest({ tank: tankOf(1), amount: 60n, nonce, client: 'ab' }));
    await post(ledger.store, [landedEvent(0xa1, 1n, 25n)]);
    expect((await check()).faults).toEqual([]);
    const { db } = ledger.store;
    await db
      .updateTable('tank_days')
      .set({ wei: toWeiText(24n) })
      .execute();
    await db.updateTable('ledger_accounts').set({ count: 2 }).where('name', 'like', 'open/%/ab').execute();
    expect(await checkAllLedgers(ledger.store)).toEqual([
      expect.stringMatching(/spending by day of tank .* stored 24 wei, sum of entries 25 wei$/),
      expect.stringMatching(/^account open\/1\/ab: stored 2 and 60, its holds 1 and 60$/),
    ]);
  });

  test('so is what the contract as a whole holds', async () => {
    await post(ledger.store, [depositEvent(1, 100n)]);
    await createHoldQueue(ledger.store, clock, []).hold(holdRequest({ tank: tankOf(1), amount: 60n }));
    await ledger.store.db
      .updateTable('ledger_accounts')
      .set({ amount: toWeiText(61n) })
      .where('name', 'like', 'contract/%')
      .execute();
    expect((await check()).faults).toEqual(['held on the contract: stored 61 wei, sum of entries 60 wei']);
  });

  test('the operator’s corrections count for the tank, and those for a deposit for what the contract keeps too', async () => {
    await post(ledger.store, [depositEvent(1, 100n)]);
    const forTransaction = `0x${'7'.repeat(64)}` as const;
    const corrections = [
      { kind: 'credit', amount: 50n },
      { kind: 'debit', amount: 8n },
      { kind: 'credit', amount: 30n, forTransaction },
      { kind: 'debit', amount: 5n, forTransaction },
    ] as const;
    for (const correction of corrections) {
      const adjustment = { tank: tankOf(1), reason: 'by hand', ...correction };
      await ledger.store.transaction((transaction) => adjustTank(transaction, adjustment, 1));
    }
    const { funded, customers, faults } = await check();
    expect({ funded, customers, faults }).toEqual({
      funded: 100n + 42n + 25n,
      customers: new Map([[tankOf(1).wallet, 100n + 25n]]),
      faults: [],
    });
  });

  test('live holds that do not come to what the tank holds are found and named', async () => {
    await post(ledger.store, [depositEvent(1, 100n)]);
    await ledger.store.transaction((transaction) =>
      holdBatch(transaction, [holdRequest({ tank: tankOf(1), amount: 60n })], 1),
    );
    await ledger.store.db
      .updateTable('holds')
      .set({ amount: toWeiText(59n) })
      .execute();
    expect((await check()).faults).toEqual([
      expect.stringMatching(/^live holds of tank .* stored 60 wei, sum of entries 59 wei$/),
    ]);
  });

  test('a cost that a tank should have paid and no tank did is found and named', async () => {
    await post(ledger.store, [depositEvent(1, 100n)]);
    await ledger.store.transaction((transaction) =>
      holdBatch(transaction, [holdRequest({ tank: tankOf(1), amount: 60n, nonce: 1n })], 1),
    );
    await post(ledger.store, [landedEvent(0xa1, 1n, 25n)]);
    const { tank_id } = await ledger.store.db.selectFrom('tanks').select('tank_id').executeTakeFirstOrThrow();
    const entry = { kind: 'settle', amount: 0n, moved: 7n, tankId: tank_id } as const;
    const at = { blockNumber: 9n, txHash: `0x${'9'.repeat(64)}`, logIndex: 1 } as const;
    await ledger.store.transaction(async (transaction) => {
      const journal = await openJournal(transaction, chainId, contract);
      postEntry({ ...entry, at }, { now: 1, journal });
      await runTogether(transaction, ...journalWrites(journal));
    });
    expect((await check()).faults).toEqual([
      `costs by day of tank ${tankOf(1).wallet}: stored 25 wei, sum of entries 32 wei`,
      `operations by day of tank ${tankOf(1).wallet}: stored 1, sum of entries 2`,
      'settled costs: stored 25 wei, sum of entries 32 wei',
    ]);
  });

  test('a landed operation is settled on the hold that was made for it', async () => {
    await post(ledger.store, [depositEvent(1, 100n)]);
    const [outcome] = await ledger.store.transaction((transaction) =>
      holdBatch(transaction, [holdRequest({ tank: tankOf(1), amount: 60n, nonce: 1n })], 1),
    );
    await post(ledger.store, [landedEvent(0xa1, 1n, 25n), landedEvent(0xbb, 9n, 11n)]);
    const settled = await ledger.store.db
      .selectFrom('journal')
      .select(['hold_id', 'amount'])
      .where('kind', '=', 'settle')
      .execute();
    expect(settled).toEqual([{ hold_id: outcome?.kind === 'held' ? outcome.holdId : 'none', amount: toWeiText(25n) }]);
  });
});

describe('operator entries', () => {
  test('a debit takes no more than is neither settled nor held', async () => {
    const queue = createHoldQueue(ledger.store, clock, []);
    await post(ledger.store, [depositEvent(1, 100n)]);
    await queue.hold(holdRequest({ tank: tankOf(1), amount: 60n }));
    const debit = (amount: bigint) =>
      ledger.store.transaction((transaction) =>
        adjustTank(transaction, { tank: tankOf(1), kind: 'debit', amount, reason: 'moved' }, 1),
      );
    expect(await debit(41n)).toBe(false);
    expect(await debit(40n)).toBe(true);
    expect(await readTank(ledger.store, tankOf(1))).toEqual({ funded: 60n, settled: 0n, held: 60n });
  });
});

test('the database adds wei exactly', async () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 36n });
  await fc.assert(
    fc.asyncProperty(fc.array(amount, { maxLength: 12 }), async (amounts) => {
      await ledger.store.transaction(async (transaction) => {
        await transaction.deleteFrom('contract_totals').execute();
        for (const [index, deposit] of amounts.entries()) {
          const row = { chain_id: index, contract, deposit: toWeiText(deposit) };
          await transaction.insertInto('contract_totals').values(row).execute();
        }
        const row = await transaction
          .selectFrom('contract_totals')
          .select([sumWei('deposit').as('sum'), sumWeiText('deposit').as('text')])
          .executeTakeFirstOrThrow();
        const sum = amounts.reduce((before, deposit) => before + deposit, 0n);
        expect([fromWeiSum(row.sum), fromWeiText(row.text)]).toEqual([sum, sum]);
      });
    }),
    { numRuns: 30 },
  );
});

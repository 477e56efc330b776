import { sql } from 'kysely';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Timers } from '../../core/base/time/clock.ts';
import { checkAllLedgers } from '../../core/ledger/checking/check-ledger.ts';
import { createRowSums } from '../../core/ledger/checking/row-sums.ts';
import { startRereadingLedger } from '../../core/runtime/upkeep.ts';
import { toWeiText } from '../../core/store/wei.ts';
import { depositEvent, post } from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';

const ledger = useLedger();
let now = 1_800_000_000_000;
const clock = { now: () => now };
beforeEach(async () => {
  await post(ledger.store, [depositEvent(1, 100n)]);
  await addCredits({ from: 1_000, until: 9_000 });
});

/** Credits of one wei with the numbers from `from` up to and without `until`, in step with the tank. */
async function addCredits({ from, until }: { from: number; until: number }): Promise<void> {
  await sql`
    WITH RECURSIVE numbers (n) AS (SELECT CAST(${from} AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < ${until - 1})
    INSERT INTO journal (entry_id, contract_id, tank_id, kind, amount, moved, reason, reversal, created_at)
    SELECT n, 1, tank_id, 'credit', ${toWeiText(1n)}, ${toWeiText(0n)}, 'a gift', 0, 0 FROM numbers, tanks`.execute(
    ledger.store.db,
  );
  const { funded } = await ledger.store.db.selectFrom('tanks').select('funded').executeTakeFirstOrThrow();
  const more = toWeiText(BigInt(funded) + BigInt(until - from));
  await ledger.store.db.updateTable('tanks').set({ funded: more }).execute();
}

/** A credit of one wei that the tank knows nothing of. */
async function addFault(entryId: number): Promise<void> {
  const { tank_id } = await ledger.store.db.selectFrom('tanks').select('tank_id').executeTakeFirstOrThrow();
  await ledger.store.db
    .insertInto('journal')
    .values({
      entry_id: entryId,
      contract_id: 1,
      tank_id,
      kind: 'credit',
      amount: toWeiText(1n),
      moved: toWeiText(0n),
      reason: 'unknown',
      reversal: 0,
      created_at: 0,
    })
    .execute();
}

test('a check reads what is new, and says when it read the rest', async () => {
  const rows = createRowSums(ledger.store, clock);
  const readAt = await rows.catchUp();
  expect(readAt).toBe(now / 1_000);
  now += 60_000;
  await addCredits({ from: 9_000, until: 9_010 });
  expect(await rows.catchUp()).toBe(readAt);
  expect(await checkAllLedgers(ledger.store, rows)).toEqual([]);
  await addFault(9_010);
  expect(await checkAllLedgers(ledger.store, rows)).toEqual([
    expect.stringMatching(/funded of tank .*: stored 8110 wei, sum of entries 8111 wei/),
  ]);
});

test('a row that comes among the old ones is found when all are read again', async () => {
  const rows = createRowSums(ledger.store, clock);
  await rows.catchUp();
  await addFault(500);
  now += 60_000;
  await rows.catchUp();
  expect(await checkAllLedgers(ledger.store, rows)).toEqual([]);
  expect(await rows.readAgain()).toBe(now / 1_000);
  expect(await checkAllLedgers(ledger.store, rows)).toHaveLength(1);
});

test('all rows are read again a day after the last time though no one asks', async () => {
  const due: { at: number; call: () => void }[] = [];
  const timers: Timers = {
    at: (time, call) => {
      due.push({ at: time, call });
      return () => {};
    },
  };
  const rows = createRowSums(ledger.store, clock);
  await rows.catchUp();
  await addFault(500);
  const error = vi.fn();
  const reading = startRereadingLedger({
    store: ledger.store,
    rows,
    clock,
    timers,
    logger: { debug() {}, info() {}, warn() {}, error },
  });
  for (let hour = 1; hour <= 23; hour += 1) {
    await vi.waitFor(() => expect(due).toHaveLength(hour));
    now = due.at(-1)?.at ?? now;
    due.at(-1)?.call();
  }
  await vi.waitFor(() => expect(due).toHaveLength(24));
  expect(error).not.toHaveBeenCalled();
  now = due.at(-1)?.at ?? now;
  due.at(-1)?.call();
  await vi.waitFor(() => expect(error).toHaveBeenCalledOnce());
  expect(error.mock.calls[0]?.[0]).toMatchObject({ fault: expect.stringContaining('funded of tank') });
  await reading.close();
});

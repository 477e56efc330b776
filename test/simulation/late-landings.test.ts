import { describe, expect, test } from 'vitest';
import type { Store } from '../../core/store/store.ts';
import { fromWeiText, toWeiText } from '../../core/store/wei.ts';
import type { LateHold } from './late-landings/late-model.ts';
import { type LateDefect, runLateLandings, type StoredAccount } from './late-landings/late-world.ts';

// Relayed operations land when a bundler wants, also after their holds were let go of.

const seeds = [1, 2, 3, 4];
const steps = 150;

test('relayed operations that land late count once, and no longer once their block is gone', async () => {
  const happened = { late: 0, releasedAgain: 0, landedAgain: 0, limited: 0 };
  for (const seed of seeds) {
    const own = await runLateLandings({ seed, steps });
    for (const name of ['late', 'releasedAgain', 'landedAgain', 'limited'] as const) happened[name] += own[name];
  }
  for (const times of Object.values(happened)) expect(times).toBeGreaterThan(5);
});

/** Writes accounts, each as a change of what it is says. */
async function changeAccounts(
  { db }: Store,
  before: readonly StoredAccount[],
  change: (was: bigint, is: bigint) => bigint,
): Promise<void> {
  for (const { account_id, count, amount } of before) {
    const is = await db
      .selectFrom('ledger_accounts')
      .select(['count', 'amount'])
      .where('account_id', '=', account_id)
      .executeTakeFirst();
    if (is === undefined) continue;
    const counted = Number(change(BigInt(count), BigInt(is.count)));
    const summed = toWeiText(change(fromWeiText(amount), fromWeiText(is.amount)));
    await db
      .updateTable('ledger_accounts')
      .set({ count: counted, amount: summed })
      .where('account_id', '=', account_id)
      .execute();
  }
}

/** Has a hold settled and its tank pay for it. */
async function settle({ db }: Store, { number }: LateHold, charge: bigint): Promise<void> {
  await db
    .updateTable('holds')
    .set({ state: 'settled', charge: toWeiText(charge), success: 1 })
    .where('hold_id', '=', number)
    .execute();
  const { settled } = await db.selectFrom('tanks').select('settled').executeTakeFirstOrThrow();
  await db
    .updateTable('tanks')
    .set({ settled: toWeiText(fromWeiText(settled) + charge) })
    .execute();
}

describe('a defect is found:', () => {
  test.each<[string, RegExp, LateDefect]>([
    [
      'a late landing that limits do not count',
      /\(landed\).*limit/,
      (store, step, before) =>
        step.kind === 'landed' && step.isLate ? changeAccounts(store, before, (was) => was) : undefined,
    ],
    [
      'a late landing that limits count twice',
      /\(landed\).*limit/,
      (store, step, before) =>
        step.kind === 'landed' && step.isLate ? changeAccounts(store, before, (was, is) => is + (is - was)) : undefined,
    ],
    [
      'a late landing that a rollback leaves in limits',
      /\(rolled back\).*limit/,
      (store, step, before) =>
        step.kind === 'rolled back' && step.releasedAgain > 0
          ? changeAccounts(store, before, (was, is) => (was > is ? was : is))
          : undefined,
    ],
    [
      'a late landing that a rollback leaves settled',
      /\(rolled back\).*state of hold/,
      (store, step) =>
        step.kind === 'rolled back' && step.releasedAgain > 0
          ? store.db.updateTable('holds').set({ state: 'settled' }).where('released_because', 'is not', null).execute()
          : undefined,
    ],
    [
      'an earlier hold that is settled although the operation has landed under a later one',
      /\(landed\).*state of hold/,
      (store, step) => {
        const [other] = step.kind === 'landed' ? step.others : [];
        return other === undefined ? undefined : settle(store, other, 1n);
      },
    ],
    [
      'a late landing that its tank does not pay',
      /\(landed\).*settled: ledger/,
      (store, step) =>
        step.kind === 'landed' && step.isLate
          ? store.db
              .updateTable('tanks')
              .set({ settled: toWeiText(0n) })
              .execute()
          : undefined,
    ],
  ])('%s', async (_, sentence, defect) => {
    const found = await runLateLandings({ seed: 1, steps, defect }).catch(String);
    expect(found).toMatch(sentence);
  });
});

import { updateRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import type { Store } from '../../store/store.ts';
import { countedHold, followHolds, readHolds } from '../accounts/follow-holds.ts';

/** Holds that are changed in one turn. */
const holdsAtOnce = 500;

const endUnpaid = updateRows('holds', { unpaid_until: 'number' }, { hold_id: 'number' });

/**
 * Has what landed unpaid a day ago no longer count against the operator's budget for that, some holds at a time. Returns whether
 * those were all. `now` in Unix seconds.
 */
export function forgetUnpaid(store: Store, now: number): Promise<boolean> {
  return store.transaction(async (transaction) => {
    const due = await transaction
      .selectFrom('holds')
      .select('hold_id')
      .where('unpaid_until', '<=', now)
      .orderBy('unpaid_until')
      .limit(holdsAtOnce)
      .execute();
    if (due.length === 0) return true;
    const { holds } = await readHolds(
      transaction,
      due.map(({ hold_id }) => hold_id),
    );
    const moves = holds.map((hold) => {
      return { before: countedHold(hold), after: countedHold({ ...hold, unpaidUntil: undefined }) };
    });
    const accounts = await followHolds(transaction, moves, now);
    const rows = due.map(({ hold_id }) => ({ hold_id, unpaid_until: null }));
    await runTogether<readonly unknown[]>(transaction, endUnpaid(rows), ...accounts);
    return due.length < holdsAtOnce;
  });
}

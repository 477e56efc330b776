import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';
import { deleteDecisions } from './delete-decisions.ts';

/** Decisions pruned in one turn. */
const decisionsAtOnce = 200;

/** Accounts, and paymasters of each, that one turn prunes. */
const ownersAtOnce = 20;

/** The last reached decision of each paymaster: remaining ones up to it have a live hold. */
export type Reached = Map<string, number>;

/**
 *
 *
 * Prunes some of the excess decisions, of the accounts with the most, and there of the paymasters with the most, oldest
 * first. So no account loses a record while another has more. Returns how many were reached, and pruned.
 */
export function pruneGreediest(
  store: Store,
  tooMany: number,
  reached: Reached,
): Promise<{ readonly seen: number; readonly pruned: number }> {
  return store.transaction(async (transaction) => {
    const due: Awaited<ReturnType<typeof oldestOf>> = [];
    const accounts = await greediestAccounts(transaction);
    for (const [accountId, some] of takeFromLargest(accounts, Math.min(tooMany, decisionsAtOnce))) {
      const paymasters = await greediestPaymasters(transaction, accountId);
      for (const [paymasterId, count] of takeFromLargest(paymasters, some)) {
        const rows = await oldestOf(transaction, paymasterId, { after: reached.get(paymasterId) ?? 0, count });
        due.push(...rows);
        const last = rows.at(-1);
        if (last !== undefined) reached.set(paymasterId, last.decision_number);
      }
    }
    // In one statement: separate ones for up to 200 paymasters would take too long for one turn.
    return { seen: due.length, pruned: await deleteDecisions(transaction, due) };
  });
}

type Owner = { readonly owner: string; readonly decisions: number };

/** How many of `count` to take from each, always from the one with the most at the time. */
function takeFromLargest(owners: readonly Owner[], count: number): ReadonlyMap<string, number> {
  const left = owners.map(({ owner, decisions }) => ({ owner, decisions }));
  const taken = new Map<string, number>();
  for (let taking = 0; taking < count; taking += 1) {
    const largest = left.reduce<(typeof left)[number] | undefined>(
      (most, one) => (most === undefined || one.decisions > most.decisions ? one : most),
      undefined,
    );
    if (largest === undefined || largest.decisions === 0) break;
    largest.decisions -= 1;
    taken.set(largest.owner, (taken.get(largest.owner) ?? 0) + 1);
  }
  return taken;
}

function greediestAccounts(transaction: Transaction<Database>): Promise<readonly Owner[]> {
  return transaction
    .selectFrom('kept_decisions')
    .select(['account_id as owner', 'decisions'])
    .where('paymaster_id', '=', '')
    .orderBy('decisions', 'desc')
    .limit(ownersAtOnce)
    .execute();
}

function greediestPaymasters(transaction: Transaction<Database>, accountId: string): Promise<readonly Owner[]> {
  return transaction
    .selectFrom('kept_decisions')
    .select(['paymaster_id as owner', 'decisions'])
    .where('account_id', '=', accountId)
    .where('paymaster_id', '>', '')
    .orderBy('decisions', 'desc')
    .limit(ownersAtOnce)
    .execute();
}

function oldestOf(
  transaction: Transaction<Database>,
  paymasterId: string,
  { after, count }: { readonly after: number; readonly count: number },
) {
  return transaction
    .selectFrom('decisions')
    .leftJoin('holds', 'holds.hold_id', 'decisions.hold_id')
    .select(['decision_number', 'decisions.paymaster_id', 'state'])
    .where('decisions.paymaster_id', '=', paymasterId)
    .where('decision_number', '>', after)
    .orderBy('decision_number')
    .limit(count)
    .execute();
}

import { sql, type Transaction } from 'kysely';
import type { SettlementState } from '../../domain/decision.ts';
import { secondsPerDay } from '../../domain/utc-days.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import type { Store } from '../../store/store.ts';
import { lastCounted, takeOffCounts } from '../count-decisions.ts';

/** Decisions pruned in one turn. */
const prunedAtOnce = 200;

/** Accounts, and paymasters of each, that one turn prunes. */
const ownersAtOnce = 20;

/** The last reached decision of each paymaster: remaining ones up to it have a live hold. */
export type Reached = Map<string, number>;

/**
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
    for (const [accountId, some] of takeFromLargest(accounts, Math.min(tooMany, prunedAtOnce))) {
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
    .where('decision_number', '<=', lastCounted())
    .orderBy('decision_number')
    .limit(count)
    .execute();
}

/** How long decisions are kept, in days, and their maximum number. */
export type DecisionRetention = { readonly keepDays: number; readonly keepMost: number };

/** Decisions checked in one turn. */
const decisionsAtOnce = 500;

/** Where a sweep continues: after this decision; `done` when there is nothing left to prune now. */
type PruneStep = { readonly after: number; readonly done: boolean };

/**
 * Prunes some expired decisions, oldest first. The sums of usage keep their totals. A decision with a live hold is skipped:
 * its record is needed to count the cost later.
 *
 * Only counted ones: the sums have what they came to.
 *
 * It stops at the first decision to keep, in order of their numbers. Signatures of one hold are deleted in order, so the
 * last one, which carries the cost, is deleted last.
 */
export function pruneDecisions(
  store: Store,
  input: { readonly keepDays: number; readonly now: number; readonly after: number },
): Promise<PruneStep> {
  const { keepDays, now, after } = input;
  return store.transaction(async (transaction) => {
    const oldestKept = now - keepDays * secondsPerDay;
    const rows = await transaction
      .selectFrom('decisions')
      .leftJoin('holds', 'holds.hold_id', 'decisions.hold_id')
      .select(['decision_number', 'decisions.paymaster_id', 'decisions.created_at', 'state'])
      .where('decision_number', '>', after)
      .where('decision_number', '<=', lastCounted())
      .orderBy('decision_number')
      .limit(decisionsAtOnce)
      .execute();
    const stays = rows.findIndex((row) => row.created_at >= oldestKept);
    const reached = stays === -1 ? rows : rows.slice(0, stays);
    await deleteDecisions(transaction, reached);
    return { after: reached.at(-1)?.decision_number ?? after, done: stays !== -1 || rows.length === 0 };
  });
}

/** How long the answer to a request for a stub is kept, in seconds: the request for the signature comes right after it, and stays. */
const stubsKept = secondsPerDay;

/**
 * Prunes some of the stubs that were given more than a day ago. The sums of usage keep their number. Returns whether that was all.
 */
export function pruneStubs(store: Store, now: number): Promise<boolean> {
  return store.transaction(async (transaction) => {
    const stubs = await transaction
      .selectFrom('decisions')
      .select(['decision_number', 'paymaster_id', 'created_at', sql<null>`NULL`.as('state')])
      .where('outcome', '=', sql.lit('stub'))
      .where('decision_number', '<=', lastCounted())
      .orderBy('decision_number')
      .limit(prunedAtOnce)
      .execute();
    const stays = stubs.findIndex(({ created_at }) => created_at >= now - stubsKept);
    await deleteDecisions(transaction, stays === -1 ? stubs : stubs.slice(0, stays));
    return stays !== -1 || stubs.length < prunedAtOnce;
  });
}

/** A decision to prune, with the state of its hold. */
type HeldDecision = {
  readonly decision_number: number;
  readonly paymaster_id: string;
  readonly state: SettlementState | null;
};

/** Deletes the decisions whose hold is not live. Returns how many. */
async function deleteDecisions(transaction: Transaction<Database>, reached: readonly HeldDecision[]): Promise<number> {
  const deleted = reached.filter(({ state }) => state !== 'live');
  if (deleted.length === 0) return 0;
  const numbers = deleted.map(({ decision_number }) => decision_number);
  await forgetTicketUsers(transaction, numbers);
  await transaction
    .deleteFrom('decisions')
    .where('decision_number', 'in', dialectOf(transaction).numbers(numbers))
    .execute();
  await takeOffCounts(transaction, deleted);
  return deleted.length;
}

/** The requester is stored as long as the decision; counts are kept. */
async function forgetTicketUsers(transaction: Transaction<Database>, numbers: readonly number[]): Promise<void> {
  await transaction
    .updateTable('holds')
    .set({ ticket_user: null, ticket: null })
    .where('hold_id', 'in', ({ selectFrom }) =>
      selectFrom('decisions')
        .select(({ ref }) => ref('hold_id').$notNull().as('hold_id'))
        .where('decision_number', 'in', dialectOf(transaction).numbers(numbers))
        .where('hold_id', 'is not', null),
    )
    .where('ticket_user', 'is not', null)
    .execute();
}

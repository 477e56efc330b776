import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import { toWeiText } from '../../store/wei.ts';
import { countedRow, readCountedHolds, type StoredHold } from '../accounts/follow-holds.ts';
import { type HoldMove, readLegs } from '../accounts/legs.ts';
import { clientOfAccount } from '../accounts/open-accounts.ts';
import { isLive } from '../holds/live-holds.ts';
import { openRelayed } from '../holds/relayed-operations.ts';

/**
 * Has a hold stand again that an event had ended: its signature may still land, and all sums are to count it as they did before. When
 * another hold stands for the same nonce meanwhile, that covers it, and it counts as let go of.
 */
export async function revertHold(transaction: Transaction<Database>, holdId: number): Promise<HoldMove> {
  const { holds } = await readCountedHolds(transaction, [holdId]);
  const [before] = holds;
  if (before === undefined) throw new Error(`There is no hold ${holdId} to revert.`);
  const stands = !(await isCovered(transaction, before));
  const client = stands ? await readClient(transaction, before) : null;
  const changed = { ...notLanded, ...(stands ? { ...standsAgain(before), client } : coveredByOther(before)) };
  const after = { ...before, ...changed };
  await transaction.updateTable('holds').set(changed).where('hold_id', '=', holdId).execute();
  if (stands) await openRelayed(transaction, holdId);
  return { before: countedRow(before), after: countedRow(after) };
}

/** Has a hold count as released again, if its operation landed after it was: nothing in the ledger says so but the hold. */
export async function releaseAgain(transaction: Transaction<Database>, holdId: number): Promise<HoldMove | undefined> {
  const { holds } = await readCountedHolds(transaction, [holdId]);
  const [before] = holds;
  if (before?.state !== 'settled' || before.released_because === null) return undefined;
  const { ended_at: _, ...landing } = notLanded;
  const { released_because: __, ...released } = before.vendor === 1 ? standsAgain(before) : coveredByOther(before);
  const changed = { ...landing, ...released, state: 'released' as const };
  await transaction.updateTable('holds').set(changed).where('hold_id', '=', holdId).execute();
  return { before: countedRow(before), after: countedRow({ ...before, ...changed }) };
}

/** Whether another hold stands for the same nonce. */
async function isCovered(transaction: Transaction<Database>, hold: StoredHold): Promise<boolean> {
  const other = await transaction
    .selectFrom('holds')
    .select('hold_id')
    .where('operation_key', '=', hold.operation_key)
    .where('tank_id', '=', hold.tank_id)
    .where('paymaster_id', '=', hold.paymaster_id)
    .where('policy_id', '=', hold.policy_id)
    .where(isLive)
    .executeTakeFirst();
  return other !== undefined;
}

/** The client that a hold counts for. Its row forgets it when it ends, the account that had it open does not. */
async function readClient(
  transaction: Transaction<Database>,
  { legs, tank_id: tankId, sender }: StoredHold,
): Promise<string | null> {
  const { a: open = [] } = readLegs(legs);
  const accounts = await transaction
    .selectFrom('ledger_accounts')
    .select('name')
    .where('account_id', 'in', dialectOf(transaction).numbers(open))
    .execute();
  const clients = accounts.flatMap(({ name }) => clientOfAccount(name, { tankId, sender }) ?? []);
  return clients[0] ?? null;
}

const notLanded = {
  charge: null,
  charge_usd: null,
  success: null,
  landed_tx: null,
  landed_hash: null,
  landed_block: null,
  ended_at: null,
  unpaid: null,
  unpaid_until: null,
  users_paid: null,
} as const;

function standsAgain({ limit_wei_held, usd_held, budget_usd_held }: StoredHold) {
  return {
    state: 'live' as const,
    released_because: null,
    usd_micros: usd_held,
    budget_usd: budget_usd_held,
    limit_wei: limit_wei_held,
  };
}

/** The other hold for the nonce covers what may still land. */
function coveredByOther({ limit_wei }: StoredHold) {
  return {
    state: 'released' as const,
    released_because: 'replaced' as const,
    usd_micros: 0,
    budget_usd: 0,
    limit_wei: limit_wei === null ? null : toWeiText(0n),
  };
}

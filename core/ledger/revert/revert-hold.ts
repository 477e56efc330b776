import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import { type HoldEndValues, notEnded, type StoredHold, writeSome } from '../../store/hold-fields.ts';
import { countedHold, readHolds, type TankHold } from '../accounts/follow-holds.ts';
import type { HoldMove } from '../accounts/legs.ts';
import { clientOfAccount } from '../accounts/open-accounts.ts';
import { isLive } from '../holds/live-holds.ts';
import { openRelayed } from '../holds/relayed-operations.ts';

/**
 * Has a hold stand again that an event had ended: its signature may still land, and all sums are to count it as they did before. When
 * another hold stands for the same nonce meanwhile, that covers it, and it counts as let go of.
 */
export async function revertHold(transaction: Transaction<Database>, holdId: number): Promise<HoldMove> {
  const { holds } = await readHolds(transaction, [holdId]);
  const [before] = holds;
  if (before === undefined) throw new Error(`There is no hold ${holdId} to revert.`);
  if (await isCovered(transaction, before)) return change(transaction, before, coveredByOther(before));
  const client = await readClient(transaction, before);
  const move = await change(transaction, before, { ...notEnded, client, vendorSigned: isAnswered(before) });
  await openRelayed(transaction, holdId);
  return move;
}

/** Has a hold count as released again, if its operation landed after it was: nothing in the ledger says so but the hold. */
export async function releaseAgain(transaction: Transaction<Database>, holdId: number): Promise<HoldMove | undefined> {
  const { holds } = await readHolds(transaction, [holdId]);
  const [before] = holds;
  if (before?.state !== 'settled' || before.releasedBecause === undefined) return undefined;
  const { endedAt, releasedBecause } = before;
  const kept = keptOnceReleased(before);
  return change(transaction, before, { ...notEnded, ...kept, state: 'released', endedAt, releasedBecause });
}

async function change(
  transaction: Transaction<Database>,
  before: TankHold,
  values: HoldEndValues & Partial<Pick<StoredHold, 'client' | 'vendorSigned'>>,
): Promise<HoldMove> {
  await transaction.updateTable('holds').set(writeSome(values)).where('hold_id', '=', before.holdId).execute();
  return { before: countedHold(before), after: countedHold({ ...before, ...values }) };
}

/** Whether another hold stands for the same nonce. */
async function isCovered(transaction: Transaction<Database>, hold: TankHold): Promise<boolean> {
  const other = await transaction
    .selectFrom('holds')
    .select('hold_id')
    .where('operation_key', '=', hold.operationKey)
    .where('tank_id', '=', hold.tankId)
    .where('paymaster_id', '=', hold.paymasterId)
    .where('policy_id', '=', hold.policyId)
    .where(isLive)
    .executeTakeFirst();
  return other !== undefined;
}

/** The client that a hold counts for. Its row forgets it when it ends, the account that had it open does not. */
async function readClient(
  transaction: Transaction<Database>,
  { legs, tankId, sender }: TankHold,
): Promise<string | undefined> {
  const { a: open = [] } = legs;
  const accounts = await transaction
    .selectFrom('ledger_accounts')
    .select('name')
    .where('account_id', 'in', dialectOf(transaction).numbers(open))
    .execute();
  const clients = accounts.flatMap(({ name }) => clientOfAccount(name, { tankId, sender }) ?? []);
  return clients[0];
}

/** The other hold for the nonce covers what may still land of ours. */
function coveredByOther(hold: TankHold): HoldEndValues & Pick<StoredHold, 'vendorSigned'> {
  const { endedAt } = hold;
  return { ...notEnded, ...keptOnceReleased(hold), state: 'released', endedAt, releasedBecause: 'replaced' };
}

/** What limits count of a hold under which nothing of ours can land: all of it where another paymaster answered. */
function keptOnceReleased(hold: TankHold) {
  const { limitWei, usdMicros, budgetUsd } = hold;
  if (isAnswered(hold)) return { vendorSigned: true, keptWei: limitWei, keptUsd: usdMicros, keptBudgetUsd: budgetUsd };
  return { vendorSigned: false, keptWei: limitWei === undefined ? undefined : 0n, keptUsd: 0n, keptBudgetUsd: 0n };
}

/** Whether another paymaster answered: its operation may land once that of the event cannot. */
function isAnswered({ vendorUse }: TankHold): boolean {
  return vendorUse?.answered !== undefined;
}

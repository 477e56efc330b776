import type { Transaction } from 'kysely';
import type { Database } from '../store/database.ts';
import { availableWei } from './available-wei.ts';
import { createHoldBook, type DraftHold, type HoldBook } from './hold-book.ts';
import type { HoldOutcome, HoldRequest } from './hold-request.ts';
import { contractIdentity, holdIdentity, slotOf, tankIdentity } from './ledger-identities.ts';
import { toWeiText } from './wei-text.ts';

/**
 * Decides many holds in one transaction, in the order given: reads the tanks and live holds concerned once, decides
 * each request on them, writes what changed once. A request that does not fit changes nothing.
 *
 * The rules: `held + settled ≤ funded` for the tank, all holds on a paymaster contract within its deposit on chain,
 * and one live hold per tank, sender and nonce, of the largest amount and the latest expiry.
 */
export async function holdBatch(
  transaction: Transaction<Database>,
  requests: readonly HoldRequest[],
  now: number,
): Promise<readonly HoldOutcome[]> {
  const book = await createHoldBook(transaction, requests);
  const decided = requests.map((request) => decide(book, request));
  await writeHolds(transaction, book, now);
  return decided.map((decision) => {
    if (typeof decision === 'bigint') return { held: false, available: decision };
    if (decision.holdId === undefined) throw new Error('A hold was decided and not written.');
    return { held: true, holdId: decision.holdId };
  });
}

function decide(book: HoldBook, request: HoldRequest): DraftHold | bigint {
  const tank = book.tanks.get(tankIdentity(request.tank));
  const total = book.contractTotals.get(contractIdentity(request.tank));
  if (tank === undefined || total === undefined) return 0n;
  const live = book.holds.get(holdIdentity(tank.tankId, slotOf(request)));
  const extra = request.amount - (live?.amount ?? 0n);
  const added = extra > 0n ? extra : 0n;
  const available = availableWei(tank, total.held, request);
  if (added > available) return available > 0n ? available : 0n;

  tank.held += added;
  total.held += added;
  if (live !== undefined) {
    live.amount += added;
    live.added += added;
    live.validUntil = Math.max(live.validUntil, request.validUntil);
    live.changed = true;
    return live;
  }
  const draft: DraftHold = {
    holdId: undefined,
    tankId: tank.tankId,
    request,
    amount: added,
    validUntil: request.validUntil,
    added,
    changed: true,
  };
  book.holds.set(holdIdentity(tank.tankId, slotOf(request)), draft);
  return draft;
}

async function writeHolds(transaction: Transaction<Database>, book: HoldBook, now: number): Promise<void> {
  const drafts = [...book.holds.values()].filter((draft) => draft.changed);
  if (drafts.length === 0) return;
  const fresh = drafts.filter((draft) => draft.holdId === undefined);
  if (fresh.length > 0) {
    const inserted = await transaction
      .insertInto('holds')
      .values(fresh.map((draft) => holdRow(draft, now)))
      .returning(['hold_id', 'tank_id', 'slot'])
      .execute();
    for (const row of inserted) {
      const draft = book.holds.get(holdIdentity(row.tank_id, row.slot));
      if (draft !== undefined) draft.holdId = row.hold_id;
    }
  }
  for (const draft of drafts) {
    if (fresh.includes(draft) || draft.holdId === undefined) continue;
    await transaction
      .updateTable('holds')
      .set({ amount: toWeiText(draft.amount), valid_until: draft.validUntil })
      .where('hold_id', '=', draft.holdId)
      .execute();
  }
  await writeTotals(transaction, book, drafts, now);
}

function holdRow(draft: DraftHold, now: number) {
  return {
    tank_id: draft.tankId,
    slot: slotOf(draft.request),
    sender: draft.request.sender,
    nonce: draft.request.nonce.toString(),
    amount: toWeiText(draft.amount),
    valid_until: draft.validUntil,
    state: 'live' as const,
    paymaster_id: draft.request.paymasterId,
    created_at: now,
  };
}

async function writeTotals(
  transaction: Transaction<Database>,
  book: HoldBook,
  drafts: readonly DraftHold[],
  now: number,
): Promise<void> {
  const entries = drafts
    .filter((draft) => draft.added > 0n)
    .map((draft) => ({
      tank_id: draft.tankId,
      kind: 'hold' as const,
      amount: toWeiText(draft.added),
      hold_id: draft.holdId ?? null,
      created_at: now,
    }));
  if (entries.length > 0) await transaction.insertInto('entries').values(entries).execute();
  for (const tank of book.tanks.values()) {
    await transaction
      .updateTable('tanks')
      .set({ held: toWeiText(tank.held) })
      .where('tank_id', '=', tank.tankId)
      .execute();
  }
  for (const total of book.contractTotals.values()) {
    await transaction
      .updateTable('contract_totals')
      .set({ held: toWeiText(total.held) })
      .where('chain_id', '=', total.chainId)
      .where('contract', '=', total.contract)
      .execute();
  }
}

import type { Transaction } from 'kysely';
import type { Database } from '../store/database.ts';
import type { HoldRequest } from './hold-request.ts';
import { contractIdentity, holdIdentity, slotOf, tankIdentity } from './ledger-identities.ts';
import { fromWeiText } from './wei-text.ts';

/** A hold in the making; `holdId` is there once it is in the store. */
export type DraftHold = {
  holdId: number | undefined;
  readonly tankId: number;
  readonly request: HoldRequest;
  amount: bigint;
  validUntil: number;
  /** What this batch adds to the amount, in wei. */
  added: bigint;
  changed: boolean;
};

/** What a batch of holds is decided on, read in its own transaction. Amounts in wei. */
export type HoldBook = {
  readonly tanks: Map<string, { tankId: number; funded: bigint; settled: bigint; held: bigint }>;
  readonly contractTotals: Map<string, { chainId: number; contract: string; held: bigint }>;
  readonly holds: Map<string, DraftHold>;
};

export async function createHoldBook(
  transaction: Transaction<Database>,
  requests: readonly HoldRequest[],
): Promise<HoldBook> {
  const book: HoldBook = { tanks: new Map(), contractTotals: new Map(), holds: new Map() };
  for (const request of requests) {
    await readTank(transaction, book, request);
    await readContractTotal(transaction, book, request);
  }
  await readLiveHolds(transaction, book, requests);
  return book;
}

async function readTank(transaction: Transaction<Database>, book: HoldBook, request: HoldRequest): Promise<void> {
  const identity = tankIdentity(request.tank);
  if (book.tanks.has(identity)) return;
  const row = await transaction
    .selectFrom('tanks')
    .select(['tank_id', 'funded', 'settled', 'held'])
    .where('chain_id', '=', request.tank.chainId)
    .where('contract', '=', request.tank.contract)
    .where('wallet', '=', request.tank.wallet)
    .executeTakeFirst();
  if (row === undefined) return;
  book.tanks.set(identity, {
    tankId: row.tank_id,
    funded: fromWeiText(row.funded),
    settled: fromWeiText(row.settled),
    held: fromWeiText(row.held),
  });
}

async function readContractTotal(
  transaction: Transaction<Database>,
  book: HoldBook,
  request: HoldRequest,
): Promise<void> {
  const identity = contractIdentity(request.tank);
  if (book.contractTotals.has(identity)) return;
  const row = await transaction
    .selectFrom('contract_totals')
    .select('held')
    .where('chain_id', '=', request.tank.chainId)
    .where('contract', '=', request.tank.contract)
    .executeTakeFirst();
  if (row === undefined) return;
  book.contractTotals.set(identity, {
    chainId: request.tank.chainId,
    contract: request.tank.contract,
    held: fromWeiText(row.held),
  });
}

async function readLiveHolds(
  transaction: Transaction<Database>,
  book: HoldBook,
  requests: readonly HoldRequest[],
): Promise<void> {
  const byIdentity = new Map<string, HoldRequest>();
  for (const request of requests) {
    const tank = book.tanks.get(tankIdentity(request.tank));
    if (tank !== undefined) byIdentity.set(holdIdentity(tank.tankId, slotOf(request)), request);
  }
  if (byIdentity.size === 0) return;
  const rows = await transaction
    .selectFrom('holds')
    .select(['hold_id', 'tank_id', 'slot', 'amount', 'valid_until'])
    .where('state', '=', 'live')
    .where('slot', 'in', [...new Set([...byIdentity.values()].map(slotOf))])
    .execute();
  for (const row of rows) {
    const identity = holdIdentity(row.tank_id, row.slot);
    const request = byIdentity.get(identity);
    if (request === undefined) continue;
    book.holds.set(identity, {
      holdId: row.hold_id,
      tankId: row.tank_id,
      request,
      amount: fromWeiText(row.amount),
      validUntil: row.valid_until,
      added: 0n,
      changed: false,
    });
  }
}

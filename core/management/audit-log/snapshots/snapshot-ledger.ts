import type { Kysely } from 'kysely';
import type { Database } from '../../../store/database.ts';
import { factsOf, type Objects, toObjects } from '../facts.ts';

type Db = Kysely<Database>;

/** The tanks of a paymaster's funding wallet on its chain, and the newest entry of each. */
export async function snapshotTanks(db: Db, paymasterId: string): Promise<Objects> {
  const tanks = await db
    .selectFrom('tanks')
    .innerJoin('paymasters', (join) =>
      join.onRef('wallet', '=', 'funding_wallet').onRef('tanks.chain_id', '=', 'paymasters.chain_id'),
    )
    .select(['tank_id', 'tanks.chain_id', 'contract', 'wallet', 'funded', 'settled'])
    .where('paymaster_id', '=', paymasterId)
    .execute();
  const objects: Record<string, Objects[string]> = {};
  for (const tank of tanks) {
    objects[`tank ${tank.chain_id}:${tank.contract}:${tank.wallet}`] = factsOf(tank, 'tank_id');
    const newest = await db
      .selectFrom('entries')
      .select(['entry_id', 'kind', 'amount', 'reason'])
      .where('tank_id', '=', tank.tank_id)
      .orderBy('entry_id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (newest !== undefined) objects[`newestEntry ${tank.chain_id}:${tank.contract}`] = factsOf(newest);
  }
  return objects;
}

/** The ledger's progress for a chain's contracts. */
export async function snapshotWatches(db: Db, chainId: number): Promise<Objects> {
  const rows = await db.selectFrom('contract_watches').selectAll().where('chain_id', '=', chainId).execute();
  return toObjects(rows, (row) => [`books ${row.chain_id}:${row.contract}`, factsOf(row)]);
}

/** From when on the entries are complete: only the first step of archiving changes it. */
export async function lookAtArchive(db: Db): Promise<Objects> {
  const rows = await db.selectFrom('ledger_archive').select('entries_since').execute();
  return toObjects(rows, (row) => ['archive ledger', factsOf(row)]);
}

export async function snapshotHold(db: Db, holdId: number): Promise<Objects> {
  const rows = await db
    .selectFrom('holds')
    .select(['hold_id', 'paymaster_id', 'sender', 'amount', 'state'])
    .where('hold_id', '=', holdId)
    .execute();
  return toObjects(rows, (row) => [`hold ${row.hold_id}`, factsOf(row)]);
}

import type { Kysely, Selectable } from 'kysely';
import type { Database } from '../store/database.ts';

/** The watch of a contract's ledger as it is stored: how far it has come. Undefined before its first stretch. */
export function readWatch(
  db: Pick<Kysely<Database>, 'selectFrom'>,
  { chainId, contract }: { readonly chainId: number; readonly contract: string },
): Promise<Selectable<Database['contract_watches']> | undefined> {
  return db
    .selectFrom('contract_watches')
    .selectAll()
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .executeTakeFirst();
}

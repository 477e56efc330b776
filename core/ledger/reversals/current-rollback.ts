import { type RawBuilder, sql } from 'kysely';

/** How often a contract's ledger has been rolled back: this distinguishes events that come again afterwards. */
export function rollbacksOfContract(
  chainId: number | RawBuilder<number>,
  contract: string | RawBuilder<string>,
): RawBuilder<number> {
  return sql<number>`coalesce(
    (SELECT rewinds FROM contract_watches WHERE chain_id = ${chainId} AND contract = ${contract}), 0
  )`;
}

/** The same for the contract of a tank. */
export function rollbacksOfTank(tankId: number | RawBuilder<number>): RawBuilder<number> {
  return sql<number>`coalesce((
    SELECT rewinds FROM contract_watches JOIN tanks USING (chain_id, contract) WHERE tanks.tank_id = ${tankId}
  ), 0)`;
}

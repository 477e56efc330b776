import { type SqlBool, sql, type Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fromWeiSum, sumWei } from '../../store/wei/sum-wei.ts';
import { notReversed } from '../reversals/not-reversed.ts';
import { type ContractKey, contractsTable, sortByContract } from './contract-keys.ts';

/** The condition that a hot wallet of the operator sent the movement `deposit`. */
export const isOfTreasury = sql<SqlBool>`EXISTS (
  SELECT 1 FROM treasury_transfers AS sent WHERE sent.chain_id = deposit.chain_id AND sent.wallet = deposit.sender
)`;

/**
 * What the operator's hot wallets have put into each contract, or into the executors of a relay, in wei. It is in no tank.
 */
export async function readTreasuryDeposits(
  transaction: Transaction<Database>,
  places: readonly ContractKey[],
): Promise<readonly bigint[]> {
  const rows = await transaction
    .selectFrom(contractsTable(transaction, places))
    .innerJoin('movements as deposit', (join) =>
      join.onRef('deposit.chain_id', '=', 'place.chain_id').onRef('deposit.contract', '=', 'place.contract'),
    )
    .select(['deposit.chain_id', 'deposit.contract', sumWei('deposit.amount').as('sum')])
    // Literals, as in `readStrays`: otherwise the index of these deposits is not used.
    .where('deposit.kind', '=', sql.lit('deposit'))
    .where('deposit.tank_id', 'is', null)
    .where('deposit.tx_hash', '>', '')
    .where(notReversed('movements', 'movement_id', 'deposit'))
    .where(isOfTreasury)
    .groupBy(['deposit.chain_id', 'deposit.contract'])
    .execute();
  return sortByContract(places, rows).map(([row]) => fromWeiSum(row?.sum ?? null));
}

import type { Transaction } from 'kysely';
import type { CustomerFunding } from '../../evm/paymaster-contracts/family/family.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiSum, sumWei } from '../../store/wei/sum-wei.ts';
import type { TankAdjustment } from './adjust-tank.ts';
import { readStrayDeposits } from './read-stray-deposits.ts';

/**
 * What is wrong with the transaction that an adjustment stands for, in words: a credit takes no more than what is left of
 * its deposits in no tank, a debit no more than was credited to this tank for it. So no deposit is credited twice.
 */
export async function findUnmatchedDeposit(
  transaction: Transaction<Database>,
  { tank, kind, amount, forTransaction: txHash }: TankAdjustment,
  customers: CustomerFunding | undefined,
): Promise<string | undefined> {
  if (txHash === undefined) return undefined;
  if (kind === 'debit') {
    const credited = await readCredit(transaction, { tank, txHash });
    return amount <= credited ? undefined : `has ${credited} wei credited to this tank`;
  }
  if (customers !== undefined && customers.refundFunction === undefined) {
    return 'cannot be credited: the contract keeps the balances itself and has no function to add the deposit to one';
  }
  const { chainId, contract } = tank;
  const [deposit] = await readStrayDeposits(transaction, { chainId, contract, txHash });
  if (deposit === undefined) return 'is not a deposit for this paymaster’s contract that is missing in every tank';
  return amount <= deposit.amount ? undefined : `has ${deposit.amount} wei that are in no tank`;
}

/** What was credited to a tank for a transaction, minus what was debited again. */
async function readCredit(
  transaction: Transaction<Database>,
  { tank, txHash }: { readonly tank: TankAdjustment['tank']; readonly txHash: string },
): Promise<bigint> {
  const rows = await transaction
    .selectFrom('entries')
    .innerJoin('tanks', 'tanks.tank_id', 'entries.tank_id')
    .select(['entries.kind', sumWei('entries.amount').as('sum')])
    .where('tanks.chain_id', '=', tank.chainId)
    .where('tanks.contract', '=', tank.contract)
    .where('tanks.wallet', '=', tank.wallet)
    .where('entries.reason', 'is not', null)
    .where('entries.tx_hash', '=', txHash)
    .groupBy('entries.kind')
    .execute();
  return rows.reduce((sum, row) => (row.kind === 'credit' ? sum + fromWeiSum(row.sum) : sum - fromWeiSum(row.sum)), 0n);
}

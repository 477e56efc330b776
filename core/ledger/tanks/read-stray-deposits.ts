import { type SqlBool, sql, type Transaction } from 'kysely';
import { type Address, getAddress, type Hex } from 'viem';
import type { StrayDeposit } from '../../domain/gas-tank.ts';
import { omitAbsent } from '../../domain/values/omit-absent.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiSum, sumWei } from '../../store/wei/sum-wei.ts';
import { notReversed } from '../reversals/not-reversed.ts';

/** Which deposits: those for a contract, and of them those of one transaction or from one sender where that is given. */
export type SoughtDeposits = {
  readonly chainId: number;
  readonly contract: string;
  readonly sender?: Address;
  readonly txHash?: Hex;
};

/**
 * The transactions whose deposits for a contract are in no tank, each with what no credit stands for yet: the largest first,
 * so that nobody hides them behind many small ones.
 * Where the contract keeps balances of its customers, its event follows the deposit that it made for one of them: the last
 * deposit before it is in that customer's tank.
 */
export async function readStrayDeposits(
  transaction: Transaction<Database>,
  sought: SoughtDeposits,
): Promise<readonly Omit<StrayDeposit, 'wayBack'>[]> {
  let query = transaction
    .selectFrom('movements as deposit')
    .select(({ fn }) => [
      'deposit.tx_hash',
      fn.min('deposit.sender').as('sender'),
      sumWei('deposit.amount').as('sum'),
      fn.max('deposit.movement_id').as('last'),
    ])
    .where('deposit.chain_id', '=', sought.chainId)
    .where('deposit.contract', '=', sought.contract)
    // The word itself, or the index of these deposits is not taken.
    .where('deposit.kind', '=', sql.lit('deposit'))
    .where('deposit.tank_id', 'is', null)
    .where(notReversed('movements', 'movement_id', 'deposit'))
    .where(isOfNoCustomer);
  if (sought.sender !== undefined) query = query.where('deposit.sender', '=', sought.sender);
  if (sought.txHash !== undefined) query = query.where('deposit.tx_hash', '=', sought.txHash);
  const rows = await query.groupBy('deposit.tx_hash').orderBy('last', 'desc').execute();
  if (rows.length === 0) return [];
  const credited = await readCredited(transaction, sought);
  const open = rows.flatMap(({ tx_hash, sender: from, sum }) => {
    const amount = fromWeiSum(sum) - (credited.get(tx_hash) ?? 0n);
    if (amount <= 0n) return [];
    const sender = from === null ? undefined : getAddress(from);
    // Only transaction hashes of the chain are ever written there.
    return [{ txHash: tx_hash as Hex, amount, ...omitAbsent({ sender }) }];
  });
  return open.sort((first, second) => (first.amount < second.amount ? 1 : first.amount > second.amount ? -1 : 0));
}

/** No customer's deposit stands after this deposit and before the next one of its transaction. */
const isOfNoCustomer = sql<SqlBool>`NOT EXISTS (
  SELECT 1 FROM entries AS customer JOIN tanks ON tanks.tank_id = customer.tank_id
  WHERE customer.kind = 'deposit' AND customer.reverses IS NULL AND customer.rewind = deposit.rewind
    AND customer.tx_hash = deposit.tx_hash AND customer.log_index > deposit.log_index
    AND tanks.chain_id = deposit.chain_id AND tanks.contract = deposit.contract
    AND NOT EXISTS (
      SELECT 1 FROM movements AS next
      WHERE next.chain_id = deposit.chain_id AND next.contract = deposit.contract AND next.tx_hash = deposit.tx_hash
        AND next.rewind = deposit.rewind AND next.reverses IS NULL AND next.kind = 'deposit' AND next.log_index > deposit.log_index AND next.log_index < customer.log_index
    )
)`;

/** What the operator has credited for each transaction, less what was debited again. */
async function readCredited(
  transaction: Transaction<Database>,
  { chainId, contract, txHash }: SoughtDeposits,
): Promise<ReadonlyMap<string, bigint>> {
  let query = transaction
    .selectFrom('entries')
    .innerJoin('tanks', 'tanks.tank_id', 'entries.tank_id')
    .select(['entries.tx_hash', 'entries.kind', sumWei('entries.amount').as('sum')])
    .where('tanks.chain_id', '=', chainId)
    .where('tanks.contract', '=', contract)
    // Only credits and debits have a reason.
    .where('entries.reason', 'is not', null)
    .where('entries.tx_hash', 'is not', null);
  if (txHash !== undefined) query = query.where('entries.tx_hash', '=', txHash);
  const credited = new Map<string, bigint>();
  for (const { tx_hash, kind, sum } of await query.groupBy(['entries.tx_hash', 'entries.kind']).execute()) {
    if (tx_hash === null) continue;
    const amount = kind === 'credit' ? fromWeiSum(sum) : -fromWeiSum(sum);
    credited.set(tx_hash, (credited.get(tx_hash) ?? 0n) + amount);
  }
  return credited;
}

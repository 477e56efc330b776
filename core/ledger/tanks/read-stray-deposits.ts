import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type SqlBool, sql, type Transaction } from 'kysely';
import type { Address, Hex } from 'viem';
import type { StrayDeposit } from '../../domain/gas-tank.ts';
import { relayLogs } from '../../node/relay/charge-transactions.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiSum, sumWei, toWeiText } from '../../store/wei.ts';
import { notReversed } from '../reversals.ts';
import { type ContractKey, contractsTable, sortByContract } from './locate-tank.ts';

/** Which deposits: those for a contract, limited to one transaction or one sender if that is given. */
type SoughtDeposits = ContractKey & Narrowing;

type Narrowing = { readonly sender?: Address; readonly txHash?: Hex };

/** A transaction's deposit that is in no tank, without who can correct it. There can be many: the sender is in lower case. */
type Stray = Omit<StrayDeposit, 'recovery'>;

/** For one contract: see {@link readStrays}. */
export async function readStrayDeposits(
  transaction: Transaction<Database>,
  sought: SoughtDeposits,
): Promise<readonly Stray[]> {
  const [strays = []] = await readStrays(transaction, [sought], sought);
  return strays;
}

/**
 * For each contract the transactions whose deposits for it are in no tank, each with the amount that no credit stands for
 * yet: the largest first, so that they cannot be hidden by many small ones. If the contract keeps balances of its customers,
 * its event follows the deposit that it made for one of them: the last deposit before it is in that customer's tank.
 */
export async function readStrays(
  transaction: Transaction<Database>,
  places: readonly ContractKey[],
  { sender, txHash }: Narrowing = {},
): Promise<readonly (readonly Stray[])[]> {
  let query = transaction
    .selectFrom(contractsTable(transaction, places))
    .innerJoin('contract_totals as total', (join) =>
      join.onRef('total.chain_id', '=', 'place.chain_id').onRef('total.contract', '=', 'place.contract'),
    )
    .innerJoin('journal as deposit', 'deposit.contract_id', 'total.contract_id')
    .select(({ fn }) => [
      'total.chain_id',
      'total.contract',
      'deposit.tx_hash',
      fn.min('deposit.sender').as('sender'),
      sumWei('deposit.moved').as('sum'),
      fn.max('deposit.entry_id').as('last'),
    ])
    // A literal, or the index of these deposits is not used.
    .where('deposit.kind', '=', sql.lit('deposit'))
    .where('deposit.tank_id', 'is', null)
    // Every one has a hash. The condition makes SQLite choose that index over the one of all entries of a contract.
    .where('deposit.tx_hash', '>', '')
    .where(notReversed('journal', 'entry_id', 'deposit'))
    .where(isOfNoCustomer)
    // The operator's: it is not to be credited to anyone.
    .where(sql<SqlBool>`NOT ${isOfOperator}`);
  if (sender !== undefined) query = query.where('deposit.sender', '=', sender);
  if (txHash !== undefined) query = query.where('deposit.tx_hash', '=', txHash);
  const rows = await query
    .groupBy(['total.chain_id', 'total.contract', 'deposit.tx_hash'])
    .orderBy('last', 'desc')
    .execute();
  if (rows.length === 0) return places.map(() => []);
  const credited = await readCredited(transaction, places, txHash);
  return sortByContract(places, rows).map((deposits, index) =>
    deposits.flatMap((deposit) => withoutCredit(deposit, credited[index])).sort(byMost),
  );
}

type DepositRow = { readonly tx_hash: string | null; readonly sender: string | null; readonly sum: string | null };

/** What no credit stands for yet, if anything. */
function withoutCredit({ tx_hash, sender: from, sum }: DepositRow, credited: Credited | undefined): readonly Stray[] {
  if (tx_hash === null) return [];
  const amount = fromWeiSum(sum) - (credited?.get(tx_hash) ?? 0n);
  if (amount <= 0n) return [];
  // Only hashes and addresses of the chain are ever stored here.
  return [{ txHash: tx_hash as Hex, amount, ...omitAbsent({ sender: (from ?? undefined) as Address | undefined }) }];
}

function byMost(first: Stray, second: Stray): number {
  return first.amount < second.amount ? 1 : first.amount > second.amount ? -1 : 0;
}

const noWei = toWeiText(0n);

/** There is no customer's deposit between this deposit and the next one of its transaction. */
const isOfNoCustomer = sql<SqlBool>`NOT EXISTS (
  SELECT 1 FROM journal AS customer
  WHERE customer.contract_id = deposit.contract_id AND customer.block_number = deposit.block_number
    AND customer.tx_hash = deposit.tx_hash AND customer.log_index > deposit.log_index
    AND customer.kind = 'deposit' AND customer.tank_id IS NOT NULL AND customer.moved = ${sql.lit(noWei)}
    AND customer.reverses IS NULL AND customer.reversal = deposit.reversal
    AND NOT EXISTS (
      SELECT 1 FROM journal AS next
      WHERE next.contract_id = deposit.contract_id AND next.block_number = deposit.block_number
        AND next.tx_hash = deposit.tx_hash AND next.log_index > deposit.log_index AND next.log_index < customer.log_index
        AND next.kind = 'deposit' AND next.moved > ${sql.lit(noWei)}
        AND next.reverses IS NULL AND next.reversal = deposit.reversal
    )
)`;

/** The condition that an entry is one by the operator that stands for a deposit, or not: only these have an index. */
export const isCorrection = sql<SqlBool>`journal.kind IN ('credit', 'debit') AND journal.tx_hash IS NOT NULL`;

/** What the operator has credited for each transaction, minus what was debited again. */
type Credited = ReadonlyMap<string, bigint>;

async function readCredited(
  transaction: Transaction<Database>,
  places: readonly ContractKey[],
  txHash: Hex | undefined,
): Promise<readonly Credited[]> {
  let query = transaction
    .selectFrom(contractsTable(transaction, places))
    .innerJoin('tanks', (join) =>
      join.onRef('tanks.chain_id', '=', 'place.chain_id').onRef('tanks.contract', '=', 'place.contract'),
    )
    .innerJoin('journal', 'journal.tank_id', 'tanks.tank_id')
    .select(['tanks.chain_id', 'tanks.contract', 'journal.tx_hash', 'journal.kind'])
    .select(sumWei('journal.amount').as('sum'))
    .where(isCorrection);
  if (txHash !== undefined) query = query.where('journal.tx_hash', '=', txHash);
  const rows = await query.groupBy(['tanks.chain_id', 'tanks.contract', 'journal.tx_hash', 'journal.kind']).execute();
  return sortByContract(places, rows).map(addCredits);
}

type CorrectionRow = { readonly tx_hash: string | null; readonly kind: string; readonly sum: string | null };

function addCredits(rows: readonly CorrectionRow[]): Credited {
  const credited = new Map<string, bigint>();
  for (const { tx_hash, kind, sum } of rows) {
    if (tx_hash === null) continue;
    const amount = kind === 'credit' ? fromWeiSum(sum) : -fromWeiSum(sum);
    credited.set(tx_hash, (credited.get(tx_hash) ?? 0n) + amount);
  }
  return credited;
}

/**
 * The condition that the entry `deposit` is the operator's: a hot wallet sent it, or operations that are not relayed paid it
 * to executors for their bundles.
 */
const isOfOperator = sql<SqlBool>`(deposit.log_index = ${sql.lit(relayLogs.earned)} OR EXISTS (
  SELECT 1 FROM hot_wallet_transfers AS sent WHERE sent.chain_id = total.chain_id AND sent.wallet = deposit.sender
))`;

/**
 * What the operator's hot wallets have put into each contract, or into the executors of a relay, and what bundles have earned
 * these, in wei. It is in no tank.
 */
export async function readHotWalletDeposits(
  transaction: Transaction<Database>,
  places: readonly ContractKey[],
): Promise<readonly bigint[]> {
  const rows = await transaction
    .selectFrom(contractsTable(transaction, places))
    .innerJoin('contract_totals as total', (join) =>
      join.onRef('total.chain_id', '=', 'place.chain_id').onRef('total.contract', '=', 'place.contract'),
    )
    .innerJoin('journal as deposit', 'deposit.contract_id', 'total.contract_id')
    .select(['total.chain_id', 'total.contract', sumWei('deposit.moved').as('sum')])
    // Literals, as in `readStrays`: otherwise the index of these deposits is not used.
    .where('deposit.kind', '=', sql.lit('deposit'))
    .where('deposit.tank_id', 'is', null)
    .where('deposit.tx_hash', '>', '')
    .where(notReversed('journal', 'entry_id', 'deposit'))
    .where(isOfOperator)
    .groupBy(['total.chain_id', 'total.contract'])
    .execute();
  return sortByContract(places, rows).map(([row]) => fromWeiSum(row?.sum ?? null));
}

import { maxAdjustmentReason } from '@tollfree/contract/limits';
import type { Transaction } from 'kysely';
import type { Hex } from 'viem';
import type { TankAdjustmentKind } from '../../domain/gas-tank.ts';
import { invalidField } from '../../domain/result/result.ts';
import type { CustomerFunding } from '../../evm/paymaster-contracts/family/family.ts';
import type { Database } from '../../store/database.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromWeiSum, sumWei } from '../../store/wei.ts';
import type { TankKey } from '../holds/hold-request.ts';
import { toTankSums } from '../holds/read-available-funds.ts';
import { journalWrites, openJournal, post } from '../journal.ts';
import { openTank } from './locate-tank.ts';
import { isCorrection, readStrayDeposits } from './read-stray-deposits.ts';
import { fundTank } from './take-from-tanks.ts';

/** The reason that the operator gives, which is recorded in the ledger; refuses anything but a line of text. */
export function checkReason(reason: string): ReturnType<typeof invalidField> | undefined {
  const isReason = reason.trim() !== '' && reason.length <= maxAdjustmentReason && !/[\p{Cc}\p{Cs}]/u.test(reason);
  return isReason ? undefined : invalidField('reason', `must be 1 to ${maxAdjustmentReason} printable characters`);
}

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
    .selectFrom('journal')
    .innerJoin('tanks', 'tanks.tank_id', 'journal.tank_id')
    .select(['journal.kind', sumWei('journal.amount').as('sum')])
    .where('tanks.chain_id', '=', tank.chainId)
    .where('tanks.contract', '=', tank.contract)
    .where('tanks.wallet', '=', tank.wallet)
    .where(isCorrection)
    .where('journal.tx_hash', '=', txHash)
    .groupBy('journal.kind')
    .execute();
  return rows.reduce((sum, row) => (row.kind === 'credit' ? sum + fromWeiSum(row.sum) : sum - fromWeiSum(row.sum)), 0n);
}

/** A change of a tank that the operator makes manually, in wei, with the reason that is recorded in the ledger. */
export type TankAdjustment = {
  readonly tank: TankKey;
  readonly kind: TankAdjustmentKind;
  readonly amount: bigint;
  readonly reason: string;
  /** The transaction whose deposits, which are in no tank, the adjustment stands for. */
  readonly forTransaction?: Hex;
};

/**
 * Credits or debits a tank. A debit takes no more than is neither settled nor held: otherwise returns false and changes
 * nothing.
 */
export async function adjustTank(
  transaction: Transaction<Database>,
  { tank: key, kind, amount, reason, forTransaction }: TankAdjustment,
  now: number,
): Promise<boolean> {
  const { tank_id } = await openTank(transaction, key);
  const row = await transaction
    .selectFrom('tanks_with_held')
    .select(['funded', 'settled', 'held'])
    .where('tank_id', '=', tank_id)
    .executeTakeFirstOrThrow();
  const added = kind === 'credit' ? amount : -amount;
  const { funded, settled, held } = toTankSums(row);
  if (kind === 'debit' && funded + added < settled + held) return false;
  await fundTank(transaction, tank_id, added);
  const journal = await openJournal(transaction, key.chainId, key.contract);
  const at = forTransaction === undefined ? {} : { at: { txHash: forTransaction } };
  post({ kind, tankId: tank_id, amount, moved: 0n, reason, ...at }, { journal, now });
  await runTogether(transaction, ...journalWrites(journal));
  return true;
}

import type { Transaction } from 'kysely';
import {
  type ContractLedger,
  checkContractLedgers,
  type KnownSums,
} from '../../../core/ledger/checking/check-ledger.ts';
import type { Database } from '../../../core/store/database.ts';

/** One contract's ledger, compared with the sums of its rows. */
export async function checkContractLedger(
  transaction: Transaction<Database>,
  contract: Parameters<typeof checkContractLedgers>[1][number],
  known: KnownSums = {},
): Promise<ContractLedger> {
  const [ledger] = await checkContractLedgers(transaction, [contract], known);
  if (ledger === undefined) throw new Error('No check result was returned for a contract.');
  return ledger;
}

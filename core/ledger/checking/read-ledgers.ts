import type { Transaction } from 'kysely';
import type { IdleTank } from '../../domain/ledger-report.ts';
import type { Database } from '../../store/database.ts';
import { type ContractLedger, checkContractLedgers, type KnownSums } from './check-ledger.ts';
import type { CheckedContract } from './checked-contract.ts';
import { type LedgerHead, readLedgerHeads } from './ledger-head.ts';
import { readIdleTanks } from './read-idle-tanks.ts';

/** The ledger, and the tanks that no paymaster pays from. */
export type LedgerAndTanks = ContractLedger & { readonly idle: readonly IdleTank[] };

/** A contract's ledger as of a block; without a block before the first. */
export type ReadLedger = { readonly moment: LedgerHead | undefined; readonly books: LedgerAndTanks };

/** The ledgers of contracts in a snapshot, in the order given. Sums that are not `known` are read. */
export async function readLedgers(
  snapshot: Transaction<Database>,
  checked: readonly CheckedContract[],
  known: KnownSums,
): Promise<readonly ReadLedger[]> {
  const places = checked.map(({ location, customers, versions }) => ({
    chainId: location.chainId,
    contract: location.address,
    keepsBalances: customers !== undefined,
    versions,
  }));
  const books = await checkContractLedgers(snapshot, places, known);
  const idle = await readIdleTanks(snapshot, places);
  const moments = await readLedgerHeads(snapshot, places);
  return books.map((of, index) => ({ moment: moments[index], books: { ...of, idle: idle[index] ?? [] } }));
}

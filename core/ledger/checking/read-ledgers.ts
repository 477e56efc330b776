import type { Transaction } from 'kysely';
import type { Address } from 'viem';
import { mapInTurns } from '../../base/time/in-own-turn.ts';
import { groupBy } from '../../base/values/group-by.ts';
import type { IdleTank } from '../../domain/ledger-report.ts';
import type { CustomerFunding, PaymasterContract } from '../../evm/paymaster-contracts/family/family.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';
import { toTankSums } from '../holds/read-available-funds.ts';
import { readWatch } from '../read-watch.ts';
import { type ContractKey, contractsTable, sortByContract } from '../tanks/locate-tank.ts';
import { type ContractLedger, checkContractLedgers, type KnownSums } from './check-ledger.ts';

/** A paymaster contract, the versions of paymasters that use it, and how it keeps balances of its customers, if it does. */
export type CheckedContract = {
  readonly location: PaymasterContract;
  readonly versions: readonly string[];
  readonly customers?: CustomerFunding;
};

/** The ledger, and the tanks that no paymaster pays from. */
export type LedgerAndTanks = ContractLedger & { readonly idle: readonly IdleTank[] };

/** A contract's ledger as of a block; without a block before the first. */
export type ReadLedger = { readonly moment: LedgerHead | undefined; readonly ledger: LedgerAndTanks };

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
  const ledgers = await checkContractLedgers(snapshot, places, known);
  const idle = await readIdleTanks(snapshot, places);
  const moments = await readLedgerHeads(snapshot, places);
  return ledgers.map((of, index) => ({ moment: moments[index], ledger: { ...of, idle: idle[index] ?? [] } }));
}

/** The last block that a contract's ledger has, and its hash. */
export type LedgerHead = { readonly atBlock: bigint; readonly lastHash: string };

/** For each contract; undefined before the first block. */
async function readLedgerHeads(
  snapshot: Transaction<Database>,
  places: readonly ContractKey[],
): Promise<readonly (LedgerHead | undefined)[]> {
  const rows = await snapshot
    .selectFrom(contractsTable(snapshot, places))
    .innerJoin('contract_watches as watch', (join) =>
      join.onRef('watch.chain_id', '=', 'place.chain_id').onRef('watch.contract', '=', 'place.contract'),
    )
    .select(['watch.chain_id', 'watch.contract', 'watch.next_block', 'watch.last_hash'])
    .execute();
  return sortByContract(places, rows).map(([watch]) => (watch === undefined ? undefined : headOf(watch)));
}

/** The ledger's head according to the contract's watch. */
export function headOf(watch: { readonly next_block: number; readonly last_hash: string }): LedgerHead {
  return { atBlock: BigInt(watch.next_block) - 1n, lastHash: watch.last_hash };
}

/** Whether the ledger has advanced, or been rolled back, since that moment. */
export async function hasLedgerMoved(
  { db }: Store,
  { chainId, address }: PaymasterContract,
  before: LedgerHead,
): Promise<boolean> {
  const watch = await readWatch(db, { chainId, contract: address });
  return watch?.last_hash !== before.lastHash;
}

/** A paymaster contract, and the versions of paymasters that pay from it. */
type PaidFrom = ContractKey & { readonly versions: readonly string[] };

/**
 * For each contract the tanks that contain wei and that no paymaster pays from, those with the most first. There can be many: their
 * wallets are in lower case.
 */
export async function readIdleTanks(
  transaction: Transaction<Database>,
  places: readonly PaidFrom[],
): Promise<readonly (readonly IdleTank[])[]> {
  // One statement for all contracts with the same versions: there are few such sets, no matter how many chains.
  const alike = [...groupBy(places, ({ versions }) => JSON.stringify(versions)).values()];
  const rows: UnpaidTank[] = [];
  for (const some of alike) rows.push(...(await readUnpaidTanks(transaction, some)));
  const tanks: (readonly IdleTank[])[] = [];
  for (const ofPlace of sortByContract(places, rows)) {
    const idle = await mapInTurns(ofPlace, toIdle);
    tanks.push(idle.filter(({ left }) => left > 0n).sort(byMost));
  }
  return tanks;
}

type UnpaidTank = Pick<Database['tanks'], 'chain_id' | 'contract' | 'wallet'> &
  Record<'funded' | 'settled' | 'held', string>;

function readUnpaidTanks(
  transaction: Transaction<Database>,
  places: readonly PaidFrom[],
): Promise<readonly UnpaidTank[]> {
  const versions = places[0]?.versions ?? [];
  return transaction
    .selectFrom(contractsTable(transaction, places))
    .innerJoin('tanks_with_held as tanks', (join) =>
      join.onRef('tanks.chain_id', '=', 'place.chain_id').onRef('tanks.contract', '=', 'place.contract'),
    )
    .select(['tanks.chain_id', 'tanks.contract', 'tanks.wallet'])
    .select(['tanks.funded', 'tanks.settled', 'tanks.held'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('paymasters')
            .select('paymasters.paymaster_id')
            .whereRef('paymasters.funding_wallet', '=', 'tanks.wallet')
            .whereRef('paymasters.chain_id', '=', 'tanks.chain_id')
            .where('paymasters.version', 'in', versions),
        ),
      ),
    )
    .execute();
}

function toIdle(tank: UnpaidTank): IdleTank {
  const { funded, settled, held } = toTankSums(tank);
  return { wallet: tank.wallet as Address, left: funded - settled - held };
}

function byMost(first: IdleTank, second: IdleTank): number {
  return first.left < second.left ? 1 : first.left > second.left ? -1 : 0;
}

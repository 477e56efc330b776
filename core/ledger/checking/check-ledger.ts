import type { Selectable, Transaction } from 'kysely';
import { type Address, getAddress } from 'viem';
import { mapInTurns } from '../../base/time/in-own-turn.ts';
import { maxBigint } from '../../base/values/integers.ts';
import type { StrayDeposit } from '../../domain/gas-tank.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';
import { fromWeiText } from '../../store/wei.ts';
import { type ContractKey, contractsTable, sortByContract } from '../tanks/locate-tank.ts';
import { readHotWalletDeposits, readStrays } from '../tanks/read-stray-deposits.ts';
import { type AddedUpTank, addUpTanks, type LiveHolds, readLiveHolds } from './add-up-tanks.ts';
import { checkAccounts } from './check-accounts.ts';
import { type ContractEntries, noContractEntries } from './entry-sums.ts';
import { type LedgerSums, type RowSums, readLedgerSums } from './row-sums.ts';

/**
 * The rules that the ledger of any paymaster contract breaks, each with the contract, and the accounts that are not what holds
 * come to; only within the ledger, without comparing it with a chain. All rows are read unless `rows` remembers them.
 */
export async function checkAllLedgers(store: Store, rows?: RowSums): Promise<readonly string[]> {
  const ofContracts = await store.read(async (snapshot) => {
    const known = {
      rows: await (rows?.at(snapshot) ?? readLedgerSums(snapshot)),
      live: await readLiveHolds(snapshot),
    };
    const totals = await snapshot.selectFrom('contract_totals').select(['chain_id', 'contract']).execute();
    // Whether costs have to equal what tanks paid depends on the contract, which is not known here.
    const contracts = totals.map(({ chain_id: chainId, contract }) => ({ chainId, contract, keepsBalances: true }));
    const ledgers = await checkContractLedgers(snapshot, contracts, known);
    return contracts.flatMap(({ chainId, contract }, index) =>
      (ledgers[index]?.faults ?? []).map((fault) => `chain ${chainId}, contract ${getAddress(contract)}: ${fault}`),
    );
  });
  return [...ofContracts, ...(await (rows?.checkAccounts() ?? store.read(checkAccounts)))];
}

type CheckedContract = ContractKey & { readonly keepsBalances: boolean };

/** Sums of rows, as of the snapshot that is checked. */
export type KnownSums = { readonly rows?: LedgerSums | undefined; readonly live?: LiveHolds };

/** What the ledger says about one paymaster contract, in wei, and which rules it breaks. */
export type ContractLedger = {
  readonly bookDeposit: bigint;
  readonly unattributedDeposits: bigint;
  readonly strayDeposits: readonly Omit<StrayDeposit, 'recovery'>[];
  readonly hotWalletDeposits: bigint;
  readonly withdrawals: bigint;
  readonly unexplainedCosts: bigint;
  readonly funded: bigint;
  readonly settled: bigint;
  readonly held: bigint;
  readonly shortfall: bigint;
  /** What tanks paid above the costs posted to them. */
  readonly margin: bigint;
  /**
   * What each wallet, in lower case, has in the contract according to the entries. The operator's corrections count if they stand for a
   * deposit: the contract's owner has added that to the balance, for which there is no event.
   */
  readonly customers: ReadonlyMap<Address, bigint>;
  readonly faults: readonly string[];
};

/**
 * Compares contracts' ledgers with the sums of their rows, from the first row on: what the journal moved must match the stored deposit;
 * each tank's entries must match its stored sums, and its live holds what it holds; and the tanks' settled costs must match the costs posted to them, except for the margin of a contract that
 * `keepsBalances` of its customers. Sums of rows that are not `known` are read. The result is in the order given, and many
 * contracts take as many statements as one.
 */
export async function checkContractLedgers(
  transaction: Transaction<Database>,
  contracts: readonly CheckedContract[],
  known: KnownSums = {},
): Promise<readonly ContractLedger[]> {
  const rows = known.rows ?? (await readLedgerSums(transaction));
  const live = known.live ?? (await readLiveHolds(transaction));
  const strays = await readStrays(transaction, contracts);
  const ofHotWallet = await readHotWalletDeposits(transaction, contracts);
  const tanks = await addUpTanks(transaction, contracts, { rows, live });
  const totals = await readTotals(transaction, contracts);
  const ledgers: ContractLedger[] = [];
  for (const [index, contract] of contracts.entries()) {
    const sums = {
      strayDeposits: strays[index] ?? [],
      hotWalletDeposits: ofHotWallet[index] ?? 0n,
      tanks: tanks[index] ?? [],
      total: totals[index]?.[0],
      entries: contractEntries(rows, totals[index]?.[0]),
    };
    ledgers.push(await compareSums(contract, sums));
  }
  return ledgers;
}

function contractEntries(rows: LedgerSums, total: { readonly contract_id: number } | undefined): ContractEntries {
  return total === undefined ? noContractEntries : rows.ofContract(total.contract_id);
}

async function readTotals(transaction: Transaction<Database>, contracts: readonly CheckedContract[]) {
  const rows = await transaction
    .selectFrom(contractsTable(transaction, contracts))
    .innerJoin('contract_totals_with_held as total', (join) =>
      join.onRef('total.chain_id', '=', 'place.chain_id').onRef('total.contract', '=', 'place.contract'),
    )
    .select(['total.contract_id', 'total.chain_id', 'total.contract', 'total.deposit', 'total.held'])
    .execute();
  return sortByContract(contracts, rows);
}

type SumsOfContract = {
  readonly strayDeposits: ContractLedger['strayDeposits'];
  readonly hotWalletDeposits: bigint;
  readonly tanks: readonly AddedUpTank[];
  readonly total: Pick<Selectable<Database['contract_totals_with_held']>, 'deposit' | 'held'> | undefined;
  readonly entries: ContractEntries;
};

async function compareSums(
  { chainId, contract, keepsBalances }: CheckedContract,
  { strayDeposits, hotWalletDeposits, tanks, total, entries: ofContract }: SumsOfContract,
): Promise<ContractLedger> {
  if (total === undefined) throw new Error(`There is no ledger of ${contract} on chain ${chainId}.`);
  const faults: string[] = [];
  const mustEqual = (what: string, kept: bigint, added: bigint, wallet?: string): void => {
    if (kept === added) return;
    const whose = wallet === undefined ? '' : ` of tank ${wallet}`;
    faults.push(`${what}${whose}: stored ${kept} wei, sum of entries ${added} wei`);
  };
  const bookDeposit = ofContract.deposits - ofContract.withdrawals - ofContract.costs;
  mustEqual('deposit of the contract', fromWeiText(total.deposit), bookDeposit);
  let [funded, settled, held, shortfall, ofTanks] = [0n, 0n, 0n, 0n, 0n];
  await mapInTurns(tanks, (tank) => {
    mustEqual('funded', tank.funded, tank.entries.funded, tank.wallet);
    mustEqual('settled', tank.settled, tank.entries.settled, tank.wallet);
    mustEqual('live holds', tank.held, tank.liveHolds, tank.wallet);
    mustEqual('spending by day', tank.byDay.wei, tank.entries.settled, tank.wallet);
    mustEqual('costs by day', tank.byDay.cost, tank.entries.cost, tank.wallet);
    faults.push(...otherSumsByDay(tank));
    [funded, settled, held] = [funded + tank.funded, settled + tank.settled, held + tank.held];
    shortfall += maxBigint(tank.held + tank.settled - tank.funded, 0n);
    ofTanks += tank.entries.cost;
  });
  mustEqual('held on the contract', fromWeiText(total.held), held);
  const costs = ofContract.costs - ofContract.unexplainedCosts;
  mustEqual('costs of the tanks', ofTanks, costs);
  if (!keepsBalances) mustEqual('settled costs', settled, costs);
  return {
    bookDeposit,
    unattributedDeposits: strayDeposits.reduce((sum, { amount }) => sum + amount, 0n),
    strayDeposits,
    hotWalletDeposits,
    withdrawals: ofContract.withdrawals,
    unexplainedCosts: ofContract.unexplainedCosts,
    funded,
    settled,
    held,
    shortfall,
    margin: settled - costs,
    // Without checksums: of 10,000 wallets they take longer than all the rest.
    customers: new Map(tanks.map(({ wallet, entries }) => [wallet as Address, entries.onChain])),
    faults,
  };
}

/** What a tank settled, other than in wei: by the sums of its days, and by its entries. */
function otherSumsByDay({ wallet, byDay, entries }: AddedUpTank): readonly string[] {
  const compared = [
    ['operations', byDay.operations, entries.operations],
    ['operations with a price', byDay.priced, entries.priced],
    ['millionths of a USD', byDay.usdMicros, entries.usdMicros],
  ] as const;
  return compared.flatMap(([what, kept, added]) =>
    kept === added ? [] : [`${what} by day of tank ${wallet}: stored ${kept}, sum of entries ${added}`],
  );
}

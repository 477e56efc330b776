import { maxIdleTanks, maxStrayDeposits } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Address, BaseError, getAddress } from 'viem';
import type { LedgerReport, LedgerState } from '../../domain/ledger-report.ts';
import type { PaymasterContract } from '../../evm/paymaster-contracts/family/family.ts';
import { readCustomerBalance } from '../../node/customer-balances.ts';
import type { FollowedChain } from '../../node/followed-chain.ts';
import { readDepositAt } from '../../node/read-deposits.ts';
import type { Store } from '../../store/store.ts';
import { fromWeiText } from '../../store/wei.ts';
import { operatorRecovery, relayRecovery } from '../tanks/recovery.ts';
import { readLiveHolds } from './add-up-tanks.ts';
import {
  type CheckedContract,
  hasLedgerMoved,
  headOf,
  type LedgerAndTanks,
  type LedgerHead,
  type ReadLedger,
  readLedgers,
} from './read-ledgers.ts';
import type { RowSums } from './row-sums.ts';

export type ChainContract = { readonly client: FollowedChain['client']; readonly checked: CheckedContract };

/**
 * Compares several contracts' ledgers with their chains, in the order given. All ledgers are read in one snapshot, and their
 * rows are added up once; a contract that differs is read again on its own.
 */
export async function checkContracts(
  store: Store,
  places: readonly ChainContract[],
  rows: RowSums,
): Promise<readonly LedgerAndChain[]> {
  const read = await store.read(async (snapshot) => {
    const known = { rows: await rows.at(snapshot), live: await readLiveHolds(snapshot) };
    const checked = places.map((location) => location.checked);
    return readLedgers(snapshot, checked, known);
  });
  return Promise.all(
    places.map(({ client, checked }, index) =>
      compareLedgerAndChain(store, client, checked, { rows, ...omitAbsent({ read: read[index] }) }),
    ),
  );
}

/** How often a difference is checked again while the ledger is advancing. */
const maxAttempts = 3;
const balancesAtOnce = 20;

/** A report without the time the rows were read, which the caller knows. */
type LedgerAndChain = Omit<LedgerReport, 'rowsReadAt'>;

/** The values on chain at one block, in wei. */
type ChainSide = { readonly deposit: bigint; readonly balances: ReadonlyMap<Address, bigint> | undefined };

/**
 * Compares one contract's ledger with the chain, both as of the ledger's last block: its deposit, and, if it keeps balances
 * of its customers, the balance of each tank's wallet. Without an answer from the node, or before the first block, the
 * report says `unreachable`.
 *
 * A block can leave the chain between the two reads, so a difference counts only when the ledger did not change meanwhile.
 * The first attempt uses the ledger that was `read` already, if any. All rows are read unless `rows` remembers them.
 */
export async function compareLedgerAndChain(
  store: Store,
  client: FollowedChain['client'],
  checked: CheckedContract,
  { rows, read }: { readonly rows?: RowSums; readonly read?: ReadLedger } = {},
): Promise<LedgerAndChain> {
  for (let attempt = 1; ; attempt += 1) {
    const isFirst = attempt === 1 && read !== undefined;
    const { moment, ledger } = isFirst ? read : await readNow(store, checked, rows);
    const chain = await readChain(client, checked, moment, [...ledger.customers.keys()]);
    if (chain === undefined || moment === undefined) return unreachable(checked, ledger, moment);
    const report = compare(checked, ledger, moment, chain);
    const agrees = report.difference === 0n && report.faults.length === 0;
    if (agrees || attempt === maxAttempts || !(await hasLedgerMoved(store, checked.location, moment))) return report;
  }
}

function readNow(store: Store, checked: CheckedContract, rows: RowSums | undefined): Promise<ReadLedger> {
  return store.read(async (snapshot) => {
    const [read] = await readLedgers(snapshot, [checked], { rows: await rows?.at(snapshot) });
    if (read === undefined) throw new Error('No ledger was returned.');
    return read;
  });
}

function compare(
  checked: CheckedContract,
  ledger: LedgerAndTanks,
  { atBlock }: LedgerHead,
  chain: ChainSide,
): LedgerAndChain {
  const { customers, faults, idle: _, ...sums } = ledger;
  const common = {
    ...placeOf(checked.location),
    ...sums,
    ...listsOf(checked, ledger),
    state: 'compared',
    atBlock,
    chainDeposit: chain.deposit,
    difference: chain.deposit - ledger.bookDeposit,
  } as const;
  if (chain.balances === undefined) return { ...common, faults };
  const differing = [...customers].flatMap(([wallet, inLedger]) => {
    const onChain = chain.balances?.get(wallet) ?? 0n;
    if (onChain === inLedger) return [];
    return [`balance of ${getAddress(wallet)}: ledger ${inLedger} wei, contract ${onChain} wei`];
  });
  const customerBalances = [...chain.balances.values()].reduce((sum, balance) => sum + balance, 0n);
  return { ...common, customerBalances, faults: [...faults, ...differing] };
}

function unreachable(checked: CheckedContract, ledger: LedgerAndTanks, moment: LedgerHead | undefined): LedgerAndChain {
  const { customers: _, idle: __, ...sums } = ledger;
  const lists = listsOf(checked, ledger);
  return { ...placeOf(checked.location), ...sums, ...lists, state: 'unreachable', atBlock: moment?.atBlock ?? 0n };
}

function listsOf({ customers, location }: CheckedContract, { strayDeposits: all, idle }: LedgerAndTanks) {
  const strayDeposits = all.slice(0, maxStrayDeposits).map(({ sender, ...deposit }) => ({
    ...deposit,
    ...omitAbsent({ sender: sender && getAddress(sender) }),
    recovery: location.executors === undefined ? operatorRecovery(deposit, customers) : relayRecovery(deposit),
  }));
  const idleTanks = idle.slice(0, maxIdleTanks).map(({ wallet, left }) => ({ wallet: getAddress(wallet), left }));
  return { strayDeposits, strayDepositCount: all.length, idleTanks, idleTankCount: idle.length };
}

function placeOf({ chainId, address: contract, entryPoint }: PaymasterContract) {
  return { chainId, contract, entryPoint };
}

/** Undefined when the node does not answer, or no longer has the state of that block. */
async function readChain(
  client: FollowedChain['client'],
  { location, customers }: Pick<CheckedContract, 'location' | 'customers'>,
  moment: LedgerHead | undefined,
  wallets: readonly Address[] = [],
): Promise<ChainSide | undefined> {
  if (moment === undefined) return undefined;
  const blockNumber = moment.atBlock;
  try {
    const { entryPoint, address: contract, executors } = location;
    const deposit = await readDepositAt(client, { entryPoint, contract, executors }, blockNumber);
    if (customers === undefined) return { deposit, balances: undefined };
    const balances = new Map<Address, bigint>();
    for (let start = 0; start < wallets.length; start += balancesAtOnce) {
      const some = wallets.slice(start, start + balancesAtOnce);
      const read = some.map(async (wallet) => {
        const balance = await readCustomerBalance(client, contract, customers.balanceData(wallet), blockNumber);
        balances.set(wallet, balance);
      });
      await Promise.all(read);
    }
    return { deposit, balances };
  } catch (cause) {
    // Any other error is a bug; what the chain's client throws means that the answer is missing.
    if (cause instanceof BaseError) return undefined;
    throw cause;
  }
}

/**
 * Compares the stored sums of one contract with its deposit on chain, as of the ledger's last block. It adds nothing up:
 * whether the sums match the entries is part of the ledger check.
 *
 * A block can leave the chain between the two reads, so a difference counts only when the ledger did not change meanwhile.
 */
export async function compareKeptSums(
  store: Store,
  client: FollowedChain['client'],
  location: PaymasterContract,
): Promise<LedgerState> {
  for (let attempt = 1; ; attempt += 1) {
    const { moment, deposit: bookDeposit, held } = await readSums(store, location);
    const { chainId, address: contract, entryPoint } = location;
    const sums = { chainId, contract, entryPoint, atBlock: moment?.atBlock ?? 0n, bookDeposit, held };
    const chain = await readChain(client, { location }, moment);
    if (chain === undefined || moment === undefined) return { ...sums, state: 'unreachable' };
    const difference = chain.deposit - bookDeposit;
    if (difference === 0n || attempt === maxAttempts || !(await hasLedgerMoved(store, location, moment))) {
      return { ...sums, state: 'compared', chainDeposit: chain.deposit, difference };
    }
  }
}

/** In one statement, so that all values are from the same moment. */
async function readSums({ db }: Store, { chainId, address }: PaymasterContract) {
  const row = await db
    .selectFrom('contract_totals_with_held as total')
    .leftJoin('contract_watches as watch', (join) =>
      join.onRef('watch.chain_id', '=', 'total.chain_id').onRef('watch.contract', '=', 'total.contract'),
    )
    .select(['total.deposit', 'total.held', 'watch.next_block', 'watch.last_hash'])
    .where('total.chain_id', '=', chainId)
    .where('total.contract', '=', address)
    .executeTakeFirstOrThrow();
  const { next_block, last_hash } = row;
  const moment = next_block === null || last_hash === null ? undefined : headOf({ next_block, last_hash });
  return { moment, deposit: fromWeiText(row.deposit), held: fromWeiText(row.held) };
}

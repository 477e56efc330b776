import { defaultPageSize, maxStrayDeposits } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Address, getAddress } from 'viem';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import type { Core } from '../domain/core.ts';
import type { GasTank, TankFilling } from '../domain/gas-tank.ts';
import type { LedgerReport } from '../domain/ledger-report.ts';
import { accept, invalidField, type Result, refuse } from '../domain/result/result.ts';
import { fillingCall } from '../evm/paymaster-contracts/filling-call.ts';
import { tankFunderCall } from '../evm/tank-funder/tank-funder.ts';
import { contractsOf, type FollowedChain } from '../node/followed-chain.ts';
import { hasTankFunder } from '../node/tank-funder-code.ts';
import type { Store } from '../store/store.ts';
import { archiveLedger } from './archiving/archive-ledger.ts';
import { type ChainContract, checkContracts, compareKeptSums } from './checking/compare-ledger-and-chain.ts';
import type { CheckedContract } from './checking/read-ledgers.ts';
import type { RowSums } from './checking/row-sums.ts';
import { listOpenHolds } from './releasing/read-open-holds.ts';
import { releaseHold } from './releasing/release-hold.ts';
import { revertLedger } from './revert/revert-to.ts';
import { createStatements } from './statements/create-statements.ts';
import { adjustTank, checkReason, findUnmatchedDeposit } from './tanks/adjust-tank.ts';
import { type LocatedTank, locateTank, relayPlaceOf } from './tanks/locate-tank.ts';
import { readFormerTanks, readGasTank, readGasTankEntries, readTankFunds } from './tanks/read-gas-tank.ts';
import { readStrayDeposits } from './tanks/read-stray-deposits.ts';
import { accountRecovery } from './tanks/recovery.ts';

/** The largest credit or debit: a billion coins of 18 decimals, in wei. */
const maxAdjustment = 10n ** 27n;

type Parts = {
  readonly store: Store;
  readonly rows: RowSums;
  readonly chains: ReadonlyMap<number, FollowedChain>;
  readonly clock: Clock;
};

/** The part of `Core` that shows the ledger and, for the operator, checks and corrects it. */
export type Ledger = Pick<
  Core,
  | 'checkLedger'
  | 'revertLedger'
  | 'archiveLedger'
  | 'listOpenHolds'
  | 'releaseHold'
  | 'readLedgerStates'
  | 'readGasTank'
  | 'listGasTankEntries'
  | 'listGasTankDays'
  | 'readGasTankStatement'
  | 'readAccountStatement'
  | 'adjustTank'
>;

export function createLedger(parts: Parts): Ledger {
  const { store } = parts;
  return {
    checkLedger: (input) => checkLedger(parts, input),
    revertLedger: (input) => revertLedger(parts, input),
    archiveLedger: (input) => archiveLedger(parts, input),
    listOpenHolds: (input) => listOpenHolds(parts, input),
    releaseHold: (input) => releaseHold(parts, input),

    readLedgerStates: async () =>
      accept(await Promise.all(allPlaces(parts).map((of) => compareKeptSums(store, of.client, of.checked.location)))),

    async readGasTank(owned) {
      const found = await locateTank(parts, owned);
      return found.ok ? accept(await readWholeTank(parts, owned.paymasterId, found.value)) : found;
    },

    async listGasTankEntries({ beforeEntryId, limit = defaultPageSize, ...owned }) {
      const found = await locateTank(parts, owned);
      if (!found.ok) return found;
      const { wallet, location } = found.value;
      if (wallet === undefined) return accept([]);
      const page = { limit, ...omitAbsent({ beforeEntryId }) };
      const key = { chainId: location.chainId, contract: location.address, wallet };
      return accept(await store.read((snapshot) => readGasTankEntries(snapshot, key, page)));
    },

    ...createStatements(parts),
    adjustTank: (input) => adjustByHand(parts, input),
  };
}

async function adjustByHand(parts: Parts, input: Parameters<Core['adjustTank']>[0]): ReturnType<Core['adjustTank']> {
  const { paymasterId, relay, ...adjustment } = input;
  const { amount, reason, forTransaction } = adjustment;
  if (amount <= 0n || amount > maxAdjustment) return invalidField('amount', `must be from 1 to ${maxAdjustment} wei`);
  const faulty = checkReason(reason);
  if (faulty !== undefined) return faulty;
  if (forTransaction !== undefined && !/^0x[0-9a-f]{64}$/.test(forTransaction)) {
    return invalidField('forTransaction', 'must be a transaction hash: 0x and 64 hex digits in lower case');
  }
  const found = await locateTank(parts, { paymasterId, ...omitAbsent({ relay }) });
  if (!found.ok) return found;
  const { wallet, location, customers } = found.value;
  if (wallet === undefined) return invalidField('paymasterId', 'must be of a paymaster with a funding wallet');
  const tank = { chainId: location.chainId, contract: location.address, wallet };
  const problem = await parts.store.transaction(async (transaction) => {
    const unmatched = await findUnmatchedDeposit(transaction, { tank, ...adjustment }, customers);
    if (unmatched !== undefined) return invalidField('forTransaction', unmatched);
    const done = await adjustTank(transaction, { tank, ...adjustment }, unixSeconds(parts.clock));
    return done ? undefined : tooLittle;
  });
  return problem ?? accept(await readTankAt(parts, found.value));
}

const tooLittle = refuse({
  reason: 'INSUFFICIENT_FUNDS',
  message: 'The gas tank’s available balance is lower than that',
});

/**
 * Every configured paymaster contract; one whose chain does not answer is reported as such, and the others are still
 * checked.
 */
async function checkLedger(parts: Parts, { allRows }: { allRows: boolean }): Promise<Result<readonly LedgerReport[]>> {
  const { store, rows } = parts;
  const rowsReadAt = await (allRows ? rows.readAgain() : rows.catchUp());
  const reports = await checkContracts(store, allPlaces(parts), rows);
  // Accounts of limits and budgets are of no single contract: they are reported with the first.
  const ofAccounts = await rows.checkAccounts();
  return accept(
    reports.map((report, index) => {
      return { ...report, rowsReadAt, faults: index === 0 ? [...report.faults, ...ofAccounts] : report.faults };
    }),
  );
}

function allPlaces({ chains }: Parts): readonly ChainContract[] {
  return [...chains.values()].flatMap((chain) => placesOf(chain).map((checked) => ({ client: chain.client, checked })));
}

/** The chain's paymaster contracts, each once even if two versions name it. */
function placesOf(chain: FollowedChain): readonly CheckedContract[] {
  const places = new Map<string, CheckedContract>();
  for (const { location, family, version } of contractsOf(chain)) {
    const known = places.get(location.address);
    const customers = family.customerFunding ?? known?.customers;
    const own = location.executors === undefined ? [version] : versionsAt(chain, location.entryPoint);
    const versions = [...(known?.versions ?? []), ...own];
    places.set(location.address, { location, versions, ...omitAbsent({ customers }) });
  }
  return [...places.values()];
}

/** All paymasters of an EntryPoint pay from its relay. */
function versionsAt({ contracts }: FollowedChain, entryPoint: Address): readonly string[] {
  return [...contracts.values()].flatMap(({ location, version }) =>
    location.entryPoint === entryPoint ? [version] : [],
  );
}

/** The tank, how it is filled, those of earlier funding wallets, and what the wallet sent that is in no tank. */
async function readWholeTank(parts: Parts, paymasterId: string, tankPlace: LocatedTank): Promise<GasTank> {
  const tank = await readTankAt(parts, tankPlace);
  const { wallet, location, customers, isAsConfigured } = tankPlace;
  if (wallet === undefined) return tank;
  const key = { chainId: location.chainId, contract: location.address, wallet };
  const { former, strays } = await parts.store.read(async (snapshot) => ({
    former: await readFormerTanks(snapshot, paymasterId, key),
    strays: await readStrayDeposits(snapshot, { ...key, sender: wallet }),
  }));
  const strayDeposits = strays.slice(0, maxStrayDeposits).map((deposit) => ({
    ...deposit,
    sender: getAddress(wallet),
    recovery: accountRecovery(deposit, wallet, customers),
  }));
  return {
    ...tank,
    ...(isAsConfigured ? { filling: await chooseFilling(parts, tankPlace, wallet) } : {}),
    ...(former.length === 0 ? {} : { formerTanks: former }),
    ...(strayDeposits.length === 0 ? {} : { strayDeposits }),
    ...(await readRelayTank(parts, tankPlace)),
  };
}

/**
 * A call that anyone can send, if the chain has the contract for it or the paymaster contract accepts one; otherwise the
 * wallet's own.
 */
async function chooseFilling(
  { chains }: Parts,
  { location, customers }: LocatedTank,
  wallet: Address,
): Promise<TankFilling> {
  const client = chains.get(location.chainId)?.client;
  return customers === undefined && client !== undefined && (await hasTankFunder(client))
    ? tankFunderCall(location, wallet)
    : fillingCall(location, wallet, customers);
}

/** What the wallet has in the relay of the paymaster's EntryPoint, if there is one. */
async function readRelayTank(parts: Parts, { location, wallet }: LocatedTank): Promise<Pick<GasTank, 'relay'>> {
  const chain = parts.chains.get(location.chainId);
  const relayed = chain && relayPlaceOf(chain, location);
  if (relayed === undefined) return {};
  const tank = await readTankAt(parts, { location: relayed, wallet, customers: undefined, isAsConfigured: true });
  const { funded, settled, held, available } = tank;
  return { relay: { executors: relayed.executors ?? [], funded, settled, held, available } };
}

/** The tank; an empty one while the paymaster has no funding wallet. */
async function readTankAt({ store, chains, clock }: Parts, tank: LocatedTank): Promise<GasTank> {
  const { chainId, address: contract } = tank.location;
  const { wallet } = tank;
  const funds = await readTankFunds(chains.get(chainId), tank);
  if (wallet === undefined) {
    const empty = { chainId, contract, funded: 0n, settled: 0n, held: 0n, available: 0n };
    return funds.chainDeposit === undefined ? empty : { ...empty, chainDeposit: funds.chainDeposit };
  }
  return store.read((snapshot) => readGasTank(snapshot, { chainId, contract, wallet }, funds, unixSeconds(clock)));
}

import { maxPageSize } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Transaction } from 'kysely';
import { getAddress } from 'viem';
import { maxBigint, minBigint } from '../../base/values/integers.ts';
import type { FormerTank, GasTank, GasTankEntry } from '../../domain/gas-tank.ts';
import { secondsPerDay } from '../../domain/utc-days.ts';
import type { FollowedChain } from '../../node/followed-chain.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText } from '../../store/wei.ts';
import type { ChainFunds, TankKey } from '../holds/hold-request.ts';
import { availableWei, toTankSums } from '../holds/read-available-funds.ts';
import type { LocatedTank } from './locate-tank.ts';
import { readSpending } from './tank-days.ts';

/** Over how many days the rate of spending is averaged; the day in which they begin is included as a whole. */
const rateDays = 7n;
/** Beyond this, days are not counted. */
const maxDays = 1_000_000n;

const emptyTank = { funded: 0n, settled: 0n, held: 0n };

/** A tank according to the ledger, and what the chain says as last seen; nothing is available while that is not known. */
export async function readGasTank(
  transaction: Transaction<Database>,
  key: TankKey,
  funds: Partial<ChainFunds>,
  now: number,
): Promise<GasTank> {
  const tankOf = await readTanks(transaction, [key], now);
  const entriesSince = await readEntriesSince(transaction, key);
  return { ...tankOf(key, funds), ...omitAbsent({ entriesSince }) };
}

/** Reads several tanks at once. The result tells the state of one of them, without archived entries. */
export async function readTanks(
  transaction: Transaction<Database>,
  keys: readonly TankKey[],
  now: number,
): Promise<(key: TankKey, funds: Partial<ChainFunds>) => GasTank> {
  const rows = await findTanks(transaction, keys);
  const totals = await transaction
    .selectFrom('contract_totals_with_held')
    .select(['chain_id', 'contract', 'held'])
    .where(({ and, or }) => or(keys.map(({ chainId: chain_id, contract }) => and({ chain_id, contract }))))
    .execute();
  const ids = rows.map(({ tank_id }) => tank_id);
  const spending = await readSpending(transaction, ids, now - Number(rateDays) * secondsPerDay);
  return (key, { chainDeposit, walletBalance }) => {
    const row = rows.find((each) => isOf(key, each) && each.wallet === key.wallet);
    const total = totals.find((each) => isOf(key, each));
    const { funded, settled, held } = row === undefined ? emptyTank : toTankSums(row);
    const heldOnContract = total === undefined ? 0n : fromWeiText(total.held);
    const seen = { chainDeposit: chainDeposit ?? 0n, walletBalance };
    const left = availableWei({ funded, settled, held }, heldOnContract, seen);
    const available = maxBigint(left, 0n);
    const daysLeft = countDaysLeft(available, row === undefined ? 0n : spending.get(row.tank_id));
    return {
      chainId: key.chainId,
      contract: key.contract,
      fundingWallet: key.wallet,
      // Below 0 only when the operator had debited what was still there to be taken out.
      funded: maxBigint(funded, 0n),
      settled,
      held,
      available,
      ...omitAbsent({ chainDeposit, daysLeft }),
    };
  };
}

function isOf({ chainId, contract }: TankKey, row: { readonly chain_id: number; readonly contract: string }): boolean {
  return row.chain_id === chainId && row.contract === contract;
}

/** Since when all entries of a tank are listed, in Unix seconds; undefined while none of them is archived. */
async function readEntriesSince(transaction: Transaction<Database>, key: TankKey): Promise<number | undefined> {
  const [tank] = await findTanks(transaction, [key]);
  if (tank === undefined) return undefined;
  const row = await transaction
    .selectFrom('ledger_archive')
    .select('entries_since')
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('archived_entries').select('tank_id').where('tank_id', '=', tank.tank_id)),
    )
    .executeTakeFirst();
  return row?.entries_since;
}

/** A page of a tank's entries, newest first; those before `beforeEntryId` if given. */
export async function readGasTankEntries(
  transaction: Transaction<Database>,
  key: TankKey,
  page: { readonly beforeEntryId?: number; readonly limit: number },
): Promise<readonly GasTankEntry[]> {
  const [tank] = await findTanks(transaction, [key]);
  if (tank === undefined) return [];
  const rows = await transaction
    .selectFrom('journal')
    .select(['entry_id', 'kind', 'amount', 'created_at', 'reason', 'tx_hash', 'log_index', 'reverses'])
    .where('tank_id', '=', tank.tank_id)
    .where('entry_id', '<', page.beforeEntryId ?? Number.MAX_SAFE_INTEGER)
    .orderBy('entry_id', 'desc')
    .limit(Math.min(Math.max(page.limit, 1), maxPageSize))
    .execute();
  return rows.map((row) => ({
    entryId: row.entry_id,
    // A cost is of no tank.
    kind: row.kind as GasTankEntry['kind'],
    amount: fromWeiText(row.amount),
    createdAt: row.created_at,
    ...omitAbsent({ reason: row.reason ?? undefined }),
    // Only transaction hashes of the chain are ever stored here.
    ...(row.tx_hash === null ? {} : { txHash: row.tx_hash as `0x${string}` }),
    ...(row.log_index === null ? {} : { logIndex: row.log_index }),
    ...(row.reverses === null ? {} : { reverses: row.reverses }),
  }));
}

function findTanks(transaction: Transaction<Database>, keys: readonly TankKey[]) {
  return transaction
    .selectFrom('tanks_with_held')
    .select(['tank_id', 'chain_id', 'contract', 'wallet', 'funded', 'settled', 'held'])
    .where(({ and, or }) =>
      or(keys.map(({ chainId: chain_id, contract, wallet }) => and({ chain_id, contract, wallet }))),
    )
    .execute();
}

function countDaysLeft(available: bigint, spent = 0n): number | undefined {
  return spent <= 0n ? undefined : Number(minBigint((available * rateDays) / spent, maxDays));
}

/**
 * The tanks of the wallets that funded a paymaster before the present one. Changing the wallet moves nothing: those tanks
 * keep what was paid in, their holds settle in them, and setting the wallet again makes them current again.
 */
export async function readFormerTanks(
  transaction: Transaction<Database>,
  paymasterId: string,
  { chainId, contract, wallet }: TankKey,
): Promise<readonly FormerTank[]> {
  const rows = await transaction
    .selectFrom('funding_wallets')
    .innerJoin('tanks_with_held as tanks', 'tanks.wallet', 'funding_wallets.address')
    .select(['tanks.wallet', 'tanks.funded', 'tanks.settled', 'tanks.held'])
    .distinct()
    .where('funding_wallets.paymaster_id', '=', paymasterId)
    .where('tanks.chain_id', '=', chainId)
    .where('tanks.contract', '=', contract)
    .where('tanks.wallet', '<>', wallet)
    .orderBy('tanks.wallet')
    .execute();
  return rows.map((row) => {
    const { funded, settled, held } = toTankSums(row);
    return { fundingWallet: getAddress(row.wallet), left: maxBigint(funded - settled - held, 0n), held };
  });
}

/** What the chain says is available for a tank, as last seen; parts that are not known now are absent. */
export async function readTankFunds(
  chain: FollowedChain | undefined,
  { location, wallet, customers }: LocatedTank,
): Promise<Partial<ChainFunds>> {
  const chainDeposit = chain?.watcher.view()?.deposits.get(location.address);
  if (chain === undefined || chainDeposit === undefined) return {};
  if (customers === undefined || wallet === undefined) return { chainDeposit };
  const walletBalance = await chain.customerBalances.read(location.address, customers.balanceData(wallet));
  return walletBalance === undefined ? {} : { chainDeposit, walletBalance };
}

import { maxPageSize } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Transaction } from 'kysely';
import { maxBigint, minBigint } from '../../base/values/integers.ts';
import type { GasTank, GasTankEntry } from '../../domain/gas-tank.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText } from '../../store/wei/wei-text.ts';
import { availableWei } from '../holds/available-wei.ts';
import type { ChainFunds, TankKey } from '../holds/hold-request.ts';
import { readSpending } from './tank-spending.ts';

/** Over how many days the rate of spending is averaged; the hour in which they begin is included as a whole. */
const rateDays = 7n;
const secondsPerDay = 86_400n;
/** Beyond this, days are not counted. */
const maxDays = 1_000_000n;

/** A tank according to the ledger, and what the chain says as last seen; nothing is available while that is not known. */
export async function readGasTank(
  transaction: Transaction<Database>,
  key: TankKey,
  { chainDeposit, ...funds }: Partial<ChainFunds>,
  now: number,
): Promise<GasTank> {
  const row = await findTank(transaction, key);
  const total = await transaction
    .selectFrom('contract_totals')
    .select('held')
    .where('chain_id', '=', key.chainId)
    .where('contract', '=', key.contract)
    .executeTakeFirst();
  const inName = row === undefined ? 0n : fromWeiText(row.funded);
  const really = inName - (row === undefined ? 0n : fromWeiText(row.shortfall));
  const settled = row === undefined ? 0n : fromWeiText(row.settled);
  const held = row === undefined ? 0n : fromWeiText(row.held);
  const heldOnContract = total === undefined ? 0n : fromWeiText(total.held);
  const left = availableWei({ funded: really, settled, held }, heldOnContract, {
    chainDeposit: chainDeposit ?? 0n,
    ...funds,
  });
  const available = maxBigint(left, 0n);
  const daysLeft = row === undefined ? undefined : await countDaysLeft(transaction, row.tank_id, available, now);
  const entriesSince = row === undefined ? undefined : await readEntriesSince(transaction, row.tank_id);
  return {
    chainId: key.chainId,
    contract: key.contract,
    fundingWallet: key.wallet,
    // Below 0 only when the operator had debited what was still there to be taken out.
    funded: maxBigint(really, 0n),
    settled,
    held,
    available,
    ...omitAbsent({ chainDeposit, daysLeft, entriesSince }),
  };
}

/** A page of a tank's entries, newest first; those before `beforeEntryId` if given. */
export async function readGasTankEntries(
  transaction: Transaction<Database>,
  key: TankKey,
  page: { readonly beforeEntryId?: number; readonly limit: number },
): Promise<readonly GasTankEntry[]> {
  const tank = await findTank(transaction, key);
  if (tank === undefined) return [];
  const rows = await transaction
    .selectFrom('entries')
    .leftJoin('operator_releases as released', 'released.entry_id', 'entries.entry_id')
    .selectAll('entries')
    .select(['released.reason as released_for', 'released.ground'])
    .where('tank_id', '=', tank.tank_id)
    .where('entries.entry_id', '<', page.beforeEntryId ?? Number.MAX_SAFE_INTEGER)
    .orderBy('entries.entry_id', 'desc')
    .limit(Math.min(Math.max(page.limit, 1), maxPageSize))
    .execute();
  return rows.map((row) => ({
    entryId: row.entry_id,
    kind: row.kind,
    amount: fromWeiText(row.amount),
    createdAt: row.created_at,
    ...omitAbsent({ reason: row.reason ?? reasonOf(row) }),
    // Only transaction hashes of the chain are ever stored here.
    ...(row.tx_hash === null ? {} : { txHash: row.tx_hash as `0x${string}` }),
    ...(row.log_index === null ? {} : { logIndex: row.log_index }),
    ...(row.reverses === null ? {} : { reverses: row.reverses }),
  }));
}

/** For a release by the operator: the reason given, and what showed that nothing could land. */
function reasonOf({
  released_for: reason,
  ground,
}: {
  readonly released_for: string | null;
  readonly ground: string | null;
}) {
  return reason === null ? undefined : `by the operator: ${reason} (${ground})`;
}

function findTank(transaction: Transaction<Database>, key: TankKey) {
  return transaction
    .selectFrom('tanks')
    .select(['tank_id', 'funded', 'settled', 'held', 'shortfall'])
    .where('chain_id', '=', key.chainId)
    .where('contract', '=', key.contract)
    .where('wallet', '=', key.wallet)
    .executeTakeFirst();
}

/** Since when all entries are listed, in Unix seconds; undefined while none of the tank is archived. */
async function readEntriesSince(transaction: Transaction<Database>, tankId: number): Promise<number | undefined> {
  const row = await transaction
    .selectFrom('ledger_archive')
    .select('entries_since')
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('archived_entries').select('tank_id').where('tank_id', '=', tankId)),
    )
    .executeTakeFirst();
  return row?.entries_since;
}

async function countDaysLeft(
  transaction: Transaction<Database>,
  tankId: number,
  available: bigint,
  now: number,
): Promise<number | undefined> {
  const spent = await readSpending(transaction, tankId, now - Number(rateDays * secondsPerDay));
  return spent === 0n ? undefined : Number(minBigint((available * rateDays) / spent, maxDays));
}

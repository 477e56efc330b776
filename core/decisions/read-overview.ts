import { readUsd } from '@tollfree/contract/fields/forms';
import {
  cursorForm,
  defaultPageSize,
  maxOverviewDecisions,
  maxOverviewReasons,
  overviewDays,
} from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { suggestDailyUsd } from '@tollfree/contract/suggested-limit';
import { type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import type { Core } from '../domain/core.ts';
import type { OverviewDecision, OverviewPaymaster, OverviewTank } from '../domain/overview.ts';
import { accept, invalidField } from '../domain/result/result.ts';
import { dayOf, readUtcDays, secondsPerDay } from '../domain/utc-days.ts';
import type { ChainFunds, TankKey } from '../ledger/holds/hold-request.ts';
import { type LocatedTank, placeTank, relayPlaceOf } from '../ledger/tanks/locate-tank.ts';
import { readTankFunds, readTanks } from '../ledger/tanks/read-gas-tank.ts';
import type { FollowedChain } from '../node/followed-chain.ts';
import { selectUnbounded } from '../policies/unbounded-paymasters.ts';
import type { Database } from '../store/database.ts';
import { dialectOf } from '../store/dialect-of.ts';
import type { Store } from '../store/store.ts';
import { fromWeiText } from '../store/wei.ts';
import { readOverviewDecisions, selectAnyDecisions } from './stored-decision.ts';

type Chains = ReadonlyMap<number, FollowedChain>;
type Row = Selectable<Database['paymasters']>;
type Snapshot = Transaction<Database>;

/** `Core.getOverview`: a page of paymasters, with the same number of statements for any number of them. */
export function createReadOverview(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly chains: Chains;
}): Core['getOverview'] {
  const { store, clock, chains } = parts;
  return async ({ accountId, cursor }) => {
    if (cursor !== undefined && !cursorForm.test(cursor)) {
      return invalidField('cursor', 'must be the nextCursor of an earlier answer');
    }
    const now = unixSeconds(clock);
    const shown = readUtcDays({}, now);
    if (!shown.ok) return shown;
    const { from, until } = shown.value;
    const since = { compared: until - overviewDays * secondsPerDay, shown: from, today: until - secondsPerDay };
    // One more than fits, to see whether there are more.
    const rows = await store.db
      .selectFrom('paymasters')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('retired_at', 'is', null)
      .where('paymaster_number', '>', Number(cursor ?? 0))
      .orderBy('paymaster_number')
      .limit(defaultPageSize + 1)
      .execute();
    const page = rows.slice(0, defaultPageSize);
    const tanks = await Promise.all(page.map((row) => findTanks(chains, row)));
    const ids = page.map(({ paymaster_id }) => paymaster_id);
    const nextCursor = rows.length > page.length ? page.at(-1)?.paymaster_number.toString() : undefined;
    return store.read(async (snapshot) => {
      const days = await readDays(snapshot, ids, since.compared);
      const refusals = await countRefusals(snapshot, ids, since);
      const unbounded = await readUnbounded(snapshot, ids);
      const keys = tanks.flat().flatMap(({ key }) => key ?? []);
      const tankOf = await readTanks(snapshot, keys, now);
      const paymasters = ids.map((paymasterId, index): OverviewPaymaster => {
        const [tank, relay] = (tanks[index] ?? []).map(({ key, funds }) => (key ? tankOf(key, funds) : emptyTank));
        const ofDays = days.get(paymasterId) ?? [];
        return {
          paymasterId,
          days: ofDays,
          refusals: refusals.get(paymasterId) ?? [],
          bounded: !unbounded.has(paymasterId),
          ...(unbounded.has(paymasterId) ? { suggestedDailyUsdMicros: suggestDailyMicros(ofDays, since.shown) } : {}),
          ...(tank === undefined
            ? {}
            : { tank: { ...toTank(tank), ...omitAbsent({ relay: relay && toRelay(relay) }) } }),
        };
      });
      return accept({ paymasters, recent: await readRecent(snapshot, ids), ...omitAbsent({ nextCursor }) });
    });
  };
}

/** While a paymaster has no funding wallet, its tank has no key. */
type FoundTank = { readonly key: TankKey | undefined; readonly funds: Partial<ChainFunds> };
type TankSums = Omit<OverviewTank, 'relay'>;

const emptyTank: TankSums = { funded: 0n, settled: 0n, available: 0n };

function toTank({ fundingWallet, funded, settled, available, daysLeft }: TankSums): TankSums {
  return { funded, settled, available, ...omitAbsent({ fundingWallet, daysLeft }) };
}

function toRelay({ funded, available }: TankSums): NonNullable<OverviewTank['relay']> {
  return { funded, available };
}

/** The paymaster's tank, and then that of the relay if there is one; none if its contract is no longer configured. */
async function findTanks(chains: Chains, row: Row): Promise<readonly FoundTank[]> {
  const chain = chains.get(row.chain_id);
  const place = placeTank(chains, row);
  if (chain === undefined || !place.ok) return [];
  const { wallet } = place.value;
  const relay = wallet && relayPlaceOf(chain, place.value.location);
  const places: readonly LocatedTank[] = [
    place.value,
    ...(relay === undefined ? [] : [{ location: relay, wallet, customers: undefined, isAsConfigured: true }]),
  ];
  return Promise.all(
    places.map(async (each) => ({
      key: wallet && { chainId: row.chain_id, contract: each.location.address, wallet },
      funds: await readTankFunds(chain, each),
    })),
  );
}

async function readDays(
  snapshot: Snapshot,
  ids: readonly string[],
  from: number,
): Promise<ReadonlyMap<string, OverviewPaymaster['days']>> {
  const rows = await snapshot
    .selectFrom('usage_sums')
    .select(['paymaster_id', 'day', 'signed', 'refused', 'landed', 'charge', 'users_paid', 'priced', 'usd_micros'])
    .where('paymaster_id', 'in', dialectOf(snapshot).texts(ids))
    .where('dimension', '=', 'day')
    .where('day', '>=', from)
    .orderBy('day')
    .execute();
  return byPaymaster(rows, ({ day, signed, refused, landed, charge, users_paid, priced, usd_micros }) => ({
    day: dayOf(day),
    signed,
    refused,
    landed,
    charge: fromWeiText(charge),
    usersPaid: users_paid === null ? 0n : fromWeiText(users_paid),
    chargeUsdMicros: BigInt(usd_micros),
    unpriced: landed - priced,
  }));
}

/** Counts the refusals among the newest decisions of each paymaster. The index has all that this reads. */
async function countRefusals(
  snapshot: Snapshot,
  ids: readonly string[],
  { shown, today }: { readonly shown: number; readonly today: number },
): Promise<ReadonlyMap<string, OverviewPaymaster['refusals']>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ paymaster_id: string; reason: string; count: number; today: number }>`
    SELECT paymaster_id, reason, count(*) AS count, sum(CASE WHEN created_at >= ${today} THEN 1 ELSE 0 END) AS today
    FROM (${newestOfEach(ids, maxOverviewReasons)}) AS counted
    WHERE outcome = 'refused' AND reason IS NOT NULL AND created_at >= ${shown}
    GROUP BY paymaster_id, reason ORDER BY count(*) DESC, reason`.execute(snapshot);
  return byPaymaster(rows, ({ reason, count, today }) => ({ reason, count: Number(count), today: Number(today) }));
}

function suggestDailyMicros(days: OverviewPaymaster['days'], since: number): bigint {
  const first = dayOf(since);
  const shown = days.filter(({ day }) => day >= first);
  const highest = Math.max(0, ...shown.map(({ chargeUsdMicros }) => Number(chargeUsdMicros)));
  return readUsd(suggestDailyUsd(highest / 1e6));
}

async function readUnbounded(snapshot: Snapshot, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await selectUnbounded(snapshot)
    .select('paymaster_id')
    .where('paymaster_id', 'in', dialectOf(snapshot).texts(ids))
    .execute();
  return new Set(rows.map(({ paymaster_id }) => paymaster_id));
}

async function readRecent(snapshot: Snapshot, ids: readonly string[]): Promise<readonly OverviewDecision[]> {
  if (ids.length === 0) return [];
  const newest = await sql<{ decision_number: number }>`
    SELECT decision_number FROM (${newestOfEach(ids, maxOverviewDecisions)}) AS newest
    ORDER BY decision_number DESC LIMIT ${maxOverviewDecisions}`.execute(snapshot);
  const numbers = newest.rows.map((row) => row.decision_number);
  const found = await selectAnyDecisions(snapshot)
    .select('decisions.paymaster_id')
    .where('decisions.decision_number', 'in', dialectOf(snapshot).numbers(numbers))
    .execute();
  return readOverviewDecisions({ db: snapshot }, found);
}

/** The newest decisions of each paymaster, as one statement that reads no more of any of them. */
function newestOfEach(ids: readonly string[], most: number): RawBuilder<unknown> {
  const ofOne = (id: string) => sql`SELECT * FROM (
    SELECT paymaster_id, decision_number, outcome, reason, created_at FROM decisions
    WHERE paymaster_id = ${id} ORDER BY decision_number DESC LIMIT ${most}) AS of_one`;
  return sql.join(ids.map(ofOne), sql` UNION ALL `);
}

/** Rows grouped by their paymaster, in order. */
function byPaymaster<Each extends { readonly paymaster_id: string }, Item>(
  rows: readonly Each[],
  toItem: (row: Each) => Item,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const row of rows) {
    const group = groups.get(row.paymaster_id);
    if (group === undefined) groups.set(row.paymaster_id, [toItem(row)]);
    else group.push(toItem(row));
  }
  return groups;
}

import { omitAbsent } from '@tollfree/contract/omit-absent';
import { sql, type Transaction } from 'kysely';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Core } from '../../domain/core.ts';
import type { UpstreamSum } from '../../domain/ledger-report.ts';
import { accept, invalidField, type Result } from '../../domain/result/result.ts';
import { readUtcDays } from '../../domain/utc-days.ts';
import type { FollowedChain } from '../../node/followed-chain.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';
import { locateTank } from '../tanks/locate-tank.ts';
import { readStatement, type StatementOf } from './read-statement.ts';
import { readTankDays } from './read-tank-days.ts';

/** The part of the ledger that shows a tank over time, read in the reader thread. */
export function createStatements(parts: {
  readonly store: Store;
  readonly chains: ReadonlyMap<number, FollowedChain>;
  readonly clock: Clock;
}): Pick<Core, 'listGasTankDays' | 'readGasTankStatement'> {
  const { store, clock } = parts;
  return {
    async listGasTankDays({ from, until, ...owned }) {
      const days = readUtcDays(omitAbsent({ from, until }), unixSeconds(clock));
      if (!days.ok) return days;
      const found = await locateTank(parts, owned);
      if (!found.ok) return found;
      const { wallet, location } = found.value;
      if (wallet === undefined) return accept([]);
      const key = { chainId: location.chainId, contract: location.address, wallet };
      return accept(await store.read((snapshot) => readTankDays(snapshot, key, days.value)));
    },

    async readGasTankStatement({ month: asked, ...owned }) {
      const span = readStatementMonth(asked, unixSeconds(clock));
      if (!span.ok) return span;
      const found = await locateTank(parts, owned);
      if (!found.ok) return found;
      const { wallet, location, customers } = found.value;
      const { month, from, until } = span.value;
      const { chainId, address: contract } = location;
      if (wallet === undefined) return accept({ month, chainId, contract, tanks: [] });
      const { paymasterId } = owned;
      const of = { paymasterId, chainId, contract, wallet, keepsBalances: customers !== undefined, from, until };
      const { tanks, upstream } = await store.read(async (snapshot) => ({
        tanks: await readStatement(snapshot, of),
        upstream: await readUpstreamSum(snapshot, of),
      }));
      return accept({ month, chainId, contract, tanks, ...omitAbsent({ upstream }) });
    },
  };
}

/** What another paymaster sponsored for this one in a period of whole days; undefined if nothing. */
async function readUpstreamSum(
  snapshot: Transaction<Database>,
  { chainId, paymasterId, from, until }: Pick<StatementOf, 'chainId' | 'paymasterId' | 'from' | 'until'>,
): Promise<UpstreamSum | undefined> {
  const row = await snapshot
    .selectFrom('upstream_sums')
    .select(({ fn }) => [
      fn.coalesce(fn.sum<number>('operations'), sql<number>`0`).as('operations'),
      sql<string>`CAST(coalesce(sum(usd_micros), 0) AS TEXT)`.as('usd'),
    ])
    .where('chain_id', '=', chainId)
    .where('whose', '=', paymasterId)
    .where('day', '>=', from)
    .where('day', '<', until)
    .executeTakeFirstOrThrow();
  const operations = Number(row.operations);
  return operations === 0 ? undefined : { operations, worstCaseUsdMicros: BigInt(row.usd) };
}

/** A UTC month (`YYYY-MM`), its first second and the first after it. */
type StatementMonth = { readonly month: string; readonly from: number; readonly until: number };

/** The requested month; that of `now` (Unix seconds) when none is given. */
export function readStatementMonth(text: string | undefined, now: number): Result<StatementMonth> {
  const month = text ?? new Date(now * 1_000).toISOString().slice(0, 7);
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return invalidField('month', 'must be a month like 2026-01');
  const [year, index] = [Number(month.slice(0, 4)), Number(month.slice(5)) - 1];
  const from = Date.UTC(year, index) / 1_000;
  if (from > now) return invalidField('month', 'must have begun');
  return accept({ month, from, until: Date.UTC(year, index + 1) / 1_000 });
}

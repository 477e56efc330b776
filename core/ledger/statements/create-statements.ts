import { cursorForm, maxStatementsAtOnce } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { sql, type Transaction } from 'kysely';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import { maxBigint } from '../../base/values/integers.ts';
import type { Core } from '../../domain/core.ts';
import type { GasTankDay, PaymasterStatement, VendorSum } from '../../domain/ledger-report.ts';
import { accept, invalidField, type Result } from '../../domain/result/result.ts';
import { dayOf, readUtcDays, secondsPerDay, type UtcDays } from '../../domain/utc-days.ts';
import type { FollowedChain } from '../../node/followed-chain.ts';
import type { Database } from '../../store/database.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import type { Store } from '../../store/store.ts';
import { fromWeiSum, sumWei } from '../../store/wei.ts';
import { accountsNamed, toLedgerAccounts } from '../accounts/ledger-accounts.ts';
import { vendorStatementAccount } from '../accounts/vendor-accounts.ts';
import type { TankKey } from '../holds/hold-request.ts';
import { type LocatedTank, locateTank, placeTank, relayPlaceOf } from '../tanks/locate-tank.ts';
import { addsMoney, movesOtherMoney, readStatement, type StatementOf, tankBalance } from './read-statement.ts';

/** The part of the ledger that shows a tank over time, read in the reader thread. */
export function createStatements(parts: {
  readonly store: Store;
  readonly chains: ReadonlyMap<number, FollowedChain>;
  readonly clock: Clock;
}): Pick<Core, 'listGasTankDays' | 'readGasTankStatement' | 'readAccountStatement'> {
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
      const { month } = span.value;
      const { paymasterId } = owned;
      const { paymasterId: _, ...statement } = await store.read((snapshot) =>
        statePaymaster(snapshot, { ...span.value, paymasterId, tank: found.value, chains: parts.chains }),
      );
      return accept({ month, ...statement });
    },

    async readAccountStatement({ accountId, month: asked, cursor }) {
      if (cursor !== undefined && !cursorForm.test(cursor)) {
        return invalidField('cursor', 'must be the nextCursor of an earlier answer');
      }
      const span = readStatementMonth(asked, unixSeconds(clock));
      if (!span.ok) return span;
      const rows = await store.db
        .selectFrom('paymasters')
        .select(['paymaster_number', 'paymaster_id', 'chain_id', 'version', 'funding_wallet'])
        .where('account_id', '=', accountId)
        .where('paymaster_number', '>', cursor === undefined ? 0 : Number(cursor))
        .orderBy('paymaster_number')
        .limit(maxStatementsAtOnce + 1)
        .execute();
      const page = rows.slice(0, maxStatementsAtOnce);
      const nextCursor = rows.length > page.length ? page.at(-1)?.paymaster_number : undefined;
      const statements = await store.read(async (snapshot) => {
        const stated: PaymasterStatement[] = [];
        for (const row of page) {
          const tank = placeTank(parts.chains, row);
          const of = { ...span.value, paymasterId: row.paymaster_id, chains: parts.chains };
          if (tank.ok) stated.push(await statePaymaster(snapshot, { ...of, tank: tank.value }));
        }
        return stated;
      });
      return accept({ month: span.value.month, statements, ...omitAbsent({ nextCursor: nextCursor?.toString() }) });
    },
  };
}

type Stated = StatementMonth & {
  readonly paymasterId: string;
  readonly tank: LocatedTank;
  readonly chains: ReadonlyMap<number, FollowedChain>;
};

/** A paymaster's month: its tanks at its contract, then those of the relay, then what another paymaster paid. */
async function statePaymaster(
  snapshot: Transaction<Database>,
  { paymasterId, from, until, chains, tank: { wallet, location, customers } }: Stated,
): Promise<PaymasterStatement> {
  const { chainId, address: contract } = location;
  if (wallet === undefined) return { paymasterId, chainId, contract, tanks: [] };
  const of = { paymasterId, chainId, wallet, from, until };
  const keepsBalances = customers !== undefined;
  const atContract = await readStatement(snapshot, { ...of, payer: 'CONTRACT', contract, keepsBalances });
  const chain = chains.get(chainId);
  const relay = chain && relayPlaceOf(chain, location)?.address;
  const atRelay =
    relay === undefined
      ? []
      : await readStatement(snapshot, { ...of, payer: 'RELAY', contract: relay, keepsBalances: false });
  const vendor = await readVendorSum(snapshot, of);
  return { paymasterId, chainId, contract, tanks: [...atContract, ...atRelay], ...omitAbsent({ vendor }) };
}

/** What another paymaster sponsored for this one in a UTC month; undefined if nothing. */
async function readVendorSum(
  snapshot: Transaction<Database>,
  { chainId, paymasterId, from }: Pick<StatementOf, 'chainId' | 'paymasterId' | 'from'>,
): Promise<VendorSum | undefined> {
  const name = vendorStatementAccount({ chainId, paymasterId, month: from });
  const [rows] = await runTogether(snapshot, accountsNamed([name]));
  const { count, amount } = toLedgerAccounts(rows, [name]).of(name);
  return count === 0 ? undefined : { operations: count, worstCaseUsdMicros: amount };
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

/**
 * A tank day by day: calculated backwards from what is in it now, using what was posted since. An operation that was rolled back
 * is taken off on the day of that.
 */
export async function readTankDays(
  snapshot: Transaction<Database>,
  key: TankKey,
  { days, from }: UtcDays,
): Promise<readonly GasTankDay[]> {
  const tank = await snapshot
    .selectFrom('tanks')
    .select(['tank_id', 'funded', 'settled'])
    .where('chain_id', '=', key.chainId)
    .where('contract', '=', key.contract)
    .where('wallet', '=', key.wallet)
    .executeTakeFirst();
  if (tank === undefined) return days.map((day) => ({ day, balance: 0n, spent: 0n }));
  const spent = await readSpent(snapshot, tank.tank_id, from);
  const added = await readAdded(snapshot, tank.tank_id, from);
  // Those after the last requested day come first.
  const changes = [...new Set([...spent.keys(), ...added.keys()])].sort().reverse();
  let balance = tankBalance(tank);
  let next = 0;
  const rows = days.toReversed().map((day) => {
    for (let later = changes[next]; later !== undefined && later > day; later = changes[next]) {
      balance += (spent.get(later) ?? 0n) - (added.get(later) ?? 0n);
      next += 1;
    }
    return { day, balance, spent: maxBigint(spent.get(day) ?? 0n, 0n) };
  });
  return rows.reverse();
}

/** What was spent on each day, in wei; below 0 where more was rolled back. */
async function readSpent(
  snapshot: Transaction<Database>,
  tankId: number,
  from: number,
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await snapshot
    .selectFrom('tank_days')
    .select(['day', 'back', sumWei('wei').as('sum')])
    .where('tank_id', '=', tankId)
    .where('day', '>=', from)
    .groupBy(['day', 'back'])
    .execute();
  const days = new Map<string, bigint>();
  for (const { day, back, sum } of rows) {
    const before = days.get(dayOf(day)) ?? 0n;
    days.set(dayOf(day), back === 1 ? before - fromWeiSum(sum) : before + fromWeiSum(sum));
  }
  return days;
}

/** What was added on each day in any other way, in wei; below 0 where more was taken out. */
async function readAdded(
  snapshot: Transaction<Database>,
  tankId: number,
  from: number,
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await snapshot
    .selectFrom('journal')
    .select(({ eb }) => [
      sql<number>`created_at - created_at % ${sql.lit(secondsPerDay)}`.as('day'),
      'kind',
      eb('reverses', 'is not', null).as('back'),
      sumWei('amount').as('sum'),
    ])
    .where('tank_id', '=', tankId)
    .where(movesOtherMoney)
    .where('created_at', '>=', from)
    .groupBy(({ eb }) => ['day', 'kind', eb('reverses', 'is not', null)])
    .execute();
  const days = new Map<string, bigint>();
  for (const { day, kind, back, sum } of rows) {
    const adds = addsMoney[kind as keyof typeof addsMoney] !== Boolean(back);
    const before = days.get(dayOf(day)) ?? 0n;
    days.set(dayOf(day), adds ? before + fromWeiSum(sum) : before - fromWeiSum(sum));
  }
  return days;
}

import { sql, type Transaction } from 'kysely';
import { type Address, getAddress } from 'viem';
import type { MoneySum, TankStatement } from '../../domain/ledger-report.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiSum, fromWeiText, sumWei } from '../../store/wei.ts';
import { readWatch } from '../read-watch.ts';

/** Only entries that move money and do not belong to an operation, which are few. Their index has exactly this condition. */
export const movesOtherMoney = sql<boolean>`journal.kind IN ('deposit', 'withdrawal', 'credit', 'debit')`;

/** Whether an entry of a kind adds to its tank. */
export const addsMoney = { deposit: true, credit: true, withdrawal: false, debit: false } as const;

/** Whose tanks, and the period in which entries were posted (Unix seconds). */
export type StatementOf = {
  readonly paymasterId: string;
  readonly payer: TankStatement['payer'];
  readonly chainId: number;
  readonly contract: Address;
  readonly wallet: Address;
  /** The contract keeps balances of its customers, and may charge them more than the EntryPoint takes. */
  readonly keepsBalances: boolean;
  readonly from: number;
  readonly until: number;
};

type Kind = 'deposit' | 'withdrawal' | 'credit' | 'debit' | 'settle';
const noMoney = { wei: 0n, usdMicros: 0n, unpriced: 0 };
const nothing: KindSum = {
  ...noMoney,
  count: 0,
  usersPaid: 0n,
  usersPaidUsdMicros: 0n,
  cost: 0n,
  premiumUsdMicros: 0n,
};

/** A statement for each tank that the paymaster has or had, the present one first. */
export async function readStatement(
  snapshot: Transaction<Database>,
  of: StatementOf,
): Promise<readonly TankStatement[]> {
  const tanks = await snapshot
    .selectFrom('tanks')
    .select(['tank_id', 'wallet', 'funded', 'settled'])
    .where('chain_id', '=', of.chainId)
    .where('contract', '=', of.contract)
    // One list of wallets: with an `or` of this one and those, SQLite reads every tank of the contract.
    .where('wallet', 'in', (eb) =>
      eb
        .selectFrom('funding_wallets')
        .select('address')
        .where('paymaster_id', '=', of.paymasterId)
        .union(snapshot.selectNoFrom(sql<string>`CAST(${of.wallet} AS TEXT)`.as('address'))),
    )
    .orderBy(({ eb }) => eb('wallet', '<>', of.wallet))
    .orderBy('wallet')
    .execute();
  if (tanks.length === 0) return [];
  const watch = await readWatch(snapshot, of);
  // Blocks are numbered from 0, and the watch is at the first one that is not in the ledger.
  const atBlock = watch === undefined ? 0 : Math.max(watch.next_block - 1, 0);
  const statements: TankStatement[] = [];
  for (const tank of tanks) statements.push(await stateTank(snapshot, tank, { ...of, atBlock }));
  return statements;
}

async function stateTank(
  snapshot: Transaction<Database>,
  tank: Parameters<typeof tankBalance>[0] & { readonly tank_id: number; readonly wallet: string },
  of: StatementOf & Pick<TankStatement, 'atBlock'>,
): Promise<TankStatement> {
  const tankId = tank.tank_id;
  const sums = await sumEntries(snapshot, tankId, of);
  const since = await sumEntries(snapshot, tankId, { from: of.until, until: Number.MAX_SAFE_INTEGER });
  const closing = tankBalance(tank) - changeOf(since);
  const settled = sums.get('settle') ?? nothing;
  return {
    payer: of.payer,
    fundingWallet: getAddress(tank.wallet),
    opening: closing - changeOf(sums),
    closing,
    deposited: moneyOf(sums, 'deposit'),
    withdrawn: moneyOf(sums, 'withdrawal'),
    credited: moneyOf(sums, 'credit'),
    debited: moneyOf(sums, 'debit'),
    spent: moneyOf(sums, 'settle'),
    premium: of.keepsBalances ? premiumOf(settled) : noMoney,
    usersPaid: { wei: settled.usersPaid, usdMicros: settled.usersPaidUsdMicros, unpriced: settled.unpriced },
    operations: settled.count,
    atBlock: of.atBlock,
    elsewhere: await readElsewhere(snapshot, tankId, of),
  };
}

/**
 * Entries of a period of whole days by kind, minus those that reverse others; `count` is the number of those that have not
 * been reversed.
 */
type Sums = ReadonlyMap<Kind, KindSum>;
type KindSum = MoneySum & {
  readonly count: number;
  /** How much of it users paid for in tokens, in wei. */
  readonly usersPaid: bigint;
  /** The worth of that, at the price of each entry, each rounded towards zero. */
  readonly usersPaidUsdMicros: bigint;
  /** What the EntryPoint took from the contract for it, in wei. */
  readonly cost: bigint;
  /** The worth of what the contract took on top, at the price of each entry, each rounded towards zero. */
  readonly premiumUsdMicros: bigint;
};

/** The sum of similar entries. */
type Sum = Omit<KindSum, 'unpriced'> & { readonly kind: Kind; readonly back: boolean; readonly priced: number };

async function sumEntries(
  snapshot: Transaction<Database>,
  tankId: number,
  span: Pick<StatementOf, 'from' | 'until'>,
): Promise<Sums> {
  const settled = await readSettledDays(snapshot, tankId, span);
  const rows = [...(await readOthers(snapshot, tankId, span)), ...settled];
  const sums = new Map<Kind, KindSum>();
  for (const { kind, back, ...sum } of rows) {
    const before = sums.get(kind) ?? nothing;
    const sign = back ? -1 : 1;
    sums.set(kind, {
      wei: before.wei + BigInt(sign) * sum.wei,
      usersPaid: before.usersPaid + BigInt(sign) * sum.usersPaid,
      usersPaidUsdMicros: before.usersPaidUsdMicros + BigInt(sign) * sum.usersPaidUsdMicros,
      usdMicros: before.usdMicros + BigInt(sign) * sum.usdMicros,
      cost: before.cost + BigInt(sign) * sum.cost,
      premiumUsdMicros: before.premiumUsdMicros + BigInt(sign) * sum.premiumUsdMicros,
      unpriced: before.unpriced + sign * (sum.count - sum.priced),
      count: before.count + sign * sum.count,
    });
  }
  return sums;
}

/** Entries that are few; those of operations are summed up per day. */
async function readOthers(
  snapshot: Transaction<Database>,
  tankId: number,
  { from, until }: Pick<StatementOf, 'from' | 'until'>,
): Promise<readonly Sum[]> {
  const rows = await snapshot
    .selectFrom('journal')
    .select(({ eb, fn }) => [
      'kind',
      eb('reverses', 'is not', null).as('back'),
      sumWei('amount').as('sum'),
      fn.countAll<number>().as('count'),
      fn.count<number>('usd_micros').as('priced'),
      sql<string>`CAST(coalesce(sum(usd_micros), 0) AS TEXT)`.as('usd'),
    ])
    .where('tank_id', '=', tankId)
    .where(movesOtherMoney)
    .where('created_at', '>=', from)
    .where('created_at', '<', until)
    .groupBy(({ eb }) => ['kind', eb('reverses', 'is not', null)])
    .execute();
  return rows.map(({ kind, back, sum, usd, count, priced }) => ({
    // The condition lets no other kind through.
    kind: kind as Kind,
    back: Boolean(back),
    wei: fromWeiSum(sum),
    usersPaid: 0n,
    usersPaidUsdMicros: 0n,
    cost: 0n,
    usdMicros: BigInt(usd),
    premiumUsdMicros: 0n,
    count,
    priced,
  }));
}

async function readSettledDays(
  snapshot: Transaction<Database>,
  tankId: number,
  { from, until }: Pick<StatementOf, 'from' | 'until'>,
): Promise<readonly Sum[]> {
  const rows = await snapshot
    .selectFrom('tank_days')
    .select(({ fn }) => [
      'back',
      sumWei('wei').as('sum'),
      sumWei('users_paid').as('users_paid'),
      sumWei('cost').as('cost'),
      sql<string>`CAST(coalesce(sum(usd_micros), 0) AS TEXT)`.as('usd'),
      sql<string>`CAST(coalesce(sum(premium_usd_micros), 0) AS TEXT)`.as('premium_usd'),
      sql<string>`CAST(coalesce(sum(users_paid_usd_micros), 0) AS TEXT)`.as('users_paid_usd'),
      fn.sum<number>('operations').as('count'),
      fn.sum<number>('priced').as('priced'),
    ])
    .where('tank_id', '=', tankId)
    .where('day', '>=', from)
    .where('day', '<', until)
    .groupBy('back')
    .execute();
  return rows.map(({ back, sum, users_paid, users_paid_usd, cost, usd, premium_usd, count, priced }) => ({
    kind: 'settle',
    back: back === 1,
    wei: fromWeiSum(sum),
    usersPaid: fromWeiSum(users_paid),
    usersPaidUsdMicros: BigInt(users_paid_usd),
    cost: fromWeiSum(cost),
    usdMicros: BigInt(usd),
    premiumUsdMicros: BigInt(premium_usd),
    count,
    priced,
  }));
}

function moneyOf(sums: Sums, kind: Kind): MoneySum {
  const { wei, usdMicros, unpriced } = sums.get(kind) ?? nothing;
  return { wei, usdMicros, unpriced };
}

/** What the contract took from the tank on top of what the EntryPoint took from the contract. */
function premiumOf({ wei, cost, premiumUsdMicros, unpriced }: KindSum): MoneySum {
  return { wei: wei - cost, usdMicros: premiumUsdMicros, unpriced };
}

/** How much the entries changed what is in the tank, in wei. */
function changeOf(sums: Sums): bigint {
  const wei = (kind: Kind) => sums.get(kind)?.wei ?? 0n;
  return wei('deposit') - wei('withdrawal') + wei('credit') - wei('debit') - wei('settle');
}

/** What no hold of the paymaster explains: other paymasters of the same wallet, and operations without a hold. */
async function readElsewhere(
  snapshot: Transaction<Database>,
  tankId: number,
  { paymasterId, from, until }: StatementOf,
): Promise<TankStatement['elsewhere']> {
  const rows = await snapshot
    .selectFrom('tank_days')
    .select(({ fn }) => ['back', sumWei('wei').as('sum'), fn.sum<number>('operations').as('count')])
    .where('tank_id', '=', tankId)
    .where('day', '>=', from)
    .where('day', '<', until)
    .where('paymaster_id', '<>', paymasterId)
    .groupBy('back')
    .execute();
  return rows.reduce(
    ({ wei, operations }, { back, sum, count }) =>
      back
        ? { wei: wei - fromWeiSum(sum), operations: operations - count }
        : { wei: wei + fromWeiSum(sum), operations: operations + count },
    { wei: 0n, operations: 0 },
  );
}

/** What is in a tank, held or not, in wei: what was put in minus what was taken out and spent. */
export function tankBalance(tank: { readonly funded: string; readonly settled: string }): bigint {
  return fromWeiText(tank.funded) - fromWeiText(tank.settled);
}

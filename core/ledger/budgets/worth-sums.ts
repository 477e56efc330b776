import { type Kysely, sql } from 'kysely';
import type { BudgetWindow } from '../../domain/budget.ts';
import { isSponsored, type PaidAs } from '../../domain/user-share.ts';
import { windowEnd } from '../../policies/limit-window.ts';
import { worthUsdMicros } from '../../policies/worth-usd.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { allPaymasters } from '../sums/hold-legs.ts';

/** Whose worth is asked for: that of all the account's paymasters, or of some. */
export type WorthOwner = { readonly accountId: string; readonly paymasterIds?: readonly string[] };

/** One window of some paymasters of an account. */
export type WorthWindow = WorthOwner & { readonly window: BudgetWindow; readonly start: number };

/** The worth of what was held in one window and not released. */
export async function readWorth(db: Kysely<Database>, window: WorthWindow): Promise<bigint> {
  const [rows] = await runTogether(db, worthsOf([window]));
  return toWorths(rows).get(0) ?? 0n;
}

const askedColumns = {
  asked_number: 'number',
  account_id: 'text',
  paymaster_id: 'text',
  span: 'text',
  from_start: 'number',
  until_start: 'number',
} as const;
type AskedRow = {
  asked_number: number;
  account_id: string;
  paymaster_id: string;
  span: Database['worth_sums']['span'];
  from_start: number;
  until_start: number;
};

/** The worth of windows, each by its position; windows without any worth are missing. */
export const worthsOf = fixedStatement<readonly WorthWindow[]>()(({ db, rows }) =>
  db
    .selectFrom(rows<AskedRow>(askedColumns, (windows) => windows.flatMap(askedRows)).as('asked'))
    .innerJoin('worth_sums', (join) =>
      join
        .onRef('worth_sums.account_id', '=', 'asked.account_id')
        .onRef('worth_sums.paymaster_id', '=', 'asked.paymaster_id')
        .onRef('worth_sums.span', '=', 'asked.span')
        .onRef('worth_sums.span_start', '>=', 'asked.from_start')
        .onRef('worth_sums.span_start', '<', 'asked.until_start'),
    )
    .select(['asked.asked_number', sql<string>`CAST(sum(usd_micros) AS TEXT)`.as('worth')])
    .groupBy('asked.asked_number'),
);

function askedRows({ accountId, paymasterIds = [allPaymasters], window, start }: WorthWindow, index: number) {
  const span = window === 'ever' ? 'ever' : 'day';
  const until = windowEnd(window, start) ?? Number.MAX_SAFE_INTEGER;
  return [...new Set(paymasterIds)].map((paymasterId) => [index, accountId, paymasterId, span, start, until]);
}

/** By the position of the window. */
export function toWorths(
  rows: readonly { readonly asked_number: number; readonly worth: string }[],
): ReadonlyMap<number, bigint> {
  return new Map(rows.map(({ asked_number, worth }) => [asked_number, BigInt(worth)]));
}

/** What a hold is worth with a request, in millionths of a USD, and how much of that is new. */
export type HoldWorth = {
  /** Undefined while it is not known. */
  readonly worth: bigint | undefined;
  readonly added: bigint;
  /** Whether the new part was calculated with a price from the request's own time. */
  readonly isCounted: boolean;
};

/** A request that joins a hold, and the price at that time: see `HoldRequest`. */
type Joining = PaidAs & { readonly seenUsdMicrosPerCoin?: bigint };

/** What limits and budgets count of the hold that the request joins. */
type Joined = { readonly counted: bigint | undefined; readonly worth: bigint | undefined };

/**
 * More than any real operation is worth, in millionths of a USD: a price or an amount that is wrong. Sums stay exact
 * below it.
 */
const maxWorth = 10n ** 12n;

/**
 * What the hold of a sponsored request is worth when `more` wei join it: at the price of the request, or without one
 * at that of what it joins. One without a worth yet is valued as a whole.
 */
export function worthWith(request: Joining, live: Joined | undefined, more: bigint): HoldWorth {
  const before = live?.worth;
  if (!isSponsored(request) || (more === 0n && before !== undefined)) {
    return { worth: before, added: 0n, isCounted: true };
  }
  const counted = live?.counted ?? 0n;
  const price = request.seenUsdMicrosPerCoin;
  if (price === undefined) {
    if (before === undefined || counted === 0n) return { worth: undefined, added: 0n, isCounted: false };
    const added = (before * more + counted - 1n) / counted;
    return { worth: before + added, added, isCounted: false };
  }
  const added = worthUsdMicros(before === undefined ? counted + more : more, price);
  const worth = (before ?? 0n) + added;
  return worth > maxWorth ? { worth: before, added: 0n, isCounted: false } : { worth, added, isCounted: true };
}

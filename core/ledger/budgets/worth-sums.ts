import { type Kysely, sql, type Transaction } from 'kysely';
import type { BudgetWindow } from '../../domain/budget.ts';
import { windowEnd, windowStart } from '../../policies/limit-window.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement, type Statement } from '../../store/statements/fixed-statement.ts';
import { insertRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';

/** By how much the worth of holds changed that were made at `createdAt` (Unix seconds), in millionths of a USD. */
export type WorthChange = {
  readonly accountId: string;
  readonly paymasterId: string;
  readonly createdAt: number;
  readonly usdMicros: bigint;
};

/** Whose worth is asked for: that of all the account's paymasters, or of some. */
export type WorthOwner = { readonly accountId: string; readonly paymasterIds?: readonly string[] };

/** The key of the sums of all paymasters of an account together. */
const all = '';

/**
 * Updates the sums that budgets are counted with when holds are made, change or end. They are stored whether there is a
 * budget or not, by paymaster and day: changing or deleting a budget does not change how much has been used.
 */
export async function addWorth(transaction: Transaction<Database>, changes: readonly WorthChange[]): Promise<void> {
  await runTogether(transaction, worthWrites(changes));
}

const addSums = insertRows(
  'worth_sums',
  { account_id: 'text', paymaster_id: 'text', span: 'text', span_start: 'number', usd_micros: 'number' },
  {
    onConflict:
      '(account_id, paymaster_id, span, span_start) DO UPDATE SET usd_micros = worth_sums.usd_micros + excluded.usd_micros',
  },
);

/** What {@link addWorth} writes. */
export function worthWrites(changes: readonly WorthChange[]): Statement<unknown> {
  const sums = new Map<string, { key: SumKey; usdMicros: bigint }>();
  for (const { usdMicros, ...change } of changes) {
    for (const key of sumKeys(change)) {
      const text = Object.values(key).join(' ');
      sums.set(text, { key, usdMicros: (sums.get(text)?.usdMicros ?? 0n) + usdMicros });
    }
  }
  const changed = [...sums.values()].filter(({ usdMicros }) => usdMicros !== 0n);
  return addSums(changed.map(({ key, usdMicros }) => ({ ...key, usd_micros: Number(usdMicros) })));
}

type SumKey = Pick<Database['worth_sums'], 'account_id' | 'paymaster_id' | 'span' | 'span_start'>;

function sumKeys({ accountId, paymasterId, createdAt }: Omit<WorthChange, 'usdMicros'>): readonly SumKey[] {
  const spans = ['day', 'ever'] as const;
  return [paymasterId, all].flatMap((paymaster_id) =>
    spans.map((span) => ({ account_id: accountId, paymaster_id, span, span_start: windowStart(span, createdAt) })),
  );
}

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
  span: SumKey['span'];
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

function askedRows({ accountId, paymasterIds = [all], window, start }: WorthWindow, index: number) {
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

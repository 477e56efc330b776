import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import type { Policy, PolicyLimit } from '../domain/policy.ts';
import type { Database } from '../store/database.ts';
import {
  calledKey,
  calledKeyLength,
  calledPrefix,
  calledPrefixLength,
  isBudgetKey,
} from './called-limits/called-key.ts';
import { type PolicyKey, policyKey } from './policy-key.ts';
import type { CountedLimit } from './rules/ruling.ts';

/**
 * Forgets the counts that were not kept in step under the policy before, or will not be under the new one: those of
 * windows that only one of the two limits, and those that are to count USD and did not. They are counted again when a
 * limit next asks. `counted` says which windows have just been counted for the new policy.
 */
export async function forgetUnusedUsage(
  trx: Transaction<Database>,
  policy: PolicyKey,
  policies: { readonly before: Policy; readonly after: Policy },
  counted: readonly CountedWindow[],
): Promise<void> {
  const key = policyKey(policy);
  const kept = keptWindows(policies);
  const rows = await trx
    .selectFrom('limit_usage')
    .select(['span'])
    .select((eb) => [scopeOf(eb).as('per'), calledOf().as('called')])
    .distinct()
    .where('policy_key', '=', key)
    .execute();
  for (const { span, per, called } of rows) {
    // What was asked for with a key, what a ticket has used and what went without a webhook does not depend on the policy.
    if (per === 'key' || per === 'ticket' || isBudgetKey(called) || kept.has(windowText({ per, window: span }, called)))
      continue;
    const isCounted = (one: CountedWindow) => one.window === span && (one.called ?? '') === called;
    const spared = per === 'total' ? counted.filter(isCounted).map(({ start }) => start) : [];
    await trx
      .deleteFrom('limit_usage')
      .where('policy_key', '=', key)
      .where('span', '=', span)
      .where((eb) => eb(scopeOf(eb), '=', per))
      .where(calledOf(), '=', called)
      .where('span_start', 'not in', spared)
      .execute();
  }
}

/** A window that has been counted; `called` where it is of a contract or method. */
type CountedWindow = { readonly window: string; readonly start: number; readonly called?: string };

type CountedScope = Exclude<CountedLimit['per'], 'webhook'>;

/** Whose count it is, by the form of its subject: users and tickets are digests behind a word, senders addresses. */
function scopeOf(eb: ExpressionBuilder<Database, 'limit_usage'>) {
  const subject = sql<string>`CASE WHEN subject LIKE 'called:%'
    THEN substr(subject, ${sql.lit(calledPrefixLength + 1)}) ELSE subject END`;
  return eb
    .case()
    .when(subject, '=', '')
    .then(sql.lit<CountedScope>('total'))
    .when(subject, 'like', 'key:%')
    .then(sql.lit<CountedScope>('key'))
    .when(subject, 'like', 'subject:%')
    .then(sql.lit<CountedScope>('subject'))
    .when(subject, 'like', 'ticket:%')
    .then(sql.lit<CountedScope>('ticket'))
    .else(sql.lit<CountedScope>('sender'))
    .end()
    .$castTo<CountedScope>();
}

/** Which calls it counts, by the key of a limit of a contract or method; empty for a count of all operations. */
function calledOf() {
  return sql<string>`CASE WHEN subject LIKE 'called:%'
    THEN substr(subject, ${sql.lit(calledPrefix.length + 1)}, ${sql.lit(calledKeyLength)}) ELSE '' END`;
}

/** The windows whose counts are in step under both policies, each by {@link windowText}. */
export function keptWindows({
  before,
  after,
}: {
  readonly before: Policy;
  readonly after: Policy;
}): ReadonlySet<string> {
  const counted = countedWindows(before);
  const kept = [...countedWindows(after)].filter(
    ([key, usd]) => counted.has(key) && (!usd || counted.get(key) === true),
  );
  return new Set(kept.map(([key]) => key));
}

/** One text for the windows of a limit, for sets; `called` is empty where that is on all operations. */
export function windowText({ per, window }: Pick<PolicyLimit, 'per' | 'window'>, called: string): string {
  return `${per} ${window} ${called}`;
}

/** Whose windows a policy's limits count, and whether in USD too. */
function countedWindows({ limits }: Policy): Map<string, boolean> {
  const windows = new Map<string, boolean>();
  for (const limit of limits) {
    const key = windowText(limit, calledKey(limit) ?? '');
    windows.set(key, windows.get(key) === true || limit.unit === 'usdMicros');
  }
  return windows;
}

import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import type { Policy, PolicyLimit } from '../domain/policy.ts';
import type { Database } from '../store/database.ts';
import { calledKey, calledKeyLength, calledPrefix, calledPrefixLength } from './called-limits.ts';
import { type PolicyKey, policyKey } from './policy-key.ts';
import type { CountedLimit } from './rules/ruling.ts';

/**
 * Deletes counts that were not kept up to date under the previous policy, or will not be under the new one: windows that
 * only one of the two limits, and windows that must count USD but did not. They are counted again when a limit next needs
 * them. `counted` lists the windows that were just counted for the new policy.
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
    // Counts of keys and tickets do not depend on the policy.
    if (per === 'key' || per === 'ticket' || kept.has(windowText({ per, window: span }, called))) continue;
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

/** A counted window; `called` for a contract or method. */
type CountedWindow = { readonly window: string; readonly start: number; readonly called?: string };

type CountedScope = Exclude<CountedLimit['per'], 'webhook'>;

/** The scope of a count, by the form of its subject: users and tickets are digests after a prefix, senders are addresses. */
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

/** The calls it counts, by the key of a limit on a contract or method; empty for all operations. */
function calledOf() {
  return sql<string>`CASE WHEN subject LIKE 'called:%'
    THEN substr(subject, ${sql.lit(calledPrefix.length + 1)}, ${sql.lit(calledKeyLength)}) ELSE '' END`;
}

/** The windows whose counts are current under both policies, each by {@link windowText}. */
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

/** A set key for a limit's windows; `called` is empty for a limit on all operations. */
export function windowText({ per, window }: Pick<PolicyLimit, 'per' | 'window'>, called: string): string {
  return `${per} ${window} ${called}`;
}

/** The windows that a policy's limits count, and whether also in USD. */
function countedWindows({ limits }: Policy): Map<string, boolean> {
  const windows = new Map<string, boolean>();
  for (const limit of limits) {
    const key = windowText(limit, calledKey(limit) ?? '');
    windows.set(key, windows.get(key) === true || limit.unit === 'usdMicros');
  }
  return windows;
}

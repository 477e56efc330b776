import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import type { Policy, PolicyLimit } from '../domain/policy.ts';
import type { Database } from '../store/database.ts';
import { type PolicyPlace, policyKey } from './policy-key.ts';
import type { CountedLimit } from './rules/counted-limit.ts';

/**
 * Forgets the counts that were not kept in step under the policy before, or will not be under the new one: those of
 * windows that only one of the two limits, and those that are to count USD and did not. They are counted again when a
 * limit next asks. `counted` says which windows have just been counted for the new policy.
 */
export async function forgetUnusedUsage(
  trx: Transaction<Database>,
  place: PolicyPlace,
  policies: { readonly before: Policy; readonly after: Policy },
  counted: readonly { readonly window: string; readonly start: number }[],
): Promise<void> {
  const key = policyKey(place);
  const kept = keptWindows(policies);
  const rows = await trx
    .selectFrom('limit_usage')
    .select(['span'])
    .select((eb) => scopeOf(eb).as('per'))
    .distinct()
    .where('policy_key', '=', key)
    .execute();
  for (const { span, per } of rows) {
    // What was asked for with a key, and what a ticket has used, does not depend on the policy.
    if (per === 'key' || per === 'ticket' || kept.has(windowText({ per, window: span }))) continue;
    const spared = per === 'total' ? counted.filter(({ window }) => window === span).map(({ start }) => start) : [];
    await trx
      .deleteFrom('limit_usage')
      .where('policy_key', '=', key)
      .where('span', '=', span)
      .where((eb) => eb(scopeOf(eb), '=', per))
      .where('span_start', 'not in', spared)
      .execute();
  }
}

/** Whose count it is, by the form of its subject: users and tickets are digests behind a word, senders addresses. */
function scopeOf(eb: ExpressionBuilder<Database, 'limit_usage'>) {
  return eb
    .case()
    .when('subject', '=', '')
    .then(sql.lit<CountedLimit['per']>('total'))
    .when('subject', 'like', 'key:%')
    .then(sql.lit<CountedLimit['per']>('key'))
    .when('subject', 'like', 'subject:%')
    .then(sql.lit<CountedLimit['per']>('subject'))
    .when('subject', 'like', 'ticket:%')
    .then(sql.lit<CountedLimit['per']>('ticket'))
    .else(sql.lit<CountedLimit['per']>('sender'))
    .end()
    .$castTo<CountedLimit['per']>();
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

/** One text for the windows of a limit, for sets. */
export function windowText({ per, window }: Pick<PolicyLimit, 'per' | 'window'>): string {
  return `${per} ${window}`;
}

/** Whose windows a policy's limits count, and whether in USD too. */
function countedWindows({ limits }: Policy): Map<string, boolean> {
  const windows = new Map<string, boolean>();
  for (const { unit, ...limit } of limits) {
    const key = windowText(limit);
    windows.set(key, windows.get(key) === true || unit === 'usdMicros');
  }
  return windows;
}

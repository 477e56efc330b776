import { setImmediate as nextTurn } from 'node:timers/promises';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Transaction } from 'kysely';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Policy } from '../../domain/policy.ts';
import { forgetUsage, getUsage, type UsageKey } from '../../ledger/counts/limit-usage.ts';
import { countStep, finishCount, type WantedCount } from '../../ledger/holds/count-in-steps.ts';
import { calledKey } from '../../policies/called-limits/called-key.ts';
import { keptWindows, windowText } from '../../policies/forget-unused-usage.ts';
import { windowStart } from '../../policies/limit-window.ts';
import type { PolicyKey } from '../../policies/policy-key.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';

/** How long counting may keep a policy waiting, in milliseconds; the rest is counted while its requests are refused. */
const maxWait = 15_000;

type Parts = { readonly store: Store; readonly clock: Clock };
type Counting = {
  readonly reference: PolicyKey;
  readonly before: Policy;
  readonly after: Policy;
  /** The coin's price, in millionths of a USD for 10^18 wei; a window in USD is not counted without it. */
  readonly usdMicrosPerCoin?: bigint;
};

/**
 * Counts the windows that a new policy limits for all senders together, and the one in force does not count as it has to,
 * before the new one is in force: in steps, with requests between them. Those of single senders are few holds, and counted
 * when they ask.
 */
export async function countBefore({ store, clock }: Parts, counting: Counting): Promise<readonly WantedCount[]> {
  const begun = clock.now();
  const counts = await store.transaction((trx) => beginCounts(trx, counting, unixSeconds(clock)));
  for (const count of counts) {
    let isAll = false;
    while (!isAll && clock.now() - begun < maxWait) {
      ({ isAll } = await store.transaction((trx) => countStep(trx, count)));
      await nextTurn();
    }
  }
  return counts;
}

/**
 * In the transaction that sets the policy: takes the counts for complete that have all by now. Answers all that were begun,
 * which stay.
 */
export async function finishCounts(
  trx: Transaction<Database>,
  counts: readonly WantedCount[],
): Promise<readonly UsageKey[]> {
  for (const count of counts) {
    const { kept, isAll } = await countStep(trx, count);
    if (isAll) await finishCount(trx, count.key, kept);
  }
  return counts.map(({ key }) => key);
}

/** The counts to make, each at its beginning. What requests are counted in now they have from the hours meanwhile. */
async function beginCounts(
  trx: Transaction<Database>,
  { reference, before, after, usdMicrosPerCoin }: Counting,
  now: number,
): Promise<readonly WantedCount[]> {
  const kept = keptWindows({ before, after });
  const totals = after.limits.filter((limit) => limit.per === 'total');
  const counts: WantedCount[] = [];
  const windows = new Map(totals.map((limit) => [windowText(limit, calledKey(limit) ?? ''), limit]));
  for (const [text, { window, ...limit }] of windows) {
    const called = calledKey(limit);
    const inUsd = called === undefined && totals.some((other) => other.window === window && other.unit === 'usdMicros');
    if (kept.has(text) || (inUsd && usdMicrosPerCoin === undefined)) continue;
    const key = { ...reference, subject: '', window, start: windowStart(window, now), ...omitAbsent({ called }) };
    // What a policy that never came into force had counted may have been at another price.
    if ((await getUsage(trx, key)) !== undefined) await forgetUsage(trx, key);
    counts.push(inUsd && usdMicrosPerCoin !== undefined ? { key, usdMicrosPerCoin } : { key });
  }
  return counts;
}

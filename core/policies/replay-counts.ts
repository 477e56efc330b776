import { maxBigint } from '../base/values/integers.ts';
import type { Policy, PolicyLimit } from '../domain/policy.ts';
import { sponsoredPart } from '../domain/user-share.ts';
import { calledKey } from './called-limits/called-key.ts';
import { type CalledCounts, type CalledLimits, countCalls, joinCalls } from './called-limits/count-calls.ts';
import { windowStart } from './limit-window.ts';
import { askedCalls, type PastDecision } from './past-decision.ts';
import type { LimitCount } from './rules/rule-on-limit.ts';
import { worthUsdMicros } from './worth-usd.ts';

type Amounts = { readonly [unit in PolicyLimit['unit']]: bigint };

/** The limits' counts of the decisions accepted so far. */
export type ReplayCounts = {
  /** Each limit with its count and what the decision would add. */
  count(decision: PastDecision): readonly LimitCount[];
  add(decision: PastDecision): void;
};

const nothing: Amounts = { operations: 0n, wei: 0n, usdMicros: 0n };

/** The parts of a policy that determine what a decision counts. */
type Counting = Pick<Policy, 'limits' | 'userPaysPercent'>;

/** Counts that start at 0. An operation counts once per sender and nonce, with the largest of its worst cases and calls. */
export function createReplayCounts(counting: Counting, calledLimits: CalledLimits): ReplayCounts {
  const { limits } = counting;
  const held = new Map<string, Amounts & { readonly since: number; readonly calls: CalledCounts }>();
  const counted = new Map<PolicyLimit, Map<string, bigint>>(limits.map((limit) => [limit, new Map()]));

  function policy(limit: PolicyLimit, decision: PastDecision): { readonly start: number; readonly key: string } {
    const start = windowStart(limit.window, held.get(identity(decision))?.since ?? decision.decidedAt);
    return { start, key: `${whoseCount(limit, decision)} ${start}` };
  }

  /** Undefined for a limit that does not concern the operation. */
  function asked(decision: PastDecision, calls: CalledCounts, limit: PolicyLimit): bigint | undefined {
    const { unit } = limit;
    const known = held.get(identity(decision));
    const before = known ?? nothing;
    const more = maxBigint(amountsOf(decision, counting)[unit] - before[unit], 0n);
    const called = calledKey(limit);
    if (called === undefined) return more;
    const callsBefore = known?.calls.get(called) ?? 0;
    const callsAfter = Math.max(callsBefore, calls.get(called) ?? 0);
    if (callsAfter === 0) return undefined;
    if (unit === 'operations') return BigInt(callsAfter - callsBefore);
    return callsBefore === 0 ? before[unit] + more : more;
  }

  return {
    count: (decision) => {
      if (!isGiven(decision, counting)) return [];
      const calls = countCalls(calledLimits, askedCalls(decision));
      return limits.flatMap((limit) => {
        const { start, key } = policy(limit, decision);
        const used = counted.get(limit)?.get(key) ?? 0n;
        const more = asked(decision, calls, limit);
        return more === undefined ? [] : [{ limit, windowStart: start, used, asked: more }];
      });
    },

    add(decision) {
      if (decision.released || !isGiven(decision, counting)) return;
      const calls = countCalls(calledLimits, askedCalls(decision));
      for (const limit of limits) {
        const { key } = policy(limit, decision);
        const counts = counted.get(limit);
        counts?.set(key, (counts.get(key) ?? 0n) + (asked(decision, calls, limit) ?? 0n));
      }
      const before = held.get(identity(decision));
      const amounts = amountsOf(decision, counting);
      held.set(identity(decision), {
        operations: 1n,
        wei: maxBigint(amounts.wei, before?.wei ?? 0n),
        usdMicros: maxBigint(amounts.usdMicros, before?.usdMicros ?? 0n),
        since: before?.since ?? decision.decidedAt,
        calls: joinCalls(before?.calls ?? new Map(), calls),
      });
    },
  };
}

/** A decision without a ticket is refused before limits per user apply. */
function whoseCount({ per }: PolicyLimit, { sender, facts }: PastDecision): string {
  if (per === 'sender') return sender.toLowerCase();
  return per === 'subject' ? (facts.subject ?? '') : '';
}

/** Whether the policy would sponsor the whole or a part of it. */
function isGiven({ mode }: PastDecision, { userPaysPercent }: Counting): boolean {
  return mode === 'SPONSORED' || userPaysPercent !== undefined;
}

/** Unknown amounts of a decision count as 0. */
function amountsOf({ facts: { worstCase, usdMicrosPerCoin } }: PastDecision, counting: Counting): Amounts {
  const wei = sponsoredPart(worstCase ?? 0n, counting.userPaysPercent ?? 0);
  return {
    operations: 1n,
    wei,
    usdMicros: usdMicrosPerCoin === undefined ? 0n : worthUsdMicros(wei, usdMicrosPerCoin),
  };
}

function identity({ sender, nonce }: PastDecision): string {
  return `${sender.toLowerCase()} ${nonce}`;
}

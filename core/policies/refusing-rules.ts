import { usdText } from '@tollfree/contract/fields/forms';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { roundUp } from '../base/values/integers.ts';
import type { DecisionFacts } from '../domain/decision.ts';
import type { Policy } from '../domain/policy.ts';
import type { RaisedValue, RefusingRule } from '../domain/policy-preview.ts';
import type { LimitCount } from './rules/rule-on-limit.ts';
import { worthUsdMicros } from './worth-usd.ts';

/** An amount of a proposed policy that is too low for a decision: its field, and what the decision needs. */
type TooLow = { readonly field: string; readonly needed: bigint };

type Refused = { readonly rule: string; readonly tooLow: TooLow | undefined };

/** What refuses the decisions of a preview, and what higher amounts would change. */
export type RefusingRules = {
  /** Notes a decision that would be refused. */
  add(refused: Refused): void;
  /** Notes what a decision that all other rules pass would bring each limit to, were none of them refused by a limit. */
  addDemand(counts: readonly LimitCount[]): void;
  result(): readonly RefusingRule[];
};

export function createRefusingRules(policy: Policy): RefusingRules {
  const refusals = new Map<string, { readonly rule: string; readonly field?: string; readonly needs: bigint[] }>();
  const demand = new Map<string, bigint[]>();
  return {
    add: ({ rule, tooLow }) => {
      const key = tooLow?.field ?? rule;
      const known = refusals.get(key) ?? { rule, ...omitAbsent({ field: tooLow?.field }), needs: [] };
      refusals.set(key, known);
      known.needs.push(tooLow?.needed ?? 0n);
    },
    addDemand: (counts) => {
      for (const { limit, used, asked = 0n } of counts) {
        const field = limitField(policy, limit);
        const amounts = demand.get(field) ?? [];
        amounts.push(used + asked);
        demand.set(field, amounts);
      }
    },
    result: () =>
      [...refusals.values()]
        .map(({ rule, field, needs }) => ({
          rule,
          cutOff: needs.length,
          ...(field === undefined ? { raised: [] } : { field, raised: raisedOf(field, policy, { needs, demand }) }),
        }))
        .sort((one, other) => other.cutOff - one.cutOff),
  };
}

function limitField(policy: Policy, limit: LimitCount['limit']): string {
  const limits: readonly LimitCount['limit'][] = policy.limits;
  return `limits[${limits.indexOf(limit)}].max`;
}

/** The limit that the counts refuse. */
export function limitTooLow(policy: Policy, counts: readonly LimitCount[]): TooLow | undefined {
  const over = counts.find(({ limit, used, asked = 0n }) => used + asked > limit.max);
  return over && { field: limitField(policy, over.limit), needed: over.used + (over.asked ?? 0n) };
}

/** The cap on one operation that refuses a decision with these facts; undefined for a rule that is not about an amount. */
export function capTooLow(rule: string, policy: Policy, facts: DecisionFacts): TooLow | undefined {
  const { worstCase, usdMicrosPerCoin, gas, maxFeePerGas } = facts;
  if (rule === 'policy-gas-price') return { field: 'maxFeePerGas', needed: maxFeePerGas };
  if (rule === 'policy-gas' && gas !== undefined) return { field: 'maxGasPerOperation', needed: gas };
  if (rule !== 'policy-cost' || worstCase === undefined) return undefined;
  if (policy.maxCostWei !== undefined && worstCase > policy.maxCostWei) {
    return { field: 'maxCostPerOperation.wei', needed: worstCase };
  }
  if (usdMicrosPerCoin === undefined) return undefined;
  return { field: usdCap, needed: worthUsdMicros(worstCase, usdMicrosPerCoin) };
}

const usdCap = 'maxCostPerOperation.usd';
const microsPerCent = 10_000n;
/** The part of the refused decisions that a value between the proposed one and the highest lets pass. */
const mostOfThem = 0.8;

type Needed = { readonly needs: readonly bigint[]; readonly demand: ReadonlyMap<string, readonly bigint[]> };

/** A value that refuses none, and one that refuses few, if it is lower. */
function raisedOf(field: string, policy: Policy, { needs, demand }: Needed): readonly RaisedValue[] {
  const limit = policy.limits.find((each) => limitField(policy, each) === field);
  const isUsd = limit === undefined ? field === usdCap : limit.unit === 'usdMicros';
  // A limit with a higher maximum counts more, so it takes more than the refused decisions needed.
  const wanted = limit === undefined ? needs : (demand.get(field) ?? []).filter((amount) => amount > limit.max);
  const sorted = [...wanted].sort((one, other) => (one < other ? -1 : 1));
  const highest = sorted.at(-1);
  if (highest === undefined) return [];
  // Of amounts of different size, a limit may refuse a large one and still take a small one later: how many is not known.
  const isExact = limit === undefined || (limit.unit === 'operations' && limit.contract === undefined);
  const most = sorted[Math.ceil(sorted.length * mostOfThem) - 1] ?? highest;
  const amounts = [highest, ...(isExact ? [most] : [])].map((amount) => roundUp(amount, isUsd ? microsPerCent : 1n));
  return [...new Set(amounts)].map((amount) => ({
    value: isUsd ? usdText(amount) : String(amount),
    cutOff: sorted.filter((each) => each > amount).length,
  }));
}

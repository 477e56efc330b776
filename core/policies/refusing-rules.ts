import { usdText } from '@tollfree/contract/fields/forms';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { maxUint256 } from 'viem';
import { roundUp } from '../base/values/integers.ts';
import type { DecisionFacts } from '../domain/decision.ts';
import type { Policy, PolicyLimit } from '../domain/policy.ts';
import type { RaisedValue, RefusingRule } from '../domain/policy-preview.ts';
import type { LimitCount } from './rules/rule-on-limit.ts';
import { worthUsdMicros } from './worth-usd.ts';

/** An amount of a proposed policy that is too low for a decision: its field, and what the decision needs. */
type TooLow = { readonly field: string; readonly needed: bigint };

type Refused = { readonly rule: string; readonly tooLow: TooLow | undefined };

/** What a decision would bring a limit to, in the limit's unit, and whether the limit refuses it. */
export type Brought = { readonly total: bigint; readonly isRefused: boolean };

/** Counts the decisions that all other rules pass again, with one limit alone and another maximum. */
type CountAgain = (limit: PolicyLimit, max: bigint) => Generator<void, readonly Brought[]>;

/** What refuses the decisions of a preview, and what higher amounts would change. */
export type RefusingRules = {
  /** Notes a decision that would be refused. */
  add(refused: Refused): void;
  result(countAgain: CountAgain): Generator<void, readonly RefusingRule[]>;
};

export function createRefusingRules(policy: Policy): RefusingRules {
  const refusals = new Map<string, { readonly rule: string; readonly field?: string; readonly needs: bigint[] }>();
  return {
    add: ({ rule, tooLow }) => {
      const key = tooLow?.field ?? rule;
      const known = refusals.get(key) ?? { rule, ...omitAbsent({ field: tooLow?.field }), needs: [] };
      refusals.set(key, known);
      known.needs.push(tooLow?.needed ?? 0n);
    },
    *result(countAgain) {
      const found: RefusingRule[] = [];
      for (const { rule, field, needs } of refusals.values()) {
        const limit = policy.limits.find((each) => limitField(policy, each) === field);
        const raised = limit === undefined ? raisedCap(field, needs) : yield* raisedLimit(limit, countAgain);
        found.push({ rule, cutOff: needs.length, ...omitAbsent({ field }), raised });
      }
      return found.sort((one, other) => other.cutOff - one.cutOff);
    },
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

/** Values of a cap on one operation that refuse none, and few. */
function raisedCap(field: string | undefined, needs: readonly bigint[]): readonly RaisedValue[] {
  if (field === undefined) return [];
  const isUsd = field === usdCap;
  return valuesFor(needs, isUsd).map((amount) =>
    raisedValue(amount, { isUsd, cutOff: needs.filter((each) => each > amount).length }),
  );
}

/** Values of a limit that refuse none, and few. A limit with a higher maximum counts more, so it is counted again with each. */
function* raisedLimit(limit: PolicyLimit, countAgain: CountAgain): Generator<void, readonly RaisedValue[]> {
  const isUsd = limit.unit === 'usdMicros';
  const wanted = (yield* countAgain(limit, maxUint256)).map(({ total }) => total).filter((total) => total > limit.max);
  const raised: RaisedValue[] = [];
  for (const amount of valuesFor(wanted, isUsd)) {
    const counted = yield* countAgain(limit, amount);
    const cutOff = counted.filter(({ isRefused }) => isRefused).length;
    // Of two values that refuse as many, the lower one is enough.
    if (raised.at(-1)?.cutOff === cutOff) raised.pop();
    raised.push(raisedValue(amount, { isUsd, cutOff }));
  }
  return raised;
}

/** Round values, highest first: the most that is needed, and what most of them need if that is less. */
function valuesFor(needs: readonly bigint[], isUsd: boolean): readonly bigint[] {
  const sorted = [...needs].sort((one, other) => (one < other ? -1 : 1));
  const highest = sorted.at(-1);
  if (highest === undefined) return [];
  const below = Math.min(Math.ceil(sorted.length * mostOfThem), sorted.length - 1);
  const most = sorted[below - 1] ?? highest;
  return [...new Set([highest, most].map((amount) => roundUp(amount, isUsd ? microsPerCent : 1n)))];
}

function raisedValue(amount: bigint, { isUsd, cutOff }: { readonly isUsd: boolean; readonly cutOff: number }) {
  return { value: isUsd ? usdText(amount) : String(amount), cutOff };
}

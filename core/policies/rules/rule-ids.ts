import type { LimitWindow, PolicyLimit } from '../../domain/policy.ts';

/** The stages of a decision, in order: what the rules of a policy need to know before they can decide. */
export const policyStages = ['request', 'cost', 'hold'] as const;
export type PolicyStage = (typeof policyStages)[number];

/** The rules of a policy except its limits, in the order in which they decide. */
export const policyRuleIds = {
  request: ['policy-calls', 'policy-sender', 'policy-period', 'policy-pause', 'policy-gas-price'],
  cost: ['policy-cost'],
  hold: ['policy-limits'],
} as const satisfies Readonly<Record<PolicyStage, readonly string[]>>;

/** A limit's own rule: one for each that a policy can have. `limit-usd` is one that has no price to count with. */
export type LimitRuleId = `limit-${PolicyLimit['per']}-${LimitWindow}-${'operations' | 'wei' | 'usd'}` | 'limit-usd';

/** What a ruling of a policy's rule is filed under. */
export type PolicyRuleId = Exclude<(typeof policyRuleIds)[PolicyStage][number], 'policy-limits'> | LimitRuleId;

/** What the service's own steps are filed under, in the order in which a sponsorship goes through them. */
export const stepIds = [
  'paymaster',
  'operation',
  'mode',
  'lifetime',
  'fee-token',
  'decode',
  'operator-gas-price',
  'funding-wallet',
  'chain',
  'token-price',
  'webhook',
  'gas-limits',
  'gas-guard',
  'contract-state',
  'quote',
  'operator-cost',
  'coin-price',
  'gas-tank',
] as const;
export type StepId = (typeof stepIds)[number];

export type RuleId = PolicyRuleId | StepId;

const limitSubjects = ['sender', 'total'] as const satisfies readonly PolicyLimit['per'][];
const limitWindows = ['hour', 'day', 'week', 'month', 'ever'] as const satisfies readonly LimitWindow[];
const limitUnits = ['operations', 'wei', 'usd'] as const;
const policyIds: ReadonlySet<string> = new Set<PolicyRuleId>([
  ...policyRuleIds.request,
  ...policyRuleIds.cost,
  'limit-usd',
  ...limitSubjects.flatMap((per) =>
    limitWindows.flatMap((window) => limitUnits.map((unit): LimitRuleId => `limit-${per}-${window}-${unit}`)),
  ),
]);

/** Whether a rule is one of the policy's: then a change of the policy can change the decision. */
export function isPolicyRule(rule: string): rule is PolicyRuleId {
  return policyIds.has(rule);
}

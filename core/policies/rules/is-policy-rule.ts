import { zeroAddress } from 'viem';
import { limitScopes, limitUnits, limitWindows } from '../../domain/policy.ts';
import { policyRules } from './policy-rules.ts';
import { limitRuleId, unpricedLimit } from './rule-on-limit.ts';

/** A limit is on everything, or of a contract, or of a method; which ones does not matter to its rule. */
const calledForms = [{}, { contract: zeroAddress }, { contract: zeroAddress, method: 'any' }] as const;

const ids: ReadonlySet<string> = new Set([
  ...Object.values(policyRules).flatMap((rules) => Object.keys(rules)),
  ...limitScopes.flatMap((per) =>
    limitWindows.flatMap((window) =>
      limitUnits.flatMap((unit) => calledForms.map((called) => limitRuleId({ per, window, unit, ...called }))),
    ),
  ),
  unpricedLimit,
]);

/** Whether a ruling's rule is one of the policy's: then a change of the policy can change the decision. */
export function isPolicyRule(rule: string): boolean {
  return ids.has(rule);
}

import { limitScopes, limitUnits, limitWindows } from '../../domain/policy.ts';
import { policyRules } from './policy-rules.ts';
import { limitRuleId, unpricedLimit } from './rule-on-limit.ts';

const ids: ReadonlySet<string> = new Set([
  ...Object.values(policyRules).flatMap((rules) => Object.keys(rules)),
  ...limitScopes.flatMap((per) =>
    limitWindows.flatMap((window) => limitUnits.map((unit) => limitRuleId({ per, window, unit }))),
  ),
  unpricedLimit,
]);

/** Whether a ruling's rule is one of the policy's: then a change of the policy can change the decision. */
export function isPolicyRule(rule: string): boolean {
  return ids.has(rule);
}

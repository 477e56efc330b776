import type { SponsorshipMode } from '../../domain/sponsorship.ts';
import { type PolicyRule, policyRules, type StageFacts } from './policy-rules.ts';
import { bindsPaid } from './rule-on-token.ts';
import type { PolicyStage, Ruling } from './ruling.ts';

/**
 * Decides one stage for an operation of a mode. Returns the rulings of the rules that bind it, in order, up to and including
 * the first refusal.
 */
export function decideStage<Stage extends PolicyStage>(
  stage: Stage,
  facts: StageFacts[Stage],
  mode: SponsorshipMode,
): readonly Ruling[] {
  const rulings: Ruling[] = [];
  for (const rule of Object.values(policyRules[stage])) {
    if (!isBound(rule.binds[mode], facts)) continue;
    for (const ruling of rule.decide(facts)) {
      rulings.push(ruling);
      if (ruling.refusal !== undefined) return rulings;
    }
  }
  return rulings;
}

function isBound(binds: PolicyRule<PolicyStage>['binds'][SponsorshipMode], facts: StageFacts[PolicyStage]): boolean {
  if (typeof binds === 'boolean') return binds;
  if (!('policy' in facts)) return false;
  return binds === 'shared' ? facts.policy.userPaysPercent !== undefined : bindsPaid(facts.policy);
}

/** The refusal among the rulings of {@link decideStage}, with its rule. */
export function refusedBy(rulings: readonly Ruling[]): (Ruling & Required<Pick<Ruling, 'refusal'>>) | undefined {
  return rulings.find((ruling): ruling is Ruling & Required<Pick<Ruling, 'refusal'>> => ruling.refusal !== undefined);
}

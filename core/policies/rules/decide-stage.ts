import { policyRules, type StageFacts } from './policy-rules.ts';
import type { PolicyStage } from './rule-ids.ts';
import type { Ruling } from './ruling.ts';

/** Decides one stage: the rulings in order, up to and with the first refusal. */
export function decideStage<Stage extends PolicyStage>(stage: Stage, facts: StageFacts[Stage]): readonly Ruling[] {
  const rulings: Ruling[] = [];
  for (const rule of Object.values(policyRules[stage])) {
    for (const ruling of rule(facts)) {
      rulings.push(ruling);
      if (ruling.refusal !== undefined) return rulings;
    }
  }
  return rulings;
}

/** The refusal among rulings that {@link decideStage} gave, with the rule it is from. */
export function refusedBy(rulings: readonly Ruling[]): (Ruling & Required<Pick<Ruling, 'refusal'>>) | undefined {
  return rulings.find((ruling): ruling is Ruling & Required<Pick<Ruling, 'refusal'>> => ruling.refusal !== undefined);
}

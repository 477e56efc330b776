import { ruleOnBudget } from '../../policies/rule-on-budget.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';
import type { BudgetCount } from './budget-working-set.ts';
import type { HoldWorth } from './worth-with.ts';

/** The rulings of the account's budgets on a hold, up to and including the first refusal. */
export function decideBudgets(
  counts: readonly BudgetCount[],
  { added, isCounted }: Pick<HoldWorth, 'added' | 'isCounted'>,
): readonly Ruling[] {
  const rulings: Ruling[] = [];
  for (const count of counts) {
    const ruling = ruleOnBudget({ ...count, asked: isCounted ? added : undefined });
    rulings.push(ruling);
    if (ruling.refusal !== undefined) break;
  }
  return rulings;
}

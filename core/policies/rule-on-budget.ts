import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { LimitWindow } from '../domain/policy.ts';
import type { Refusal } from '../domain/result/refusal.ts';
import { windowEnd } from './limit-window.ts';
import type { Ruling } from './rules/ruling.ts';

/** The rule id of rulings about account budgets. */
const budgetRule = 'account-budget' as const;

/** A budget, its use in the current window, and what the request would add; amounts in millionths of a USD. */
type BudgetQuestion = {
  readonly budget: { readonly name: string; readonly maxUsdMicros: bigint; readonly window: LimitWindow };
  readonly start: number;
  readonly used: bigint;
  /** Undefined while the coin's price is unknown. */
  readonly asked: bigint | undefined;
};

/**
 * A budget of the account: the use plus the request must stay within it. Anyone with the URL sees the refusal, so it does
 * not reveal the account's amounts; its owner finds them in the trace.
 */
export function ruleOnBudget({ budget, start, used, asked }: BudgetQuestion): Ruling {
  const { name, maxUsdMicros, window } = budget;
  const seen: Ruling = { rule: budgetRule, finding: [budgetRule, name, window, maxUsdMicros, used, asked] };
  if (asked === undefined) return { ...seen, refusal: notCounted };
  if (used + asked <= maxUsdMicros) return seen;
  return { ...seen, refusal: asked > maxUsdMicros ? neverFits : usedUp(windowEnd(window, start)) };
}

const neverFits: Refusal = {
  reason: 'LIMIT_EXCEEDED',
  limitKind: 'ACCOUNT_BUDGET',
  message: 'A budget of the paymaster’s account is too low for this operation, also when nothing of it is used.',
  details: { limit: budgetRule, fits: 'never', frees: 'Raise the budget, or send a smaller operation.' },
};

function usedUp(end: number | undefined): Refusal {
  return {
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'ACCOUNT_BUDGET',
    message: 'A budget of the paymaster’s account is too low for this operation.',
    details: {
      limit: budgetRule,
      frees:
        end === undefined
          ? 'Raise the budget. Only holds of operations that do not land are given back to it.'
          : `Raise the budget, or try again after ${new Date(end * 1000).toISOString()}, when its next window begins.`,
    },
    ...omitAbsent({ resetsAt: end }),
  };
}

const notCounted: Refusal = {
  reason: 'BUDGET_NOT_COUNTED',
  message: 'The paymaster’s account has a budget in USD, and the price of the chain’s coin is not known at the moment.',
};

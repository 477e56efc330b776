import type { BudgetItem, BudgetTerms as BudgetTermsItem } from '@tollfree/contract/budgets/budget';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Budget, BudgetTerms, BudgetWindow } from '../../../core/domain/budgets/budget.ts';
import { readUsd, usdText } from '../money/usd-text.ts';

const windows = { day: 'DAY', week: 'WEEK', month: 'MONTH', ever: 'EVER' } as const satisfies Record<
  BudgetWindow,
  BudgetItem['window']
>;
const domainWindows = { DAY: 'day', WEEK: 'week', MONTH: 'month', EVER: 'ever' } as const satisfies Record<
  BudgetItem['window'],
  BudgetWindow
>;

/** What was sent, as the core takes it. */
export function readBudgetTerms({ name, maxUsd, window, paymasterIds }: BudgetTermsItem): BudgetTerms {
  const maxUsdMicros = readUsd(maxUsd);
  return { name, maxUsdMicros, window: domainWindows[window], ...omitAbsent({ paymasterIds }) };
}

/** A budget as it is answered. */
export function budgetItem({ maxUsdMicros, usedUsdMicros, window, paymasterIds, ...rest }: Budget): BudgetItem {
  return {
    ...rest,
    maxUsd: usdText(maxUsdMicros),
    usedUsd: usdText(usedUsdMicros),
    window: windows[window],
    ...omitAbsent({ paymasterIds: paymasterIds && [...paymasterIds] }),
  };
}

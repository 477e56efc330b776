import { maxBudgetPaymasters } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type BudgetTerms, type BudgetWindow, budgetWindows } from '../../domain/budget.ts';
import { amountBounds } from '../../domain/policy.ts';
import { checkName, invalidField } from '../../domain/result/invalid-field.ts';
import { accept, type Result } from '../../domain/result/result.ts';

/** Terms that can be kept, but for whose the paymasters are. */
export type CheckedTerms = BudgetTerms & { readonly window: BudgetWindow };

/** What a budget is to be; each paymaster is named once then. */
export function checkBudget({
  name,
  maxUsdMicros,
  window: given,
  paymasterIds: ids,
}: BudgetTerms): Result<CheckedTerms> {
  const named = checkName(name);
  if (!named.ok) return named;
  const { max, error } = amountBounds.usdMicros;
  if (maxUsdMicros < 0n || maxUsdMicros > max) return invalidField('maxUsd', error);
  const window = budgetWindows.find((one) => one === given);
  if (window === undefined) return invalidField('window', `must be one of ${budgetWindows.join(', ')}`);
  const paymasterIds = ids === undefined ? undefined : [...new Set(ids)];
  if (paymasterIds !== undefined && (paymasterIds.length === 0 || paymasterIds.length > maxBudgetPaymasters)) {
    return invalidField('paymasterIds', `must hold 1 to ${maxBudgetPaymasters} items`);
  }
  return accept({ name, maxUsdMicros, window, ...omitAbsent({ paymasterIds }) });
}

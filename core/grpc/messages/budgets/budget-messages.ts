import { BudgetListSchema, BudgetSchema, BudgetTermsSchema } from '../../../../proto/gen/tollfree/core/v1/budget_pb.ts';
import { type Budget, type BudgetTerms, budgetWindows } from '../../../domain/budgets/budget.ts';
import { decimal } from '../../codec/decimal.ts';
import { listOf } from '../../codec/list.ts';
import { messageOf } from '../../codec/message-of.ts';
import { oneOf } from '../../codec/one-of.ts';
import { seconds } from '../../codec/seconds.ts';
import { soleField } from '../../codec/sole-field.ts';
import { textList } from '../text-list.ts';

export const budgetTerms = messageOf<BudgetTerms>()(BudgetTermsSchema, {
  maxUsdMicros: decimal,
  paymasterIds: textList,
});
export const budget = messageOf<Budget>()(BudgetSchema, {
  maxUsdMicros: decimal,
  window: oneOf(budgetWindows),
  paymasterIds: textList,
  usedUsdMicros: decimal,
  until: seconds,
  createdAt: seconds,
  updatedAt: seconds,
});
export const budgets = soleField(BudgetListSchema, listOf(budget));

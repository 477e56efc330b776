import { managementRouter } from '@tollfree/contract/router';
import { initServer } from '@ts-rest/express';
import type { Core } from '../../../core/domain/core.ts';
import { answer, doneWith } from '../answer.ts';
import { callerOf } from '../caller.ts';
import { budgetItem, readBudgetTerms } from './budget-json.ts';

/** What the account's paymasters may sponsor together. */
export function createBudgetRoutes(core: Core) {
  return initServer().router(managementRouter.budget, {
    list: async ({ req }) => {
      const { accountId } = callerOf(req);
      return answer(await core.listBudgets({ accountId }), (budgets) =>
        doneWith('Budget list fetched', budgets.map(budgetItem)),
      );
    },
    create: async ({ body, req }) => {
      const { accountId } = callerOf(req);
      return answer(await core.createBudget({ accountId, terms: readBudgetTerms(body) }), (budget) =>
        doneWith('Budget created', budgetItem(budget)),
      );
    },
    replace: async ({ params: { budgetId }, body, req }) => {
      const { accountId } = callerOf(req);
      return answer(await core.replaceBudget({ accountId, budgetId, terms: readBudgetTerms(body) }), (budget) =>
        doneWith('Budget replaced', budgetItem(budget)),
      );
    },
    delete: async ({ params: { budgetId }, req }) => {
      const { accountId } = callerOf(req);
      return answer(await core.deleteBudget({ accountId, budgetId }), (budget) =>
        doneWith('Budget deleted', budgetItem(budget)),
      );
    },
  });
}

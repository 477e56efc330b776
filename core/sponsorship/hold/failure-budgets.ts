import type { HoldRequest } from '../../ledger/holds/hold-request.ts';
import { budgetKey } from '../../policies/called-limits/called-key.ts';
import type { CalledCounts } from '../../policies/called-limits/count-calls.ts';
import type { CountedLimit } from '../../policies/rules/ruling.ts';
import type { CallableWebhook } from '../../webhooks/webhook-caller.ts';

/**
 *
 *
 * The budgets for sponsoring without webhooks, with what this operation counts: 1 for each skipped webhook. All budgets are
 * included, since a hold that the operation joins may have skipped others.
 */
export function countUnasked(
  webhooks: readonly CallableWebhook[],
  unasked: readonly CallableWebhook[],
  calls: CalledCounts,
): Pick<HoldRequest, 'failureBudgets' | 'calls'> {
  const counts = new Map(calls);
  const without = new Set(unasked.map(({ webhookId }) => webhookId));
  const failureBudgets: CountedLimit[] = [];
  for (const { webhookId, failureBudget } of webhooks) {
    if (failureBudget === undefined) continue;
    const { window, max, era } = failureBudget;
    const key = budgetKey(webhookId, era);
    counts.set(key, without.has(webhookId) ? 1 : 0);
    failureBudgets.push({ per: 'webhook', webhook: { webhookId, key }, window, unit: 'wei', max });
  }
  return { failureBudgets, calls: counts };
}

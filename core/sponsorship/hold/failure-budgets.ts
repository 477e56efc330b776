import type { HoldRequest } from '../../ledger/holds/hold-request.ts';
import { budgetKey } from '../../policies/called-limits/called-key.ts';
import type { CalledCounts } from '../../policies/called-limits/count-calls.ts';
import type { CountedLimit } from '../../policies/rules/ruling.ts';
import type { CallableWebhook } from '../../webhooks/webhook-caller.ts';

/**
 * The budgets for going without webhooks, next to what their keys count of this operation: 1 for each webhook that it is
 * sponsored without. All are told, since a hold that it joins may be without others.
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

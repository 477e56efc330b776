import { maxPolicyWei } from '@tollfree/contract/limits';
import { invalidField } from '../../domain/result/invalid-field.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import { failureWindows, type WebhookSettings } from '../../domain/webhook.ts';
import { toWeiText } from '../../store/wei/wei-text.ts';
import type { BudgetColumns } from '../../webhooks/webhook-limits.ts';

const none: BudgetColumns = { failure_window: null, failure_max: null };

/**
 * What is said of a webhook that is down, as columns. `before` are those it has: a new budget alone changes that of one that sponsors, and
 * refusing takes it away.
 */
export function failureColumns(
  { onFailure, failureBudget }: WebhookSettings,
  before: BudgetColumns = none,
): Result<BudgetColumns> {
  const mode = onFailure ?? (before.failure_max === null ? 'REFUSE' : 'SPONSOR');
  if (mode !== 'REFUSE' && mode !== 'SPONSOR') return invalidField('onFailure', 'must be REFUSE or SPONSOR');
  if (mode === 'REFUSE') {
    return failureBudget === undefined ? accept(none) : invalidField('failureBudget', 'requires onFailure SPONSOR');
  }
  if (failureBudget === undefined) {
    return before.failure_max === null
      ? invalidField('failureBudget', 'is required for SPONSOR')
      : accept({ failure_window: before.failure_window, failure_max: before.failure_max });
  }
  const window = failureWindows.find((one) => one === failureBudget.window);
  if (window === undefined) return invalidField('failureBudget.window', 'must be HOUR or DAY');
  const { max } = failureBudget;
  if (max < 1n || max > maxPolicyWei) return invalidField('failureBudget.max', `must be 1 to ${maxPolicyWei} wei`);
  return accept({ failure_window: window, failure_max: toWeiText(max) });
}

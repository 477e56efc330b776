import { maxPolicyWei } from '@tollfree/contract/limits';
import type { Selectable } from 'kysely';
import { invalidField } from '../../domain/result/invalid-field.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import { type FailureBudget, failureWindows, type WebhookSettings } from '../../domain/webhook.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText, toWeiText } from '../../store/wei/wei-text.ts';

type Columns = Pick<Selectable<Database['webhooks']>, 'failure_window' | 'failure_max'>;

const none: Columns = { failure_window: null, failure_max: null };

/** The budget of a stored webhook; undefined where its failure refuses. */
export function readFailureBudget({ failure_window: window, failure_max: max }: Columns): FailureBudget | undefined {
  return window === null || max === null ? undefined : { window, max: fromWeiText(max) };
}

/**
 * What is said of a webhook that is down, as columns. `before` are those it has: a new budget alone changes that of one that sponsors, and
 * refusing takes it away.
 */
export function failureColumns({ onFailure, failureBudget }: WebhookSettings, before: Columns = none): Result<Columns> {
  const mode = onFailure ?? (before.failure_max === null ? 'REFUSE' : 'SPONSOR');
  if (mode !== 'REFUSE' && mode !== 'SPONSOR') return invalidField('onFailure', 'must be REFUSE or SPONSOR');
  if (mode === 'REFUSE') {
    return failureBudget === undefined ? accept(none) : invalidField('failureBudget', 'needs onFailure SPONSOR');
  }
  if (failureBudget === undefined) {
    return before.failure_max === null
      ? invalidField('failureBudget', 'must be set for SPONSOR')
      : accept({ failure_window: before.failure_window, failure_max: before.failure_max });
  }
  const window = failureWindows.find((one) => one === failureBudget.window);
  if (window === undefined) return invalidField('failureBudget.window', 'must be HOUR or DAY');
  const { max } = failureBudget;
  if (max < 1n || max > maxPolicyWei) return invalidField('failureBudget.max', `must be 1 to ${maxPolicyWei} wei`);
  return accept({ failure_window: window, failure_max: toWeiText(max) });
}

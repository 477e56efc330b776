import type { CreateWebhookRequest, WebhookItem } from '@tollfree/contract/webhook';
import { formatEther, parseEther } from 'viem';

/** What is to become of operations while a webhook is down, as a form has it; the amount is in units of the coin. */
export type FailureChoice = { readonly when: 'REFUSE' | 'HOUR' | 'DAY'; readonly amount: string };

/** What a webhook has. */
export function failureChoiceOf({ failureBudget }: Pick<WebhookItem, 'failureBudget'>): FailureChoice {
  if (failureBudget === undefined) return { when: 'REFUSE', amount: '' };
  return { when: failureBudget.window, amount: formatEther(BigInt(failureBudget.max)) };
}

/** The same as fields of a request; undefined while the amount is none. */
export function failureSettings({
  when,
  amount,
}: FailureChoice): Pick<CreateWebhookRequest, 'onFailure' | 'failureBudget'> | undefined {
  if (when === 'REFUSE') return { onFailure: when };
  if (wrongAmount(amount) !== undefined) return undefined;
  return { onFailure: 'SPONSOR', failureBudget: { window: when, max: parseEther(amount.trim()).toString() } };
}

/** What is wrong with an amount, if anything is. */
export function wrongAmount(amount: string): string | undefined {
  const isAmount = /^\d{1,9}(\.\d{1,18})?$/.test(amount.trim()) && parseEther(amount.trim()) > 0n;
  return isAmount ? undefined : 'Write an amount like 0.05.';
}

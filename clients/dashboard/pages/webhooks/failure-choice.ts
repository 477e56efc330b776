import type { CreateWebhookRequest, WebhookItem } from '@tollfree/contract/webhook';
import { formatEther, parseEther } from 'viem';

/** What happens to operations while a webhook is down, in the form's format; the amount is in units of the coin. */
export type FailureChoice = { readonly when: 'REFUSE' | 'HOUR' | 'DAY'; readonly amount: string };

/** A webhook's current choice. */
export function failureChoiceOf({ failureBudget }: Pick<WebhookItem, 'failureBudget'>): FailureChoice {
  if (failureBudget === undefined) return { when: 'REFUSE', amount: '' };
  return { when: failureBudget.window, amount: formatEther(BigInt(failureBudget.max)) };
}

/** The choice as request fields; undefined for an invalid amount. */
export function failureSettings({
  when,
  amount,
}: FailureChoice): Pick<CreateWebhookRequest, 'onFailure' | 'failureBudget'> | undefined {
  if (when === 'REFUSE') return { onFailure: when };
  if (wrongAmount(amount) !== undefined) return undefined;
  return { onFailure: 'SPONSOR', failureBudget: { window: when, max: parseEther(amount.trim()).toString() } };
}

/** What is wrong with an amount; undefined if it is valid. */
export function wrongAmount(amount: string): string | undefined {
  const isAmount = /^\d{1,9}(\.\d{1,18})?$/.test(amount.trim()) && parseEther(amount.trim()) > 0n;
  return isAmount ? undefined : 'Write an amount like 0.05.';
}

import type { Refusal } from '../../domain/result/refusal.ts';
import type { CountedLimit } from './counted-limit.ts';
import type { Ruling } from './ruling.ts';

type FailureBudgetLimit = Extract<CountedLimit, { readonly per: 'webhook' }>;

/**
 * A webhook's budget for the time when it is down: refused is as if there were none. What is left of it is its owner's affair, who
 * finds it in the decision's trace; the refusal is told to anybody.
 */
export function ruleOnFailureBudget(
  rule: string,
  { window, max, webhook: { webhookId } }: FailureBudgetLimit,
  { used, asked }: { readonly used: bigint | undefined; readonly asked: bigint | undefined },
): Ruling {
  if (asked === undefined) {
    const checked = 'a budget of a webhook was set during the request';
    return { rule, checked, refusal: unavailable(webhookId, 'its failureBudget was just set') };
  }
  const seen = {
    rule,
    checked: `${asked} wei without webhook ${webhookId}`,
    limit: `${max} wei in ${window === 'hour' ? 'an hour' : 'a day'}`,
  };
  if (used === undefined) {
    return { ...seen, refusal: unavailable(webhookId, 'its failureBudget is still being counted') };
  }
  const counted = { ...seen, used: `${used} wei` };
  if (used + asked <= max) return counted;
  return { ...counted, refusal: unavailable(webhookId, 'its failureBudget is used up') };
}

function unavailable(webhookId: string, problem: string): Refusal {
  return {
    reason: 'WEBHOOK_UNAVAILABLE',
    message: `Webhook ${webhookId} did not respond, and ${problem}.`,
    details: { webhookId },
  };
}

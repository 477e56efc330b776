import { noteResult, noteRuling } from '../../decisions/decision-draft.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { CallableWebhook } from '../../webhooks/webhook-caller.ts';
import type { Identified } from '../request/identify.ts';
import type { PaidCalls } from '../request/paid-calls.ts';
import type { Asked } from '../run/asked.ts';
import type { Step } from '../run/steps.ts';

/** Whether a webhook is told of the operation, whose cost is known later. */
export function toldMore({ payload }: CallableWebhook): boolean {
  return payload === 'OPERATION';
}

/** The webhooks without which it is sponsored, because they are down: their budgets have to carry it. */
export type Unasked = { readonly unasked: readonly CallableWebhook[] };

/** Asks the active webhooks that are told nothing but the caller's data. */
export const askWebhooks: Step<Asked & Identified, Unasked> = (request) =>
  askThese(request, { webhooks: toldLess(request), goesWithout: hasBudget });

/**
 * The same of an operation that the user pays for, where its policy binds it as a sponsored one. None goes without a webhook: a
 * budget is of what is given away.
 */
export const askWebhooksOfPaid: Step<Asked & Identified & PaidCalls, Unasked> = (request) =>
  request.paidCalls === undefined
    ? accept({ unasked: [] })
    : askThese(request, { webhooks: toldLess(request), goesWithout: () => false });

function toldLess({ profile }: Identified): readonly CallableWebhook[] {
  return profile.webhooks.filter((webhook) => !toldMore(webhook));
}

/** Whether something may be sponsored without a webhook that is down. */
export function hasBudget({ failureBudget }: CallableWebhook): boolean {
  return failureBudget !== undefined;
}

/** Which webhooks to ask, and of which it goes without where they are down; `sponsorshipJson` for those that are told of the operation. */
type Question = {
  readonly webhooks: readonly CallableWebhook[];
  readonly goesWithout: (webhook: CallableWebhook) => boolean;
  readonly sponsorshipJson?: string;
};

/** All are asked at once and all must agree, but for those that are down and have a budget for that. Missing data is sent as `{}`. */
export async function askThese(
  { parts: { webhooks: caller }, draft, context }: Asked,
  { webhooks, goesWithout, sponsorshipJson }: Question,
): Promise<Result<Unasked>> {
  const dataJson = context.webhookDataJson ?? '{}';
  const answers = await Promise.all(
    webhooks.map(async (webhook) => ({ webhook, answer: await caller.call(webhook, dataJson, sponsorshipJson) })),
  );
  const unasked: CallableWebhook[] = [];
  const refusals: Refusal[] = [];
  for (const { webhook, answer } of answers) {
    const told = toldMore(webhook) ? ', with the operation' : '';
    const checked = `webhook ${webhook.webhookId}${told}${caller.remark ?? ''}`;
    if (!answer.ok && answer.isDown === true && goesWithout(webhook)) {
      noteRuling(draft, { rule: 'webhook', checked: `${checked}; sponsored without it: ${answer.refusal.message}` });
      unasked.push(webhook);
      continue;
    }
    noteResult(draft, { rule: 'webhook', checked }, answer);
    if (!answer.ok) refusals.push(answer.refusal);
  }
  // A plain no outranks an outage: it is what the account holder decided.
  const refusal = refusals.find(({ reason }) => reason === 'WEBHOOK_REFUSED') ?? refusals[0];
  return refusal === undefined ? accept({ unasked }) : refuse(refusal);
}

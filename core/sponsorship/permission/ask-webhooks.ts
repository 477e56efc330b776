import { noteResult } from '../../decisions/decision-draft.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import type { CallableWebhook } from '../../webhooks/webhook-caller.ts';
import type { Identified } from '../request/identify.ts';
import type { PaidCalls } from '../request/paid-calls.ts';
import type { Asked } from '../run/asked.ts';
import type { Step } from '../run/steps.ts';

/** Whether a webhook is told of the operation, whose cost is known later. */
export function toldMore({ payload }: CallableWebhook): boolean {
  return payload === 'OPERATION';
}

/** Asks the active webhooks that are told nothing but the caller's data. */
export const askWebhooks: Step<Asked & Identified, object> = (request) =>
  askThese(
    request,
    request.profile.webhooks.filter((webhook) => !toldMore(webhook)),
  );

/** The same of an operation that the user pays for, where its policy binds it as a sponsored one. */
export const askWebhooksOfPaid: Step<Asked & Identified & PaidCalls, object> = (request) =>
  request.paidCalls === undefined ? accept({}) : askWebhooks(request);

/**
 * All are asked at once and all must agree. Missing data is sent as `{}`, `sponsorshipJson` to those that are told of the
 * operation.
 */
export async function askThese(
  { parts: { webhooks }, draft, context }: Asked,
  asked: readonly CallableWebhook[],
  sponsorshipJson?: string,
): Promise<Result<object>> {
  const dataJson = context.webhookDataJson ?? '{}';
  const answers = await Promise.all(
    asked.map(async (webhook) => ({ webhook, answer: await webhooks.call(webhook, dataJson, sponsorshipJson) })),
  );
  for (const { webhook, answer } of answers) {
    const told = toldMore(webhook) ? ', told of the operation' : '';
    noteResult(
      draft,
      { rule: 'webhook', checked: `webhook ${webhook.webhookId}${told}${webhooks.remark ?? ''}` },
      answer,
    );
  }
  const refusals = answers.map(({ answer }) => answer).filter((answer) => !answer.ok);
  // A plain no outranks an outage: it is what the account holder decided.
  return refusals.find((answer) => answer.refusal.reason === 'WEBHOOK_REFUSED') ?? refusals[0] ?? accept({});
}

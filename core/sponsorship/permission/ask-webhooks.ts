import { noteResult } from '../../decisions/decision-draft.ts';
import { accept } from '../../domain/result/result.ts';
import type { Identified } from '../request/identify.ts';
import type { Asked } from '../run/asked.ts';
import type { Step } from '../run/steps.ts';
import type { PaidCalls } from '../tokens/decode-paid-calls.ts';

/** All active webhooks are asked at once and all must agree. Missing data is sent as `{}`. */
export const askWebhooks: Step<Asked & Identified, object> = async ({
  parts: { webhooks },
  draft,
  profile,
  context,
}) => {
  const dataJson = context.webhookDataJson ?? '{}';
  const answers = await Promise.all(
    profile.webhooks.map(async (webhook) => ({ webhook, answer: await webhooks.call(webhook, dataJson) })),
  );
  for (const { webhook, answer } of answers) {
    noteResult(draft, { rule: 'webhook', checked: `webhook ${webhook.webhookId}${webhooks.remark ?? ''}` }, answer);
  }
  const refusals = answers.map(({ answer }) => answer).filter((answer) => !answer.ok);
  // A plain no outranks an outage: it is what the account holder decided.
  return refusals.find((answer) => answer.refusal.reason === 'WEBHOOK_REFUSED') ?? refusals[0] ?? accept({});
};

/** The same of an operation that the user pays for, where its policy binds it as a sponsored one. */
export const askWebhooksOfPaid: Step<Asked & Identified & PaidCalls, object> = (request) =>
  request.paidCalls === undefined ? accept({}) : askWebhooks(request);

import { noteResult } from '../../decisions/decision-draft.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { CallableWebhook } from '../../webhooks/webhook-caller.ts';
import type { Identified } from '../identify/identify.ts';
import type { Asked, Step, UserPays } from '../run/steps.ts';
import type { PaidCalls } from './decode-calls.ts';

/** Whether a webhook receives the operation, whose cost is known later. */
export function reportedMore({ payload }: CallableWebhook): boolean {
  return payload === 'OPERATION';
}

/** Calls the active webhooks that receive only the caller's data. */
export const askWebhooks: Step<Asked & Identified, object> = (request) =>
  askThese(request, { webhooks: reportedLess(request) });

/** Calls them for an operation that the user pays for, if its policy binds it like a sponsored one. */
export const askWebhooksOfPaid: Step<Asked & Identified & PaidCalls & Partial<UserPays>, object> = (request) =>
  request.paidCalls === undefined ? accept({}) : askOnce(request, { webhooks: reportedLess(request) });

/** Calls those that have not approved with another share of the user already. */
export async function askOnce(
  asked: Asked & Identified & Pick<Partial<UserPays>, 'approvedBy'>,
  question: Question,
): Promise<Result<object>> {
  const { approvedBy = new Set() } = asked;
  const webhooks = question.webhooks.filter(({ webhookId }) => !approvedBy.has(webhookId));
  const answered = await askThese(asked, { ...question, webhooks });
  if (answered.ok) for (const { webhookId } of webhooks) approvedBy.add(webhookId);
  return answered;
}

function reportedLess({ profile }: Identified): readonly CallableWebhook[] {
  return profile.webhooks.filter((webhook) => !reportedMore(webhook));
}

/** Which webhooks to call; `sponsorshipJson` is for those that receive the operation. */
type Question = { readonly webhooks: readonly CallableWebhook[]; readonly sponsorshipJson?: string };

/**
 * Most concurrent requests of an account that wait for its webhooks. A webhook may take up to ten seconds, so an account
 * with many requests must not fill the slots of all.
 */
export const maxWaitingOfAccount = 250;

/** Requests that wait for webhooks, by account. */
const waiting = new Map<string, number>();

function countWaiting(accountId: string, by: 1 | -1): void {
  const count = (waiting.get(accountId) ?? 0) + by;
  if (count === 0) waiting.delete(accountId);
  else waiting.set(accountId, count);
}

/** Calls all at once; all must approve. Missing data is sent as `{}`. */
async function askThese(asked: Asked & Identified, question: Question): Promise<Result<object>> {
  const { accountId } = asked.profile.paymaster;
  if (question.webhooks.length === 0) return accept({});
  if ((waiting.get(accountId) ?? 0) >= maxWaitingOfAccount) return tooManyWait;
  countWaiting(accountId, 1);
  try {
    return await askAll(asked, question);
  } finally {
    countWaiting(accountId, -1);
  }
}

const tooManyWait = refuse({
  reason: 'RATE_LIMITED',
  message: `${maxWaitingOfAccount} requests of this account are waiting for its webhooks. Make the webhooks answer faster, or send fewer requests at once.`,
});

async function askAll(
  { parts: { webhooks: caller }, draft, context }: Asked,
  { webhooks, sponsorshipJson }: Question,
): Promise<Result<object>> {
  const dataJson = context.webhookDataJson ?? '{}';
  const answers = await Promise.all(
    webhooks.map(async (webhook) => ({ webhook, answer: await caller.call(webhook, dataJson, sponsorshipJson) })),
  );
  const refusals: Refusal[] = [];
  for (const { webhook, answer } of answers) {
    const finding = ['webhook', webhook.webhookId, reportedMore(webhook), caller.remark] as const;
    noteResult(draft, { rule: 'webhook', finding }, answer);
    if (!answer.ok) refusals.push(answer.refusal);
  }
  // A refusal outranks an outage: it is the account holder's decision.
  const refusal = refusals.find(({ reason }) => reason === 'WEBHOOK_REFUSED') ?? refusals[0];
  return refusal === undefined ? accept({}) : refuse(refusal);
}

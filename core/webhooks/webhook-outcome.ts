import { maxWebhookAnswers } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Logger } from '../base/logger.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { WebhookAnswer } from '../domain/webhook.ts';
import { dialectOf } from '../store/dialect-of.ts';
import type { Store } from '../store/store.ts';
import { createWriteBehind, type WriteBehind } from '../store/write-behind.ts';

/**
 * The outcome of a webhook call. `problem` completes the sentence "Webhook <id> …" in plain words, with no address and no
 * secret. `outage`: the webhook was down rather than wrong.
 */
export type WebhookOutcome = {
  /** The HTTP status, if one was received. */
  readonly status?: number;
} & (
  | { readonly kind: 'approved' }
  /** `reason`: the webhook's own text for the page, one line. */
  | { readonly kind: 'refused'; readonly reason?: string }
  | { readonly kind: 'unavailable'; readonly problem: string; readonly outage: boolean }
);

/** A problem of the request or answer: the webhook may be up. */
export function mistake(problem: string): WebhookOutcome {
  return { kind: 'unavailable', problem, outage: false };
}

/** The webhook is down, slow or out of bounds. */
export function outage(problem: string): WebhookOutcome {
  return { kind: 'unavailable', problem, outage: true };
}

/** The outcome in the form of the sponsorship steps. */
export function toResult(webhookId: string, outcome: WebhookOutcome): Result<true> {
  switch (outcome.kind) {
    case 'approved':
      return accept(true);
    case 'refused':
      return refuse({
        reason: 'WEBHOOK_REFUSED',
        message:
          outcome.reason === undefined
            ? `Webhook ${webhookId} answered that the policies are not met.`
            : `Webhook ${webhookId} answered that the policies are not met: ${outcome.reason}`,
        details: { webhookId, ...omitAbsent({ webhookReason: outcome.reason }) },
      });
    case 'unavailable':
      return refuse({
        reason: 'WEBHOOK_UNAVAILABLE',
        message: `Webhook ${webhookId} ${outcome.problem}.`,
        details: { webhookId },
      });
  }
}

/** An answer as received. `text` is the raw body: nothing is ever decompressed. */
type ReceivedAnswer = {
  readonly status: number;
  readonly contentEncoding: string | undefined;
  readonly text: string;
};

/**
 * Judges an answer (interface 2.7): a 2xx status and a JSON object whose `arePoliciesVerified` is the boolean true approves,
 * false refuses; anything else is unreliable. A status for "overloaded" or "broken" is an outage. A complete answer with another status is the application's decision, understood or not: it may be a no.
 */
export function readWebhookAnswer({ status, contentEncoding, text }: ReceivedAnswer): WebhookOutcome {
  if (status >= 500 || status === 429) return outage(`answered ${status}`);
  if (status >= 300 && status < 400) return mistake(`answered ${status}, and redirects are not followed`);
  if (status < 200 || status >= 300) return mistake(`answered ${status}`);
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    return mistake('answered with a content-encoding although none was offered');
  }

  const answer = parseJsonObject(text);
  if (answer === undefined) return mistake('answered something that is not a JSON object');
  switch (answer.arePoliciesVerified) {
    case true:
      return { kind: 'approved' };
    case false:
      return { kind: 'refused', ...omitAbsent({ reason: readReason(answer.reason) }) };
    default:
      return mistake('answered without a boolean arePoliciesVerified');
  }
}

/** Most characters of a webhook's `reason`. The rest is cut off. */
const maxReasonLength = 200;

/** A text for people: one line, without characters that are invisible or change the direction of others. */
function readReason(reason: unknown): string | undefined {
  if (typeof reason !== 'string') return undefined;
  const line = reason
    .slice(0, 4 * maxReasonLength)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
    .trim();
  return line === '' ? undefined : line.slice(0, maxReasonLength);
}

/** The object in a JSON text, or undefined when it is not JSON or not an object. */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export type AnswerOfWebhook = WebhookAnswer & { readonly webhookId: string };

/** Stores the newest answers of each webhook, in the background. Those of a webhook deleted meanwhile are dropped. */
export function createAnswerRecorder(store: Store, logger: Logger): WriteBehind<AnswerOfWebhook> {
  return createWriteBehind<AnswerOfWebhook>({
    store,
    logger,
    what: 'Answers of webhooks',
    ownerOf: ({ webhookId }) => webhookId,
    bytesOf: ({ problem = '' }) => 200 + problem.length,
    insert: async (trx, answers) => {
      const ids = [...new Set(answers.map(({ webhookId }) => webhookId))];
      const rows = await trx
        .selectFrom('webhooks')
        .select('webhook_id')
        .where('webhook_id', 'in', dialectOf(trx).texts(ids))
        .execute();
      const known = new Set(rows.map(({ webhook_id: webhookId }) => webhookId));
      for (const { webhookId, askedAt, durationMs, verdict, status, problem, isTest, payload = 'DATA' } of answers) {
        if (!known.has(webhookId)) continue;
        const row = { webhook_id: webhookId, asked_at: askedAt, duration_ms: durationMs, verdict };
        await trx
          .insertInto('webhook_answers')
          .values({ ...row, status: status ?? null, problem: problem ?? null, is_test: isTest ? 1 : 0, payload })
          .execute();
      }
      for (const webhookId of known) {
        await trx
          .deleteFrom('webhook_answers')
          .where('webhook_id', '=', webhookId)
          .where('answer_number', '<=', (query) =>
            query
              .selectFrom('webhook_answers as kept')
              .select('kept.answer_number')
              .where('kept.webhook_id', '=', webhookId)
              .orderBy('kept.answer_number', 'desc')
              .limit(1)
              .offset(maxWebhookAnswers),
          )
          .execute();
      }
    },
  });
}

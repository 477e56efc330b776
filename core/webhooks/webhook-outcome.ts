import { accept, refuse } from '../domain/result/result.ts';
import type { WebhookResult } from './webhook-caller.ts';

/**
 * What came of asking a webhook. `problem` completes the sentence "Webhook <id> …" in plain words and names no address
 * and no secret; `outage` says that the webhook was down rather than wrong, `isDown` that this is its own server's doing, of which
 * there is no sign that the caller or this service brought it about.
 */
export type WebhookOutcome = {
  /** The HTTP status, where one came. */
  readonly status?: number;
} & (
  | { readonly kind: 'approved' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unavailable'; readonly problem: string; readonly outage: boolean; readonly isDown?: true }
);

/** A problem of what was asked or answered: the webhook may be up. */
export function mistake(problem: string): WebhookOutcome {
  return { kind: 'unavailable', problem, outage: false };
}

/** A problem of the webhook being down, slow or out of bounds. */
export function outage(problem: string): WebhookOutcome {
  return { kind: 'unavailable', problem, outage: true };
}

/** An outage that is its own server's. */
export function down(problem: string): WebhookOutcome {
  return { kind: 'unavailable', problem, outage: true, isDown: true };
}

/** The outcome as the sponsorship steps take it. */
export function toResult(webhookId: string, outcome: WebhookOutcome): WebhookResult {
  switch (outcome.kind) {
    case 'approved':
      return accept(true);
    case 'refused':
      return refuse({
        reason: 'WEBHOOK_REFUSED',
        message: `Webhook ${webhookId} answered that the policies are not met.`,
        details: { webhookId },
      });
    case 'unavailable':
      return {
        ...refuse({
          reason: 'WEBHOOK_UNAVAILABLE',
          message: `Webhook ${webhookId} ${outcome.problem}.`,
          details: { webhookId },
        }),
        ...(outcome.isDown ? { isDown: true } : {}),
      };
  }
}

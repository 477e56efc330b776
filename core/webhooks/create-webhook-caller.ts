import { omitAbsent } from '@tollfree/contract/omit-absent';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import type { WebhookConfig } from '../domain/core-config.ts';
import { createGuardedConnector } from './guarded-connector.ts';
import { createAddressCheck, parseWebhookUrl, type ResolveHost, resolveHost } from './resolve-host.ts';
import { buildWebhookRequest, type WebhookRequest } from './sign-webhook.ts';
import { type CallableWebhook, type WebhookCaller, type WebhookTester, webhookLimits } from './webhook-caller.ts';
import { createWebhookLane, sendOnLane, sendOnPool, type WebhookLane } from './webhook-lane.ts';
import { type AnswerOfWebhook, mistake, parseJsonObject, toResult, type WebhookOutcome } from './webhook-outcome.ts';

const testDataJson = JSON.stringify({
  tollfreeTest: true,
  message: 'A test call, for which nothing is sponsored. Answer it as you would answer a sponsorship.',
});

/** The content for a webhook, as JSON texts. */
type Reported = { readonly dataJson: string; readonly sponsorshipJson?: string };

/** A test has no sponsorship to send. */
function testOf({ payload }: CallableWebhook): Reported {
  return { dataJson: testDataJson, ...(payload === 'OPERATION' ? { sponsorshipJson: 'null' } : {}) };
}

/**
 * `resolve` and `ca` replace DNS and the usual certificate authorities. `onOutage` is
 * called when a webhook is paused because it did not answer several times in a row, and again each time a trial fails.
 * `onAnswer` is called after each call with its outcome.
 */
export type WebhookCallerContext = {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly resolve?: ResolveHost;
  readonly ca?: string;
  readonly onOutage?: (webhookId: string) => void;
  readonly onAnswer?: (answer: AnswerOfWebhook) => void;
};

/**
 * Builds the part that calls webhooks. One call has `config.timeoutMs` in total (never more than 10,000), including its wait
 * in the queue. It connects to allowed addresses only, follows no redirect and reads at most 16 KiB. `close` ends all
 * connections; open calls are refused.
 *
 * @throws Error when a range in `config.allowedRanges` is not CIDR notation.
 */
export function createWebhookCaller(
  config: WebhookConfig,
  context: WebhookCallerContext,
): WebhookCaller & WebhookTester & { close(): Promise<void> } {
  const { clock, logger, resolve = resolveHost, ca, onOutage, onAnswer } = context;
  const timeoutMs = Math.min(config.timeoutMs, webhookLimits.timeoutMs);
  const rules = { isAllowed: createAddressCheck(config.allowedRanges), resolve };
  const connect = createGuardedConnector({ ...rules, timeoutMs: Math.min(config.connectTimeoutMs, timeoutMs) }, ca);
  const lanes = new LRUCache<string, WebhookLane>({
    max: webhookLimits.lanes,
    // Queued last: other webhooks may evict a lane, but its waiting calls must still be made.
    dispose: (lane) => void lane.turns(() => lane.pool.close()).catch(() => undefined),
  });
  let closed = false;

  function laneOf(webhookId: string, origin: string): WebhookLane {
    const key = `${webhookId} ${origin}`;
    const lane = lanes.get(key) ?? createWebhookLane({ origin, connect, clock, onOutage: () => onOutage?.(webhookId) });
    lanes.set(key, lane);
    return lane;
  }

  type Send = (lane: WebhookLane, request: WebhookRequest) => Promise<WebhookOutcome>;

  async function ask(webhook: CallableWebhook, reported: Reported, send: Send): Promise<WebhookOutcome> {
    if (closed) return mistake('was not called: the service is stopping');
    const prepared = prepare(webhook, reported, { config, now: clock.now() });
    if ('kind' in prepared) return prepared;

    const lane = laneOf(webhook.webhookId, prepared.origin);
    if (lane.turns.pendingCount >= webhookLimits.callsWaiting) return mistake('has too many calls waiting');
    return send(lane, prepared.request);
  }

  // Calls ahead in the queue started earlier and so end earlier: the turn comes within a call's own time limit.
  const sendForSponsorship: Send = async (lane, request) => {
    if (!lane.breaker.admit()) {
      return mistake('did not respond several times in a row and is skipped for a short time');
    }
    const terms = { signal: AbortSignal.timeout(timeoutMs), timeoutMs };
    return lane.turns(() => sendOnLane(lane, request, terms));
  };
  const sendForTest: Send = (lane, request) => {
    const terms = { signal: AbortSignal.timeout(timeoutMs), timeoutMs };
    return lane.turns(() => sendOnPool(lane, request, terms));
  };

  async function askForSponsorship(webhook: CallableWebhook, reported: Reported): Promise<WebhookOutcome> {
    const { webhookId } = webhook;
    const outcome = await ask(webhook, reported, sendForSponsorship);
    if (outcome.kind === 'unavailable') logger.warn({ webhookId, problem: outcome.problem }, 'webhook unavailable');
    return outcome;
  }

  const orFailed = (webhookId: string, asking: Promise<WebhookOutcome>) =>
    asking.catch((error: unknown) => {
      logger.error({ err: error, webhookId }, 'webhook call failed');
      return mistake('could not be called');
    });

  return {
    async call(webhook, dataJson, sponsorshipJson) {
      const { webhookId } = webhook;
      const begunAt = clock.now();
      const reported = { dataJson, ...omitAbsent({ sponsorshipJson }) };
      const outcome = await orFailed(webhookId, askForSponsorship(webhook, reported));
      const answer = toAnswer(webhook, outcome, { begunAt, endedAt: clock.now() });
      onAnswer?.({ webhookId, ...answer, isTest: false });
      return toResult(webhookId, outcome);
    },
    async test(webhook) {
      const begunAt = clock.now();
      const outcome = await orFailed(webhook.webhookId, ask(webhook, testOf(webhook), sendForTest));
      const answer = { ...toAnswer(webhook, outcome, { begunAt, endedAt: clock.now() }), isTest: true };
      onAnswer?.({ webhookId: webhook.webhookId, ...answer });
      return answer;
    },
    async close() {
      closed = true;
      await Promise.all([...lanes.values()].map((lane) => lane.pool.destroy()));
    },
  };
}

/** The outcome for the log. Times in Unix milliseconds; the duration is 0 if the clock was set back meanwhile. */
function toAnswer(
  { payload }: CallableWebhook,
  outcome: WebhookOutcome,
  { begunAt, endedAt }: { begunAt: number; endedAt: number },
) {
  const { kind: verdict, status } = outcome;
  return {
    askedAt: Math.floor(begunAt / 1_000),
    durationMs: Math.max(Math.round(endedAt - begunAt), 0),
    verdict,
    ...omitAbsent({ status, problem: outcome.kind === 'unavailable' ? outcome.problem : undefined, payload }),
  };
}

/** The request to send, or why it cannot be sent. */
function prepare(
  webhook: CallableWebhook,
  { dataJson, sponsorshipJson }: Reported,
  { config, now }: { config: WebhookConfig; now: number },
): WebhookOutcome | { readonly origin: string; readonly request: WebhookRequest } {
  const url = parseWebhookUrl(webhook.webhookUrl, config);
  if (typeof url === 'string') return mistake('has a URL that is not allowed');
  if (Buffer.byteLength(dataJson) > webhookLimits.dataBytes || parseJsonObject(dataJson) === undefined) {
    return mistake(`was not called: webhookData is not a JSON object of at most ${webhookLimits.dataBytes} bytes`);
  }
  const request = buildWebhookRequest({ webhook, url, dataJson, now, ...omitAbsent({ sponsorshipJson }) });
  if (request.method === 'GET' && url.origin.length + request.path.length > webhookLimits.getUrlLength) {
    const limit = webhookLimits.getUrlLength;
    return mistake(`was not called: with webhookData its URL is longer than ${limit} characters; use POST`);
  }
  return { origin: url.origin, request };
}

import { LRUCache } from 'lru-cache';
import type { WebhookConfig } from '../domain/core-config.ts';
import type { Logger } from '../domain/logger.ts';
import type { Clock } from '../domain/time/clock.ts';
import { omitAbsent } from '../domain/values/omit-absent.ts';
import { buildWebhookRequest, type WebhookRequest } from './build-webhook-request.ts';
import { createGuardedConnector } from './guarded-connector.ts';
import { parseJsonObject } from './parse-json-object.ts';
import { parseWebhookUrl } from './parse-webhook-url.ts';
import { createAddressCheck } from './public-address.ts';
import { type ResolveHost, resolveHost } from './resolve-host.ts';
import type { CallableWebhook, WebhookCaller } from './webhook-caller.ts';
import { createWebhookLane, sendOnLane, type WebhookLane } from './webhook-lane.ts';
import { webhookLimits } from './webhook-limits.ts';
import { mistake, toResult, type WebhookOutcome } from './webhook-outcome.ts';

/**
 * `resolve` and `ca` stand in for DNS and for the usual certificate authorities. `onOutage` is told of a webhook that is
 * left alone for a moment because it did not answer several times in a row, and again each time a trial fails.
 */
export type WebhookCallerContext = {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly resolve?: ResolveHost;
  readonly ca?: string;
  readonly onOutage?: (webhookId: string) => void;
};

/**
 * Builds the part that calls webhooks. One call has `config.timeoutMs` in all (never more than 10,000), waiting for its
 * turn included; it connects to allowed addresses only, follows no redirect and reads at most 16 KiB. `close` ends all
 * connections; calls still open are refused.
 *
 * @throws Error when `config.allowedRanges` holds something that is not CIDR notation.
 */
export function createWebhookCaller(
  config: WebhookConfig,
  context: WebhookCallerContext,
): WebhookCaller & { close(): Promise<void> } {
  const { clock, logger, resolve = resolveHost, ca, onOutage } = context;
  const timeoutMs = Math.min(config.timeoutMs, webhookLimits.timeoutMs);
  const connectTimeoutMs = Math.min(config.connectTimeoutMs, timeoutMs);
  const connect = createGuardedConnector({
    rules: { isAllowed: createAddressCheck(config.allowedRanges), resolve, timeoutMs: connectTimeoutMs },
    timeoutMs: connectTimeoutMs,
    ...omitAbsent({ ca }),
  });
  const lanes = new LRUCache<string, WebhookLane>({
    max: webhookLimits.lanes,
    dispose: (lane) => void lane.pool.close().catch(() => undefined),
  });
  let closed = false;

  function laneOf(webhookId: string, origin: string): WebhookLane {
    const key = `${webhookId} ${origin}`;
    const lane = lanes.get(key) ?? createWebhookLane({ origin, connect, clock, onOutage: () => onOutage?.(webhookId) });
    lanes.set(key, lane);
    return lane;
  }

  async function ask(webhook: CallableWebhook, dataJson: string): Promise<WebhookOutcome> {
    if (closed) return mistake('was not called: the service is stopping');
    const prepared = prepare(webhook, dataJson, { config, now: clock.now() });
    if ('kind' in prepared) return prepared;

    const lane = laneOf(webhook.webhookId, prepared.origin);
    if (lane.turns.pendingCount >= webhookLimits.callsWaiting) return mistake('has too many calls waiting');
    if (!lane.breaker.admit()) return mistake('did not answer several times in a row and is left alone for a moment');

    const signal = AbortSignal.timeout(timeoutMs);
    // Calls ahead in the queue began earlier and so end earlier: the turn comes by this call's own time limit.
    return lane.turns(() => sendOnLane(lane, prepared.request, { signal, timeoutMs }));
  }

  return {
    async call(webhook, dataJson) {
      const { webhookId } = webhook;
      try {
        const outcome = await ask(webhook, dataJson);
        if (outcome.kind === 'unavailable') logger.warn({ webhookId, problem: outcome.problem }, 'webhook unavailable');
        return toResult(webhookId, outcome);
      } catch (error) {
        logger.error({ err: error, webhookId }, 'webhook call failed');
        return toResult(webhookId, mistake('could not be called'));
      }
    },
    async close() {
      closed = true;
      await Promise.all([...lanes.values()].map((lane) => lane.pool.destroy()));
    },
  };
}

/** The request to send, or what keeps it from being sent. */
function prepare(
  webhook: CallableWebhook,
  dataJson: string,
  { config, now }: { config: WebhookConfig; now: number },
): WebhookOutcome | { readonly origin: string; readonly request: WebhookRequest } {
  const url = parseWebhookUrl(webhook.webhookUrl, config);
  if (typeof url === 'string') return mistake('has a URL that may not be called');
  if (Buffer.byteLength(dataJson) > webhookLimits.dataBytes || parseJsonObject(dataJson) === undefined) {
    return mistake(`was not called: webhookData is not a JSON object of at most ${webhookLimits.dataBytes} bytes`);
  }
  const request = buildWebhookRequest({ webhook, url, dataJson, now });
  if (request.method === 'GET' && url.origin.length + request.path.length > webhookLimits.getUrlLength) {
    const limit = webhookLimits.getUrlLength;
    return mistake(`was not called: with webhookData its URL is longer than ${limit} characters; use POST`);
  }
  return { origin: url.origin, request };
}

import { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';
import type { Logger } from '../../base/logger.ts';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { WebhookConfig } from '../../domain/core-config.ts';
import { notificationSecretBinding } from '../../management/notifications/stored-notification.ts';
import { notificationLimits } from '../../outbox/queue-delivery.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { createGuardedConnector } from '../../webhooks/guarded-connector.ts';
import { describeCallFailure } from '../../webhooks/guarded-get.ts';
import { createAddressCheck, parseWebhookUrl, type ResolveHost, resolveHost } from '../../webhooks/resolve-host.ts';
import { signWebhook } from '../../webhooks/sign-webhook.ts';
import { webhookLimits } from '../../webhooks/webhook-caller.ts';
import { createWebhookPool } from '../../webhooks/webhook-lane.ts';
import { type AttemptOutcome, type DueDelivery, recordAttempt } from './due-deliveries.ts';
import { judgeStatus } from './judge-status.ts';
import { postToTarget } from './post-to-target.ts';

/** `resolve` and `ca` replace DNS and the usual certificate authorities. */
export type DeliveryAttemptsParts = {
  readonly store: Store;
  readonly box: SecretBox;
  readonly config: WebhookConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly resolve?: ResolveHost;
  readonly ca?: string;
};

/** The running attempts. */
type DeliveryAttempts = {
  /** Starts an attempt, unless its destination has no free slot. */
  start(delivery: DueDelivery): void;
  /** Deliveries with a running attempt. */
  underWay(): readonly string[];
  readonly lanes: Pick<DestinationLanes, 'busy' | 'nextRestEnd'>;
  /** Lets running attempts finish for `drainMs`, then aborts them without recording it. */
  close(): Promise<void>;
};

/**
 * Makes attempts and records their outcomes; `onEnd` is called after each.
 *
 * @throws Error when a range in `config.allowedRanges` is not CIDR notation.
 */
export function createDeliveryAttempts(parts: DeliveryAttemptsParts, onEnd: () => void): DeliveryAttempts {
  const { store, box, clock, config, logger } = parts;
  const timeoutMs = Math.min(config.timeoutMs, webhookLimits.timeoutMs);
  const lanes = openLanes(parts, timeoutMs);
  const attempts = new Map<string, Promise<void>>();
  let cut = false;

  async function attempt(delivery: DueDelivery, pool: Dispatcher): Promise<AttemptOutcome> {
    const { deliveryId, notificationId, target, payload } = delivery;
    const url = parseWebhookUrl(delivery.url, config);
    if (typeof url === 'string') return { delivered: false, problem: 'has a URL that is not allowed', outage: false };
    const secret = box.open(delivery.secretSealed, notificationSecretBinding(notificationId));
    if (target !== 'WEBHOOK') return postToTarget(pool, { ...delivery, target, address: secret }, timeoutMs);
    return sendNotification(pool, { deliveryId, url, secret, payload, now: clock.now() }, timeoutMs);
  }

  /** The recorded outcome; undefined when it could not be recorded. */
  async function carryOut(delivery: DueDelivery, pool: Dispatcher): Promise<AttemptOutcome | undefined> {
    const { deliveryId, notificationId } = delivery;
    try {
      const outcome = await attempt(delivery, pool);
      if (outcome.delivered || !cut) await recordAttempt(store, delivery, outcome, unixSeconds(clock));
      return outcome;
    } catch (error) {
      logger.error({ err: error, deliveryId, notificationId }, 'a notification could not be stored');
      return undefined;
    }
  }

  function end({ deliveryId, notificationId }: DueDelivery, outcome: AttemptOutcome | undefined): void {
    const outage = outcome === undefined || (!outcome.delivered && outcome.outage);
    lanes.leave(notificationId, { outage, now: clock.now() });
    attempts.delete(deliveryId);
    if (outcome?.delivered === true) logger.debug({ deliveryId, notificationId }, 'notification delivered');
    if (outcome?.delivered === false) {
      logger.warn({ deliveryId, notificationId, problem: outcome.problem }, 'notification not delivered');
    }
    onEnd();
  }

  return {
    start(delivery) {
      const { deliveryId, notificationId } = delivery;
      const pool = lanes.enter(notificationId, new URL(delivery.url).origin, clock.now());
      if (pool === undefined) return;
      attempts.set(
        deliveryId,
        carryOut(delivery, pool).then((outcome) => end(delivery, outcome)),
      );
    },
    underWay: () => [...attempts.keys()],
    lanes,
    async close() {
      const cutting = setTimeout(() => {
        cut = true;
        void lanes.destroy();
      }, notificationLimits.drainMs);
      await Promise.all(attempts.values());
      clearTimeout(cutting);
      await lanes.destroy();
    },
  };
}

function openLanes(parts: DeliveryAttemptsParts, timeoutMs: number): DestinationLanes {
  const { config, resolve = resolveHost, ca } = parts;
  const rules = { isAllowed: createAddressCheck(config.allowedRanges), resolve };
  const connect = createGuardedConnector({ ...rules, timeoutMs: Math.min(config.connectTimeoutMs, timeoutMs) }, ca);
  const connections = notificationLimits.attemptsAtOnceToOne;
  return createDestinationLanes((origin) => createWebhookPool({ origin, connect, connections }));
}

/** The state of one destination between attempts. A slow or broken one only slows down itself. */
type Lane = { readonly pool: Dispatcher; underWay: number; outages: number; restsUntil: number };

/** Which destinations may receive now. Times in Unix milliseconds. */
type DestinationLanes = {
  /** Takes a slot for an attempt; undefined when the destination has none free. */
  enter(notificationId: string, origin: string, now: number): Dispatcher | undefined;
  /** Frees the slot. A destination that is down is paused, longer each time, then tried with one attempt. */
  leave(notificationId: string, end: { outage: boolean; now: number }): void;
  /** Destinations without a free slot. */
  busy(now: number): readonly string[];
  /** When the next pause ends. */
  nextRestEnd(now: number): number | undefined;
  destroy(): Promise<void>;
};

function createDestinationLanes(openPool: (origin: string) => Dispatcher): DestinationLanes {
  const lanes = new LRUCache<string, Lane>({
    max: webhookLimits.lanes,
    dispose: (lane) => void lane.pool.close().catch(() => undefined),
  });

  function isBusy(lane: Lane, now: number): boolean {
    const places = lane.outages > 0 ? 1 : notificationLimits.attemptsAtOnceToOne;
    return lane.underWay >= places || lane.restsUntil > now;
  }

  return {
    enter(notificationId, origin, now) {
      const lane = lanes.get(notificationId) ?? { pool: openPool(origin), underWay: 0, outages: 0, restsUntil: 0 };
      if (isBusy(lane, now)) return undefined;
      lane.underWay += 1;
      lanes.set(notificationId, lane);
      return lane.pool;
    },
    leave(notificationId, { outage, now }) {
      const lane = lanes.get(notificationId);
      if (lane === undefined) return;
      lane.underWay = Math.max(lane.underWay - 1, 0);
      if (!outage) {
        lane.outages = 0;
        lane.restsUntil = 0;
      } else if (lane.restsUntil <= now) {
        // Concurrent failures are one outage: the first one started the pause.
        lane.outages += 1;
        lane.restsUntil = now + restOf(lane.outages);
      }
    },
    busy: (now) => [...lanes].filter(([, lane]) => isBusy(lane, now)).map(([notificationId]) => notificationId),
    nextRestEnd(now) {
      const ends = [...lanes.values()].map((lane) => lane.restsUntil).filter((end) => end > now);
      return ends.length === 0 ? undefined : Math.min(...ends);
    },
    async destroy() {
      await Promise.all([...lanes.values()].map((lane) => lane.pool.destroy()));
    },
  };
}

function restOf(outages: number): number {
  return Math.min(notificationLimits.firstRestMs * 2 ** (outages - 1), notificationLimits.maxRestMs);
}

/** A message with its address. `now` is the time of this attempt, in Unix milliseconds. */
type SignableMessage = {
  readonly deliveryId: string;
  readonly url: URL;
  readonly secret: string;
  readonly payload: string;
  readonly now: number;
};

/**
 * Makes one attempt: a POST with the headers of Standard Webhooks, with the same id in every attempt and the time of this
 * one. Any 2xx status accepts the message; the answer's body is read within bounds and ignored. Never rejects.
 */
export async function sendNotification(
  pool: Dispatcher,
  message: SignableMessage,
  timeoutMs: number,
): Promise<AttemptOutcome> {
  const { deliveryId, url, secret, payload, now } = message;
  try {
    const { statusCode: status, body } = await pool.request({
      method: 'POST',
      path: url.pathname + url.search,
      headers: {
        accept: '*/*',
        'accept-encoding': 'identity',
        'content-type': 'application/json',
        'user-agent': 'tollfree',
        ...signWebhook(secret, payload, now, `msg_${deliveryId}`),
      },
      body: payload,
      signal: AbortSignal.timeout(timeoutMs),
    });
    await body.dump().catch(() => undefined);
    return judgeStatus(status);
  } catch (error) {
    return { delivered: false, problem: describeCallFailure(error, timeoutMs), outage: true };
  }
}

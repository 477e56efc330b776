import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Dispatcher } from 'undici';
import type { Logger } from '../../base/logger.ts';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { WebhookConfig } from '../../domain/core-config.ts';
import { notificationSecretBinding } from '../../management/notifications/notification-secret.ts';
import { notificationLimits } from '../../outbox/notification-limits.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { parseWebhookUrl } from '../../webhooks/check-webhook-url.ts';
import { createGuardedConnector } from '../../webhooks/guarded-connector.ts';
import { createAddressCheck } from '../../webhooks/public-address.ts';
import { type ResolveHost, resolveHost } from '../../webhooks/resolve-host.ts';
import { createWebhookPool } from '../../webhooks/webhook-lane.ts';
import { webhookLimits } from '../../webhooks/webhook-limits.ts';
import { createDestinationLanes, type DestinationLanes } from './destination-lanes.ts';
import { type AttemptOutcome, type DueDelivery, recordAttempt } from './due-deliveries.ts';
import { sendNotification } from './send-notification.ts';

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
    const { deliveryId, notificationId, payload } = delivery;
    const url = parseWebhookUrl(delivery.url, config);
    if (typeof url === 'string') return { delivered: false, problem: 'has a URL that is not allowed', outage: false };
    const secret = box.open(delivery.secretSealed, notificationSecretBinding(notificationId));
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
  const connectTimeoutMs = Math.min(config.connectTimeoutMs, timeoutMs);
  const connect = createGuardedConnector({
    rules: { isAllowed: createAddressCheck(config.allowedRanges), resolve, timeoutMs: connectTimeoutMs },
    timeoutMs: connectTimeoutMs,
    ...omitAbsent({ ca }),
  });
  const connections = notificationLimits.attemptsAtOnceToOne;
  return createDestinationLanes((origin) => createWebhookPool({ origin, connect, connections }));
}

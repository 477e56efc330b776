import { EventEmitter, on } from 'node:events';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { onTestFinished } from 'vitest';
import type { Owned } from '../../core/domain/access/actor.ts';
import type { Input } from '../../core/domain/core.ts';
import type { NotificationDelivery } from '../../core/domain/notification.ts';
import { queueOperationNotification, type SettledOperation } from '../../core/outbox/queue-operation-notification.ts';
import type { DeliveryAttemptsParts } from '../../core/runtime/senders/delivery-attempts.ts';
import { createNotificationSender } from '../../core/runtime/senders/start-notifications.ts';
import { createSecretBox } from '../../core/store/secret-box.ts';
import {
  accepted,
  newPaymaster,
  startManagement,
  startTime,
  type TestManagement,
} from '../support/core/start-management.ts';
import { createRecordingLogger } from '../support/logging/recording-logger.ts';
import type { ReceivedRequest } from '../support/servers/webhook-server.ts';
import { createTestTimers } from './test-timers.ts';

export const landed: Omit<SettledOperation, 'paymasterId' | 'now'> = {
  chainId: 1337,
  contract: '0x00000000000000000000000000000000000000AA',
  sender: '0x00000000000000000000000000000000000000bB',
  nonce: 2n ** 64n + 1n,
  userOperationHash: `0x${'12'.repeat(32)}`,
  actualGasCost: 10n ** 20n + 1n,
  charge: 10n ** 20n + 2n,
  success: true,
  txHash: `0x${'34'.repeat(32)}`,
  holdId: 7,
};

/**
 * Management, a paymaster and a sender with a clock that stands still until the test lets time pass. It begins with the
 * time it is, which the published verifier of signatures goes by.
 */
export async function startLab() {
  const started = await startManagement();
  const begun = Math.floor(Date.now() / 1_000);
  started.clock.advance(begun - startTime);
  const { owned } = await newPaymaster(started.management);
  return { ...started, ...addSender(started), ...actionsOf(started, owned), owned, begun };
}

/** A sender on a management's store. Ends with the test. */
export function addSender({ store, clock, config }: TestManagement, change: Partial<DeliveryAttemptsParts> = {}) {
  const timers = createTestTimers(clock);
  const ends = new EventEmitter();
  const attempts = on(ends, 'end');
  const logged: string[] = [];
  const { logger } = createRecordingLogger(({ fields, message }) => {
    logged.push(`${message} ${JSON.stringify(fields)}`);
    if (/^notification (not )?delivered$/.test(message)) ends.emit('end');
  });
  const sender = createNotificationSender({
    store,
    clock,
    timers,
    box: createSecretBox(config.masterKey),
    config: config.webhooks,
    logger,
    ...change,
  });
  onTestFinished(() => sender.close());
  return {
    sender,
    timers,
    logged,
    /** Resolves when one more attempt was made and written down. */
    attempted: async () => void (await attempts.next()),
  };
}

/** What tests do over and over with one paymaster. */
export function actionsOf(
  { management, store, clock }: Pick<TestManagement, 'management' | 'store' | 'clock'>,
  owned: Owned,
) {
  return {
    register: async (url: string, events: readonly string[] = ['operation.settled', 'operation.failed']) =>
      accepted(await management.createNotification({ ...owned, url, events })).notificationId,
    settle: (change: Partial<SettledOperation> = {}) =>
      store.transaction((trx) =>
        queueOperationNotification(trx, {
          ...landed,
          paymasterId: owned.paymasterId,
          now: Math.floor(clock.now() / 1_000),
          ...change,
        }),
      ),
    /** All at one moment. */
    settleTogether: (holdIds: readonly number[]) =>
      store.transaction(async (trx) => {
        const fact = { ...landed, paymasterId: owned.paymasterId, now: Math.floor(clock.now() / 1_000) };
        for (const holdId of holdIds) await queueOperationNotification(trx, { ...fact, holdId });
      }),
    deliveries: async (
      filter: Input<'listNotificationDeliveries'>['filter'] = {},
    ): Promise<readonly NotificationDelivery[]> =>
      accepted(await management.listNotificationDeliveries({ ...owned, filter })).deliveries,
    secretOf: async (notificationId: string) =>
      accepted(await management.readNotificationSecret({ ...owned, notificationId })).secret,
  };
}

export function headerOf({ request }: ReceivedRequest, name: string): string {
  return String(request.headers[name]);
}

/** The message of a request whose signature has to be right, by the published verifier. */
export function verifiedBody(secret: string, received: ReceivedRequest): unknown {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const headers = Object.fromEntries(names.map((name) => [name, headerOf(received, name)]));
  return new StandardWebhook(secret).verify(received.body, headers);
}

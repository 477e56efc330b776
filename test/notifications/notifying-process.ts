import { createTimers } from '../../core/base/time/clock.ts';
import { queueOperationNotification } from '../../core/outbox/queue-operation-notification.ts';
import { createNotificationSender } from '../../core/runtime/senders/start-notifications.ts';
import { openStore } from '../../core/store/open-store.ts';
import { createSecretBox } from '../../core/store/secret-box.ts';
import { testConfig } from '../support/core/start-management.ts';
import { createRecordingLogger } from '../support/logging/recording-logger.ts';
import { readAddress } from '../support/store/address-text.ts';
import { landed } from './notification-lab.ts';

/**
 * A process of its own to be killed: `<database> <paymasterId> <what…>`. `send` sends what is pending, `queue` queues a
 * message. It says what it has done, line by line, and stays.
 */
const [address = '', paymasterId = '', ...tasks] = process.argv.slice(2);
const config = testConfig(readAddress(address));
const store = await openStore(config.database);
const say = (text: string) => process.stdout.write(`${text}\n`);
const { logger } = createRecordingLogger(({ message }) => say(message));

if (tasks.includes('send')) {
  createNotificationSender({
    store,
    clock: Date,
    timers: createTimers(Date),
    box: createSecretBox(config.masterKey),
    config: config.webhooks,
    logger,
  });
}
if (tasks.includes('queue')) {
  const now = Math.floor(Date.now() / 1_000);
  await store.transaction((trx) => queueOperationNotification(trx, { ...landed, paymasterId, now }));
  say('queued');
}
setInterval(() => undefined, 60_000);

import { describe, expect, test } from 'vitest';
import { maxNotifications } from '../../contract/limits.ts';
import type { TankLowRule } from '../../core/domain/notification.ts';
import { accepted, newPaymaster, refusalOf, startManagement } from '../support/core/start-management.ts';

const url = 'http://127.0.0.1:9/events?team=a';
const unknownId = '00000000-0000-4000-8000-000000000000';
const notFound = 'NOTIFICATION_NOT_FOUND: Notification not found';
const everyEvent = [
  'tank.low',
  'webhook.failing',
  'operation.sent',
  'operation.included',
  'operation.dropped',
  'operation.settled',
  'operation.failed',
  'operation.diverged',
  'payment.failed',
];
const wrongEvents = `INVALID_FIELD: events must be one or more of ${everyEvent.join(', ')}`;

async function start() {
  const { management } = await startManagement();
  const { owned } = await newPaymaster(management);
  return { management, owned, input: { ...owned, url, events: ['operation.failed'] } };
}

describe('a new destination', () => {
  test('is active, has a uuid, and its events in their own order, each once', async () => {
    const { management, owned, input } = await start();
    const tankLow = { thresholdWei: 10n ** 36n, daysLeft: 7 };
    const events = ['operation.failed', 'tank.low', 'operation.failed'];
    const created = accepted(await management.createNotification({ ...input, events, tankLow }));
    expect(created).toEqual({
      notificationId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      target: 'WEBHOOK',
      url,
      events: ['tank.low', 'operation.failed'],
      tankLow,
      active: true,
      etag: expect.any(String),
    });
    expect(accepted(await management.listNotifications(owned))).toEqual([created]);
  });

  test.each([
    ['no URL', { url: 'nonsense' }, 'INVALID_FIELD: url must be a valid URL'],
    ['a URL with a password', { url: 'https://a:b@hook.example/' }, 'INVALID_FIELD: url must be a valid URL'],
    ['no URL before no events', { url: '', events: [] }, 'INVALID_FIELD: url must be a valid URL'],
    ['no events', { events: [] }, wrongEvents],
    ['an unknown event next to a known one', { events: ['tank.low', 'tank.full'] }, wrongEvents],
    ['tank.low without a mark', { events: ['tank.low'] }, 'INVALID_FIELD: tankLow must be set for tank.low'],
    ['an empty mark', { tankLow: {} }, 'INVALID_FIELD: tankLow must have thresholdWei or daysLeft'],
    ['0 days', { tankLow: { daysLeft: 0 } }, 'INVALID_FIELD: daysLeft must be a whole number from 1 to 3650'],
    ['half a day', { tankLow: { daysLeft: 0.5 } }, 'INVALID_FIELD: daysLeft must be a whole number from 1 to 3650'],
    ['0 wei', { tankLow: { thresholdWei: 0n } }, `INVALID_FIELD: thresholdWei must be from 1 to ${10n ** 36n} wei`],
    [
      'more wei than there can be',
      { tankLow: { thresholdWei: 10n ** 36n + 1n } },
      `INVALID_FIELD: thresholdWei must be from 1 to ${10n ** 36n} wei`,
    ],
    [
      'a private address',
      { url: 'http://10.0.0.1/' },
      'NOTIFICATION_URL_NOT_REACHABLE: url cannot be reached by the service',
    ],
    [
      'the cloud’s own address',
      { url: 'http://169.254.169.254/' },
      'NOTIFICATION_URL_NOT_REACHABLE: url cannot be reached by the service',
    ],
    [
      'a number that is an address',
      { url: 'http://167772161/' },
      'NOTIFICATION_URL_NOT_REACHABLE: url cannot be reached by the service',
    ],
    [
      'a mapped address',
      { url: 'http://[::ffff:a00:1]/' },
      'NOTIFICATION_URL_NOT_REACHABLE: url cannot be reached by the service',
    ],
    ['bad events before a forbidden address', { url: 'http://10.0.0.1/', events: [] }, wrongEvents],
  ] satisfies [string, { url?: string; events?: string[]; tankLow?: TankLowRule }, string][])(
    'is refused for %s',
    async (_, change, refusal) => {
      const { management, owned, input } = await start();
      expect(refusalOf(await management.createNotification({ ...input, ...change }))).toBe(refusal);
      expect(accepted(await management.listNotifications(owned))).toEqual([]);
    },
  );

  test('is refused when the paymaster has 10, also when two come at once; a deleted one makes room', async () => {
    const { management, owned, input } = await start();
    for (let count = 1; count < maxNotifications; count++) {
      accepted(await management.createNotification(input));
    }
    const last = await Promise.all([management.createNotification(input), management.createNotification(input)]);
    expect(last.filter(({ ok }) => !ok).map(refusalOf)).toEqual([
      'TOO_MANY_NOTIFICATIONS: A paymaster can have at most 10 notifications',
    ]);
    const [first] = accepted(await management.listNotifications(owned));
    accepted(await management.deleteNotification({ ...owned, notificationId: first?.notificationId ?? '' }));
    expect((await management.createNotification(input)).ok).toBe(true);
  });
});

describe('an update', () => {
  test('changes what is given and nothing else', async () => {
    const { management, owned, input } = await start();
    const created = accepted(await management.createNotification(input));
    const { notificationId } = created;
    const etag = expect.any(String);
    const update = async (change: object) =>
      accepted(await management.updateNotification({ ...owned, notificationId, ...change }));
    expect(await update({})).toEqual(created);
    expect(await update({ active: false })).toEqual({ ...created, active: false, etag });
    const tankLow = { daysLeft: 3 };
    const changed = { ...created, active: false, events: ['tank.low'], tankLow, etag };
    expect(await update({ events: ['tank.low'], tankLow })).toEqual(changed);
    expect(await update({ active: true })).toEqual({ ...changed, active: true });
    expect(accepted(await management.listNotifications(owned))).toEqual([{ ...changed, active: true }]);
  });

  test('is refused whole when a part of it is wrong', async () => {
    const { management, owned, input } = await start();
    const created = accepted(await management.createNotification(input));
    const { notificationId } = created;
    for (const [change, refusal] of [
      [{ events: ['tank.low'] }, 'INVALID_FIELD: tankLow must be set for tank.low'],
      [{ events: [] }, wrongEvents],
      [{ tankLow: {} }, 'INVALID_FIELD: tankLow must have thresholdWei or daysLeft'],
    ] as const) {
      const result = await management.updateNotification({ ...owned, notificationId, active: false, ...change });
      expect(refusalOf(result)).toBe(refusal);
    }
    expect(accepted(await management.listNotifications(owned))).toEqual([created]);
  });
});

test('a deleted one is gone for every call, with its log', async () => {
  const { management, owned, input } = await start();
  const { notificationId } = accepted(await management.createNotification(input));
  const { deliveryId } = accepted(await management.sendTestNotification({ ...owned, notificationId }));
  accepted(await management.deleteNotification({ ...owned, notificationId }));
  expect(accepted(await management.listNotifications(owned))).toEqual([]);
  expect(accepted(await management.listNotificationDeliveries({ ...owned, filter: {} })).deliveries).toEqual([]);
  expect(refusalOf(await management.redeliverNotification({ ...owned, deliveryId }))).toBe(notFound);
});

describe('another account’s destination', () => {
  test('is answered as one that does not exist, by every call, and stays as it is', async () => {
    const { management, owned } = await start();
    const { owned: foreign } = await newPaymaster(management, 'Other');
    const theirs = accepted(await management.createNotification({ ...foreign, url, events: everyEvent.slice(1) }));
    const sent = accepted(await management.sendTestNotification({ ...foreign, notificationId: theirs.notificationId }));
    const secret = await management.readNotificationSecret({ ...foreign, notificationId: theirs.notificationId });
    for (const notificationId of [theirs.notificationId, unknownId, '', "' OR 1=1 --"]) {
      const one = { ...owned, notificationId };
      expect(refusalOf(await management.updateNotification({ ...one, active: false }))).toBe(notFound);
      expect(refusalOf(await management.deleteNotification(one))).toBe(notFound);
      expect(refusalOf(await management.readNotificationSecret(one))).toBe(notFound);
      expect(refusalOf(await management.rotateNotificationSecret(one))).toBe(notFound);
      expect(refusalOf(await management.sendTestNotification(one))).toBe(notFound);
      const filter = { notificationId };
      expect(refusalOf(await management.listNotificationDeliveries({ ...owned, filter }))).toBe(notFound);
    }
    for (const deliveryId of [sent.deliveryId, unknownId]) {
      expect(refusalOf(await management.redeliverNotification({ ...owned, deliveryId }))).toBe(notFound);
    }
    expect(accepted(await management.listNotifications(foreign))).toEqual([theirs]);
    expect(await management.readNotificationSecret({ ...foreign, notificationId: theirs.notificationId })).toEqual(
      secret,
    );
    const { deliveries } = accepted(await management.listNotificationDeliveries({ ...foreign, filter: {} }));
    expect(deliveries).toEqual([sent]);
  });

  test('is out of reach also with the paymaster’s id', async () => {
    const { management, owned } = await start();
    const { owned: foreign } = await newPaymaster(management, 'Other');
    const { notificationId } = accepted(
      await management.createNotification({ ...foreign, url, events: ['webhook.failing'] }),
    );
    const mixed = { accountId: owned.accountId, paymasterId: foreign.paymasterId };
    const paymasterNotFound = 'PAYMASTER_NOT_FOUND: Paymaster not found';
    for (const result of [
      await management.createNotification({ ...mixed, url, events: ['webhook.failing'] }),
      await management.listNotifications(mixed),
      await management.updateNotification({ ...mixed, notificationId, active: false }),
      await management.deleteNotification({ ...mixed, notificationId }),
      await management.readNotificationSecret({ ...mixed, notificationId }),
      await management.rotateNotificationSecret({ ...mixed, notificationId }),
      await management.sendTestNotification({ ...mixed, notificationId }),
      await management.listNotificationDeliveries({ ...mixed, filter: {} }),
    ]) {
      expect(refusalOf(result)).toBe(paymasterNotFound);
    }
  });
});

test('the secret at rest is not readable', async () => {
  const { management, store } = await startManagement();
  const { owned } = await newPaymaster(management);
  const { notificationId } = accepted(
    await management.createNotification({ ...owned, url, events: ['webhook.failing'] }),
  );
  const { secret } = accepted(await management.readNotificationSecret({ ...owned, notificationId }));
  const { secret_sealed } = await store.db.selectFrom('notifications').selectAll().executeTakeFirstOrThrow();
  expect(Buffer.from(secret_sealed).includes(Buffer.from(secret.slice('whsec_'.length), 'base64'))).toBe(false);
  expect(Buffer.from(secret_sealed).includes(secret)).toBe(false);
});

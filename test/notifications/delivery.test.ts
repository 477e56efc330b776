import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { notificationLimits } from '../../core/outbox/queue-delivery.ts';
import { queueOperationNotification } from '../../core/outbox/queue-operation-notification.ts';
import { accepted, newPaymaster } from '../support/core/start-management.ts';
import { testCertificate } from '../support/servers/test-certificate.ts';
import { type ReceivedRequest, startTlsWebhookServer, startWebhookServer } from '../support/servers/webhook-server.ts';
import { actionsOf, addSender, headerOf, landed, startLab, verifiedBody } from './notification-lab.ts';

/** A receiver whose status the test changes. */
async function startReceiver(status = 204) {
  const answer = { status };
  const server = await startWebhookServer((response) => response.writeHead(answer.status).end());
  return { ...server, answer };
}

function only(received: readonly ReceivedRequest[]): ReceivedRequest {
  const [one, ...more] = received;
  if (one === undefined || more.length > 0) throw new Error(`${received.length} requests arrived`);
  return one;
}

describe('what arrives', () => {
  test('is a signed POST that tells what has settled, amounts as decimal text', async () => {
    const lab = await startLab();
    const receiver = await startReceiver();
    const notificationId = await lab.register(`${receiver.url}?team=a`);
    await lab.settle();
    await lab.attempted();
    const received = only(receiver.received);
    expect([received.request.method, received.request.url]).toEqual(['POST', '/hook?team=a']);
    expect(received.request.headers['content-type']).toBe('application/json');
    expect(verifiedBody(await lab.secretOf(notificationId), received)).toEqual({
      type: 'operation.settled',
      notificationId,
      createdAt: lab.begun,
      paymasterId: lab.owned.paymasterId,
      chainId: 1337,
      data: {
        ...landed,
        chainId: undefined,
        nonce: '18446744073709551617',
        actualGasCost: '100000000000000000001',
        charge: '100000000000000000002',
      },
    });
    expect(await lab.deliveries()).toEqual([
      {
        deliveryId: headerOf(received, 'webhook-id').replace(/^msg_/, ''),
        notificationId,
        type: 'operation.settled',
        state: 'delivered',
        attempts: 1,
        createdAt: lab.begun,
        lastAttemptAt: lab.begun,
        lastStatus: 204,
      },
    ]);
  });

  test('an operation that reverted is told as failed, and only to those who want that', async () => {
    const lab = await startLab();
    const [settled, failed] = [await startReceiver(), await startReceiver()];
    await lab.register(settled.url, ['operation.settled']);
    await lab.register(failed.url, ['operation.failed']);
    await lab.settle({ success: false });
    await lab.attempted();
    expect(JSON.parse(only(failed.received).body)).toMatchObject({
      type: 'operation.failed',
      data: { success: false },
    });
    expect(settled.received).toEqual([]);
    expect(await lab.deliveries()).toHaveLength(1);
  });

  test('is signed with the secret of its own destination, the new one once it was rotated', async () => {
    const lab = await startLab();
    const [first, second] = [await startReceiver(), await startReceiver()];
    const notificationId = await lab.register(first.url);
    const otherId = await lab.register(second.url);
    const before = await lab.secretOf(notificationId);
    accepted(await lab.management.rotateNotificationSecret({ ...lab.owned, notificationId }));
    await lab.settle();
    await lab.attempted();
    await lab.attempted();
    const rotated = await lab.secretOf(notificationId);
    expect(() => verifiedBody(rotated, only(first.received))).not.toThrow();
    expect(() => verifiedBody(before, only(first.received))).toThrow();
    expect(() => verifiedBody(rotated, only(second.received))).toThrow();
    expect(await lab.secretOf(otherId)).not.toBe(rotated);
  });

  test('nothing is stored or sent when the transaction of the fact is rolled back', async () => {
    const lab = await startLab();
    const receiver = await startReceiver();
    await lab.register(receiver.url);
    const rolledBack = lab.store.transaction(async (trx) => {
      await queueOperationNotification(trx, {
        ...landed,
        paymasterId: lab.owned.paymasterId,
        holdId: 8,
        now: lab.begun,
      });
      throw new Error('the rest of it failed');
    });
    await expect(rolledBack).rejects.toThrow('the rest of it failed');
    await lab.settle({ holdId: 9 });
    await lab.attempted();
    expect(receiver.received.map(({ body }) => JSON.parse(body).data.holdId)).toEqual([9]);
    expect(await lab.deliveries()).toHaveLength(1);
  });
});

describe('a destination that does not take it', () => {
  test('is tried again after 5 s, 30 s, 2 min, 10 min, 1 h and 6 h, and then given up', async () => {
    const lab = await startLab();
    const receiver = await startReceiver(500);
    await lab.register(receiver.url);
    await lab.settle();
    await lab.attempted();
    let seconds = 0;
    for (const [index, wait] of [5, 30, 120, 600, 3_600, 21_600].entries()) {
      const nextAttemptAt = lab.begun + seconds + wait;
      const attempts = index + 1;
      expect(await lab.deliveries()).toMatchObject([{ state: 'pending', attempts, lastStatus: 500, nextAttemptAt }]);
      lab.timers.pass(wait);
      await lab.attempted();
      seconds += wait;
    }
    const [delivery] = await lab.deliveries({ state: 'failed' });
    expect(delivery).toMatchObject({ attempts: 7, lastProblem: 'answered 500', lastAttemptAt: lab.begun + seconds });
    expect(delivery).not.toHaveProperty('nextAttemptAt');
    expect(receiver.received).toHaveLength(7);
    expect(new Set(receiver.received.map((one) => headerOf(one, 'webhook-id'))).size).toBe(1);
    expect(new Set(receiver.received.map((one) => one.body)).size).toBe(1);
    expect(receiver.received.map((one) => Number(headerOf(one, 'webhook-timestamp')) - lab.begun)).toEqual([
      0, 5, 35, 155, 755, 4_355, 25_955,
    ]);
  });

  test('gets it once, with the same id, as soon as it is up', async () => {
    const lab = await startLab();
    const receiver = await startReceiver(503);
    const notificationId = await lab.register(receiver.url);
    await lab.settle();
    await lab.attempted();
    receiver.answer.status = 200;
    lab.timers.pass(5);
    await lab.attempted();
    lab.timers.pass(30);
    await lab.settle({ holdId: 8 });
    await lab.attempted();
    const [first, again, next] = receiver.received;
    if (first === undefined || again === undefined || next === undefined) throw new Error('requests are missing');
    expect(receiver.received).toHaveLength(3);
    expect(headerOf(again, 'webhook-id')).toBe(headerOf(first, 'webhook-id'));
    expect(headerOf(next, 'webhook-id')).not.toBe(headerOf(first, 'webhook-id'));
    expect(verifiedBody(await lab.secretOf(notificationId), again)).toMatchObject({ data: { holdId: 7 } });
    expect(await lab.deliveries()).toMatchObject([
      { state: 'delivered', attempts: 1 },
      { state: 'delivered', attempts: 2, lastStatus: 200 },
    ]);
  });

  test('because no one listens is told of without saying more than that', async () => {
    const lab = await startLab();
    await lab.register('http://127.0.0.1:1/hook');
    await lab.settle();
    await lab.attempted();
    expect(await lab.deliveries()).toMatchObject([{ state: 'pending', lastProblem: 'could not be reached' }]);
  });

  test.each([301, 302, 307, 308])('a redirect (%i) are not followed', async (status) => {
    const lab = await startLab();
    const elsewhere = await startReceiver();
    const { url } = await startWebhookServer((response) =>
      response.writeHead(status, { location: elsewhere.url }).end(),
    );
    await lab.register(url);
    await lab.settle();
    await lab.attempted();
    expect(elsewhere.received).toEqual([]);
    expect(await lab.deliveries()).toMatchObject([
      { state: 'pending', lastProblem: `answered ${status}, and redirects are not followed` },
    ]);
  });

  test('an answer without end is not read to the end', async () => {
    const lab = await startLab();
    const { url } = await startWebhookServer((response) => {
      const pump = () => {
        while (!response.destroyed && response.write('a'.repeat(4_096)));
      };
      response.writeHead(200).on('drain', pump);
      pump();
    });
    await lab.register(url);
    await lab.settle();
    await lab.attempted();
    expect(await lab.deliveries()).toMatchObject([{ state: 'delivered', lastStatus: 200 }]);
  });

  test('gets all that failed together 5 s later, when it is up by then', async () => {
    const lab = await startLab();
    const receiver = await startReceiver(500);
    await lab.register(receiver.url);
    await lab.settleTogether([1, 2, 3, 4]);
    for (let count = 0; count < 4; count++) await lab.attempted();
    receiver.answer.status = 204;
    lab.timers.pass(5);
    for (let count = 0; count < 4; count++) await lab.attempted();
    expect(await lab.deliveries({ state: 'delivered' })).toHaveLength(4);
    expect(receiver.received).toHaveLength(8);
  });

  test('is left alone longer and longer, at most for a minute, and tried with one message at a time', async () => {
    const lab = await startLab();
    const receiver = await startReceiver(500);
    await lab.register(receiver.url);
    await lab.settleTogether([1, 2, 3, 4]);
    for (let count = 0; count < 4; count++) await lab.attempted();
    for (const seconds of [5, 10, 20, 40, 60, 60]) {
      lab.timers.pass(seconds - 1);
      const before = receiver.received.length;
      lab.timers.pass(1);
      await lab.attempted();
      expect(receiver.received).toHaveLength(before + 1);
    }
    expect(receiver.received).toHaveLength(10);
  });

  test('keeps no other waiting', async () => {
    const lab = await startLab();
    const [down, up] = [await startReceiver(500), await startReceiver()];
    const downId = await lab.register(down.url);
    await lab.register(up.url);
    await lab.settle();
    await lab.attempted();
    await lab.attempted();
    for (const holdId of [8, 9]) {
      await lab.settle({ holdId });
      await lab.attempted();
    }
    expect(up.received.map(({ body }) => JSON.parse(body).data.holdId)).toEqual([7, 8, 9]);
    expect(down.received).toHaveLength(1);
    expect(await lab.deliveries({ notificationId: downId, state: 'pending' })).toHaveLength(3);
  });
});

test('an address that became forbidden is not connected to', async () => {
  const lab = await startLab();
  await lab.sender.close();
  const receiver = await startReceiver();
  await lab.register(receiver.url);
  const strict = addSender(lab, { config: { ...lab.config.webhooks, allowedRanges: [] } });
  await lab.settle();
  await strict.attempted();
  expect(receiver.connections()).toBe(0);
  expect(await lab.deliveries()).toMatchObject([{ state: 'pending', lastProblem: 'could not be reached' }]);
});

test('a name that leads to a private address by now is not connected to', async () => {
  const lab = await startLab();
  await lab.sender.close();
  const receiver = await startReceiver();
  const { owned, store } = lab;
  const notificationId = await lab.register(receiver.url);
  const url = `http://hook.example:${receiver.port}/`;
  await store.db.updateTable('notifications').set({ url }).where('notification_id', '=', notificationId).execute();
  const strict = addSender(lab, {
    config: { ...lab.config.webhooks, allowedRanges: [] },
    resolve: async () => ['127.0.0.1'],
  });
  await actionsOf(lab, owned).settle();
  await strict.attempted();
  expect(receiver.connections()).toBe(0);
  expect(await lab.deliveries()).toMatchObject([{ lastProblem: 'could not be reached' }]);
});

describe('over TLS', () => {
  async function startSecure(context: { ca?: string }) {
    const lab = await startLab();
    await lab.sender.close();
    const receiver = await startTlsWebhookServer((response) => response.writeHead(204).end());
    const notificationId = await lab.register('http://127.0.0.1:9/');
    const url = `https://policies.example:${receiver.port}/`;
    await lab.store.db
      .updateTable('notifications')
      .set({ url })
      .where('notification_id', '=', notificationId)
      .execute();
    const sender = addSender(lab, { resolve: async () => ['127.0.0.1'], ...context });
    await lab.settle();
    await sender.attempted();
    return { lab, receiver };
  }

  test('a message arrives at a destination with a certificate that is trusted', async () => {
    const { lab, receiver } = await startSecure({ ca: testCertificate.cert });
    expect(receiver.received).toHaveLength(1);
    expect(await lab.deliveries()).toMatchObject([{ state: 'delivered' }]);
  });

  test('nothing is sent to one with a certificate that is not', async () => {
    const { lab, receiver } = await startSecure({});
    expect(receiver.received).toEqual([]);
    expect(await lab.deliveries()).toMatchObject([
      { state: 'pending', lastProblem: 'has a TLS certificate or configuration that is not accepted' },
    ]);
  });
});

test('of many messages to one destination 4 are under way at once, and all arrive', async () => {
  const lab = await startLab();
  const waiting: ServerResponse[] = [];
  let max = 0;
  const { url, received } = await startWebhookServer((response) => {
    waiting.push(response);
    max = Math.max(max, waiting.length);
    // A turn for one too many to arrive, then all that wait are answered.
    if (waiting.length === notificationLimits.attemptsAtOnceToOne) {
      setImmediate(() => {
        for (const one of waiting.splice(0)) one.writeHead(204).end();
      });
    }
  });
  await lab.register(url);
  const count = 100;
  await lab.store.transaction(async (trx) => {
    for (let holdId = 0; holdId < count; holdId++) {
      const fact = { ...landed, paymasterId: lab.owned.paymasterId, holdId, now: lab.begun };
      await queueOperationNotification(trx, fact);
    }
  });
  for (let sent = 0; sent < count; sent++) await lab.attempted();
  expect(max).toBe(notificationLimits.attemptsAtOnceToOne);
  expect(new Set(received.map(({ body }) => JSON.parse(body).data.holdId)).size).toBe(count);
  expect(received).toHaveLength(count);
});

describe('redelivery', () => {
  test('sends a delivered message again under the same id, with the whole schedule before it', async () => {
    const lab = await startLab();
    const receiver = await startReceiver();
    await lab.register(receiver.url);
    await lab.settle();
    await lab.attempted();
    const [sent] = await lab.deliveries();
    const deliveryId = sent?.deliveryId ?? '';
    receiver.answer.status = 500;
    expect(accepted(await lab.management.redeliverNotification({ ...lab.owned, deliveryId }))).toMatchObject({
      deliveryId,
      state: 'pending',
      nextAttemptAt: lab.begun,
    });
    await lab.attempted();
    expect(await lab.deliveries()).toMatchObject([{ state: 'pending', attempts: 2, nextAttemptAt: lab.begun + 5 }]);
    receiver.answer.status = 200;
    lab.timers.pass(5);
    await lab.attempted();
    expect(await lab.deliveries()).toMatchObject([{ deliveryId, state: 'delivered', attempts: 3 }]);
    expect(receiver.received.map((one) => headerOf(one, 'webhook-id'))).toEqual(Array(3).fill(`msg_${deliveryId}`));
  });

  test('gives a failed one all its attempts again', async () => {
    const lab = await startLab();
    const receiver = await startReceiver(400);
    await lab.register(receiver.url);
    await lab.settle();
    await lab.attempted();
    for (const wait of notificationLimits.backoffSeconds) {
      lab.timers.pass(wait);
      await lab.attempted();
    }
    const [failed] = await lab.deliveries();
    expect(failed).toMatchObject({ state: 'failed', attempts: 7 });
    accepted(await lab.management.redeliverNotification({ ...lab.owned, deliveryId: failed?.deliveryId ?? '' }));
    await lab.attempted();
    expect(await lab.deliveries()).toMatchObject([{ state: 'pending', attempts: 8 }]);
  });
});

test('what is under way when the service stops is waited for and written down', async () => {
  const lab = await startLab();
  let closed: Promise<void> | undefined;
  const { url } = await startWebhookServer((response) => {
    closed = lab.sender.close();
    response.writeHead(204).end();
  });
  await lab.register(url);
  await lab.settle();
  await lab.attempted();
  await closed;
  expect(await lab.deliveries()).toMatchObject([{ state: 'delivered', attempts: 1 }]);
});

test('a message that was asked for again while it was being sent is sent once more', async () => {
  const lab = await startLab();
  let requests = 0;
  const { url, received } = await startWebhookServer(async (response) => {
    requests += 1;
    const [delivery] = await lab.deliveries();
    if (requests === 1) {
      const input = { ...lab.owned, deliveryId: delivery?.deliveryId ?? '' };
      accepted(await lab.management.redeliverNotification(input));
    }
    response.writeHead(204).end();
  });
  await lab.register(url);
  await lab.settle();
  await lab.attempted();
  await lab.attempted();
  expect(received).toHaveLength(2);
  expect(await lab.deliveries()).toMatchObject([{ state: 'delivered', attempts: 1 }]);
});

test('a test message is of type test, and reaches an inactive destination too', async () => {
  const lab = await startLab();
  const receiver = await startReceiver();
  const notificationId = await lab.register(receiver.url);
  accepted(await lab.management.updateNotification({ ...lab.owned, notificationId, active: false }));
  accepted(await lab.management.sendTestNotification({ ...lab.owned, notificationId }));
  await lab.attempted();
  expect(verifiedBody(await lab.secretOf(notificationId), only(receiver.received))).toMatchObject({ type: 'test' });
});

test('an inactive destination gathers nothing, and what waited for it is sent when it is active again', async () => {
  const lab = await startLab();
  const receiver = await startReceiver(500);
  const notificationId = await lab.register(receiver.url);
  const setActive = async (active: boolean) =>
    accepted(await lab.management.updateNotification({ ...lab.owned, notificationId, active }));
  await lab.settle();
  await lab.attempted();
  await setActive(false);
  await lab.settle({ holdId: 8 });
  const [waiting, ...more] = await lab.deliveries();
  expect([waiting?.state, more]).toEqual(['pending', []]);
  expect(waiting).not.toHaveProperty('nextAttemptAt');
  receiver.answer.status = 200;
  lab.timers.pass(3_600);
  await setActive(true);
  await lab.attempted();
  expect(receiver.received.map(({ body }) => JSON.parse(body).data.holdId)).toEqual([7, 7]);
});

test('two tenants: each is told of its own paymaster only', async () => {
  const lab = await startLab();
  const { owned: foreign } = await newPaymaster(lab.management, 'Other');
  const other = actionsOf(lab, foreign);
  const [mine, theirs] = [await startReceiver(), await startReceiver()];
  await lab.register(mine.url);
  await other.register(theirs.url);
  await other.settle({ holdId: 99 });
  await lab.attempted();
  expect(mine.received).toEqual([]);
  expect(JSON.parse(only(theirs.received).body)).toMatchObject({ paymasterId: foreign.paymasterId });
  expect(await lab.deliveries()).toEqual([]);
  expect(await other.deliveries()).toHaveLength(1);
});

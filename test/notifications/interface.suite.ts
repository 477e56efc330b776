import { EventEmitter, once } from 'node:events';
import { beforeAll, describe, expect, test } from 'vitest';
import type { NotificationDeliveryItem, NotificationItem } from '../../contract/notification.ts';
import { callRpc, newOperation, refusalOf, sponsored } from '../support/interface/rpc-calls.ts';
import { callManagement, dataOf, newTenant, type Tenant } from '../support/interface/tenant.ts';
import { useService } from '../support/interface/use-service.ts';
import { type ReceivedRequest, startWebhookServer } from '../support/servers/webhook-server.ts';
import type { ServiceOptions } from '../support/service/running-service.ts';
import { headerOf, verifiedBody } from './notification-lab.ts';

const url = 'http://127.0.0.1:9/events';
const unknownId = '00000000-0000-4000-8000-000000000000';
const created = { url, events: ['operation.failed'] };

/** A receiver that takes everything and whose next request can be waited for. */
async function startReceiver() {
  const arrivals = new EventEmitter();
  const server = await startWebhookServer((response, received) => {
    response.writeHead(204).end();
    arrivals.emit('request', received);
  });
  const next = async (): Promise<ReceivedRequest> => (await once(arrivals, 'request'))[0];
  return { ...server, next };
}

/** Notifications through the whole service, by the handle the gateway has of the core. */
export function describeNotifications(handle: NonNullable<ServiceOptions['handle']>): void {
  describe(`notifications over the ${handle} handle`, () => {
    const service = useService({ handle });
    let tenant: Tenant;
    let foreign: Tenant;
    beforeAll(async () => {
      tenant = await newTenant(service());
      foreign = await newTenant(service());
    });
    const call = (method: string, path: string, json?: unknown, { headers }: Pick<Tenant, 'headers'> = tenant) =>
      callManagement(service(), method, path, { headers, json });
    const register = async (fields: object = {}, as?: Pick<Tenant, 'headers'>) =>
      dataOf(await call('POST', '/notification', { ...created, ...fields }, as)) as NotificationItem;
    const answerOf = async (...args: Parameters<typeof call>) => {
      const { status, json } = await call(...args);
      return [status, json];
    };
    const refused = (status: number, message: string) => [status, { statusCode: status, message }];

    test('are registered, listed, changed and deleted', async () => {
      const tankLow = { thresholdWei: '123456789012345678901234567890', daysLeft: 3 };
      const first = await register({ events: ['operation.failed', 'tank.low'], tankLow });
      const { notificationId } = first;
      expect(first).toEqual({
        notificationId: expect.any(String),
        target: 'WEBHOOK',
        url,
        events: ['tank.low', 'operation.failed'],
        tankLow,
        active: true,
        etag: expect.any(String),
      });
      expect(dataOf(await call('GET', '/notification'))).toEqual([first]);
      const changed = { ...first, events: ['webhook.failing'], active: false, etag: expect.any(String) };
      expect(
        await answerOf('PATCH', '/notification', { notificationId, active: false, events: ['webhook.failing'] }),
      ).toEqual([200, { statusCode: 200, message: 'Notification updated', data: changed }]);
      expect(dataOf(await call('GET', '/notification'))).toEqual([changed]);
      expect(await answerOf('DELETE', '/notification', { notificationId })).toEqual([
        200,
        { statusCode: 200, message: 'Notification deleted' },
      ]);
      expect(dataOf(await call('GET', '/notification'))).toEqual([]);
    });

    test.each([
      ['POST', { events: ['operation.failed'] }, 'url must be a valid URL'],
      ['POST', { ...created, target: 'PAGER' }, 'target must be WEBHOOK, SLACK, DISCORD, TELEGRAM or PAGERDUTY'],
      ['POST', { url: 'hook', events: 1 }, 'url must be a valid URL'],
      ['POST', { url }, 'events must be an array'],
      ['POST', { url, events: 'tank.low' }, 'events must be an array'],
      [
        'POST',
        { url, events: [] },
        'events must be one or more of tank.low, webhook.failing, operation.sent, operation.included, operation.dropped, operation.settled, operation.failed, operation.diverged, payment.failed',
      ],
      [
        'POST',
        { url, events: [7] },
        'events must be one or more of tank.low, webhook.failing, operation.sent, operation.included, operation.dropped, operation.settled, operation.failed, operation.diverged, payment.failed',
      ],
      ['POST', { url, events: ['tank.low'] }, 'tankLow must be set for tank.low'],
      ['POST', { ...created, tankLow: 5 }, 'tankLow must be an object'],
      ['POST', { ...created, tankLow: { thresholdWei: 5 } }, 'thresholdWei must be a string of decimal digits'],
      ['POST', { ...created, tankLow: { daysLeft: '5' } }, 'daysLeft must be a number'],
      ['POST', { ...created, tankLow: { daysLeft: 1.5 } }, 'daysLeft must be a whole number from 1 to 3650'],
      ['POST', { ...created, url: 'http://192.168.0.1/' }, 'url cannot be reached by the service'],
      ['PATCH', { active: true }, 'notificationId must be a string'],
      ['PATCH', { notificationId: unknownId, active: 'yes' }, 'active must be a boolean value'],
      ['DELETE', { notificationId: 5 }, 'notificationId must be a string'],
    ])('%s %j is answered with the field at fault', async (method, json, message) => {
      expect(await answerOf(method, '/notification', json)).toEqual(refused(400, message));
    });

    test.each([
      ['/notification/deliveries?state=sent', 'state must be pending, delivered, failed, dropped'],
      ['/notification/deliveries?cursor=x', 'cursor must be the nextCursor of an earlier answer'],
      ['/notification/deliveries?limit=201', 'limit must be a whole number from 1 to 200'],
      ['/notification/secret', 'notificationId must be a string'],
    ])('GET %s is answered with the parameter at fault', async (path, message) => {
      expect(await answerOf('GET', path)).toEqual(refused(400, message));
    });

    test('need both credentials', async () => {
      const unauthorized = refused(401, 'Auth token and API key is required in the headers');
      const { authToken } = tenant;
      for (const headers of [{ authToken }, { authToken, apiKey: foreign.apiKey }]) {
        const as = { headers } as Pick<Tenant, 'headers'>;
        for (const path of ['', '/deliveries', `/secret?notificationId=${unknownId}`]) {
          expect(await answerOf('GET', `/notification${path}`, undefined, as)).toEqual(unauthorized);
        }
        for (const path of ['', '/secret', '/redeliver', '/test']) {
          expect(await answerOf('POST', `/notification${path}`, {}, as)).toEqual(unauthorized);
        }
      }
    });

    test('of another account and unknown ones are answered alike, and stay as they are', async () => {
      const theirs = await register({}, foreign);
      const queued = await call('POST', '/notification/test', { notificationId: theirs.notificationId }, foreign);
      const { deliveryId } = dataOf(queued) as NotificationDeliveryItem;
      for (const notificationId of [theirs.notificationId, unknownId]) {
        const answers = [
          await answerOf('PATCH', '/notification', { notificationId, active: false }),
          await answerOf('DELETE', '/notification', { notificationId }),
          await answerOf('GET', `/notification/secret?notificationId=${notificationId}`),
          await answerOf('POST', '/notification/secret', { notificationId }),
          await answerOf('POST', '/notification/test', { notificationId }),
          await answerOf('GET', `/notification/deliveries?notificationId=${notificationId}`),
        ];
        expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
          new Set([JSON.stringify(refused(404, 'Notification not found'))]),
        );
      }
      for (const id of [deliveryId, unknownId]) {
        expect(await answerOf('POST', '/notification/redeliver', { deliveryId: id })).toEqual(
          refused(404, 'Notification not found'),
        );
      }
      expect(dataOf(await call('GET', '/notification', undefined, foreign))).toEqual([theirs]);
      expect(dataOf(await call('GET', '/notification/deliveries'))).toEqual({ deliveries: [] });
    });

    test('a test message arrives signed with the destination’s secret, is in the log, and again when asked for', async () => {
      const receiver = await startReceiver();
      const { notificationId } = await register({ url: receiver.url });
      const readSecret = async () =>
        dataOf(await call('GET', `/notification/secret?notificationId=${notificationId}`)) as { secret: string };
      const before = await readSecret();
      const rotated = dataOf(await call('POST', '/notification/secret', { notificationId }));
      expect(await readSecret()).toEqual(rotated);
      expect(rotated).not.toEqual(before);

      const arrival = receiver.next();
      const queued = dataOf(await call('POST', '/notification/test', { notificationId })) as NotificationDeliveryItem;
      const received = await arrival;
      const { secret } = rotated as { secret: string };
      expect(verifiedBody(secret, received)).toEqual({
        type: 'test',
        notificationId,
        createdAt: queued.createdAt,
        paymasterId: tenant.paymasterId,
        chainId: service().devnet.chainId,
        data: {},
      });
      expect(received.body).not.toContain(tenant.apiKey);

      const { deliveryId } = queued;
      const again = receiver.next();
      expect(dataOf(await call('POST', '/notification/redeliver', { deliveryId }))).toMatchObject({
        deliveryId,
        type: 'test',
        state: 'pending',
      });
      expect(headerOf(await again, 'webhook-id')).toBe(headerOf(received, 'webhook-id'));
      const log = dataOf(await call('GET', `/notification/deliveries?notificationId=${notificationId}&limit=1`));
      expect(log).toMatchObject({ deliveries: [{ deliveryId, notificationId, type: 'test' }] });
    });

    test('a decision webhook that stays away is told of, once though it goes on', async () => {
      const { authToken } = await service().issueAccount();
      const paymaster = await service().fundedPaymaster(authToken, '0.7');
      const as = { headers: { authToken, apiKey: paymaster.apiKey } };
      const receiver = await startReceiver();
      await register({ url: receiver.url, events: ['webhook.failing'] }, as);
      const json = { webhookUrl: 'http://127.0.0.1:1/decide', requestType: 'POST' };
      const { webhookId } = dataOf(await call('POST', '/webhook', json, as)) as { webhookId: string };
      const operation = await newOperation(service().devnet, '0.7');
      const arrival = receiver.next();
      for (let count = 0; count < 6; count++) {
        expect(refusalOf(await callRpc(paymaster.rpcUrl, [operation, sponsored]))).toContain('WEBHOOK_UNAVAILABLE');
      }
      expect(JSON.parse((await arrival).body)).toMatchObject({
        type: 'webhook.failing',
        paymasterId: paymaster.paymasterId,
        data: { webhookId },
      });
      const { deliveries } = dataOf(await call('GET', '/notification/deliveries', undefined, as)) as {
        deliveries: readonly NotificationDeliveryItem[];
      };
      expect(deliveries).toHaveLength(1);
    });
  });
}

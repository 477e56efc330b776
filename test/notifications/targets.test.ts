import { describe, expect, test } from 'vitest';
import type { Input } from '../../core/domain/core.ts';
import { accepted, newPaymaster, refusalOf, startManagement } from '../support/core/start-management.ts';
import { startWebhookServer } from '../support/servers/webhook-server.ts';
import { landed, startLab } from './notification-lab.ts';

type Entered = Omit<Input<'createNotification'>, 'accountId' | 'paymasterId' | 'events'>;

const botToken = '123456789:AAFabcdefghijklmnopqrstuvwxyz012345';
const routingKey = 'R0abcdefghijklmnopqrstuvwxyz0123';

/** A destination of an Events API, a chat or a channel at `url`, and what the service answers if it does not take a message. */
const services = [
  {
    entered: (url: string): Entered => ({ target: 'SLACK', url: `${url}/services/T1/B2/sEcReT` }),
    secret: 'sEcReT',
    recipient: '…cReT',
    path: '/services/T1/B2/sEcReT',
    refusal: [404, 'no_service'],
    reason: 'answered 404: no_service',
  },
  {
    entered: (url: string): Entered => ({ target: 'DISCORD', url: `${url}/api/webhooks/17/sEcReT` }),
    secret: 'sEcReT',
    recipient: '…cReT',
    path: '/api/webhooks/17/sEcReT',
    refusal: [404, JSON.stringify({ message: 'Unknown Webhook', code: 10_015 })],
    reason: 'answered 404: Unknown Webhook',
  },
  {
    entered: (url: string): Entered => ({ target: 'TELEGRAM', url, token: botToken, chatId: '-1001234567890' }),
    secret: botToken,
    recipient: '-1001234567890',
    path: `/bot${botToken}/sendMessage`,
    refusal: [400, JSON.stringify({ ok: false, error_code: 400, description: 'Bad Request: chat not found' })],
    reason: 'answered 400: Bad Request: chat not found',
  },
  {
    entered: (url: string): Entered => ({ target: 'PAGERDUTY', url, token: routingKey }),
    secret: routingKey,
    recipient: '…0123',
    path: '/v2/enqueue',
    refusal: [
      400,
      JSON.stringify({ status: 'invalid event', message: 'Event object is invalid', errors: ['too old'] }),
    ],
    reason: 'answered 400: Event object is invalid. too old',
  },
] as const;

/** The text of a message, wherever the service has it in a body. */
function textOf(body: string): string {
  const { text, content, payload } = JSON.parse(body);
  return text ?? content ?? `${payload.summary}\n${payload.custom_details.details}`;
}

async function startService(answer: readonly [number, string]) {
  const server = await startWebhookServer((response) => response.writeHead(answer[0]).end(answer[1]));
  return { ...server, origin: `http://127.0.0.1:${server.port}` };
}

describe.each(services)(
  '$recipient of a service for people',
  ({ entered, secret, recipient, path, refusal, reason }) => {
    test('gets a text that names paymaster, event and cost, in a request of its own form', async () => {
      const lab = await startLab();
      const { management, owned } = lab;
      const { origin, received } = await startService([200, 'ok']);
      const events = ['operation.failed'];
      accepted(await management.createNotification({ ...owned, ...entered(origin), events }));
      await lab.settle({ success: false });
      await lab.attempted();
      const [{ request, body } = { request: undefined, body: '{}' }] = received;
      expect([request?.method, request?.url]).toEqual(['POST', path]);
      // It is no signed event.
      expect(Object.keys(request?.headers ?? {}).filter((name) => name.startsWith('webhook-'))).toEqual([]);
      const text = textOf(body);
      const [paymaster] = accepted(await management.listPaymasters(owned));
      expect(text).toContain(`${paymaster?.name}: An operation failed`);
      expect(text).toContain(landed.txHash);
      expect(text).toContain('Cost: 100.000000000000000002 of the coin of chain 1337');
      expect(await lab.deliveries()).toMatchObject([{ state: 'delivered', lastStatus: 200 }]);
    });

    test('says why it took no message, and what grants the right to post is in no list, log or problem', async () => {
      const lab = await startLab();
      const { management, owned } = lab;
      const { origin } = await startService(refusal);
      const created = accepted(
        await management.createNotification({ ...owned, ...entered(origin), events: ['webhook.failing'] }),
      );
      const { notificationId } = created;
      expect(created).toMatchObject({ url: origin, recipient });
      accepted(await management.sendTestNotification({ ...owned, notificationId }));
      await lab.attempted();
      expect(await lab.deliveries()).toMatchObject([{ state: 'pending', lastProblem: reason }]);
      const rows = await lab.store.db.selectFrom('notifications').selectAll().execute();
      const listed = accepted(await management.listNotifications(owned));
      const changes = accepted(await management.listAuditLog({ accountId: owned.accountId, filter: {} }));
      const seen = [created, listed, await lab.deliveries(), changes, lab.logged, rows.map((row) => ({ ...row }))];
      const shown = JSON.stringify(seen, (_, value) => (typeof value === 'bigint' ? String(value) : value));
      expect(shown).not.toContain(secret);
      expect(rows.some(({ secret_sealed }) => Buffer.from(secret_sealed).includes(secret))).toBe(false);
      const signs = await management.readNotificationSecret({ ...owned, notificationId });
      const rotates = await management.rotateNotificationSecret({ ...owned, notificationId });
      expect([signs, rotates].map(refusalOf)).toEqual(
        Array(2).fill('INVALID_FIELD: notificationId must be of the target WEBHOOK: messages to others are not signed'),
      );
    });
  },
);

test('a name cannot be markup: no one is mentioned, and nothing becomes a link', async () => {
  const lab = await startLab();
  const { management, owned } = lab;
  accepted(await management.updatePaymaster({ ...owned, name: '<!channel> @everyone <http://evil.example|here>' }));
  const { origin, received } = await startService([200, '']);
  for (const { entered } of services) {
    const { notificationId } = accepted(
      await management.createNotification({ ...owned, ...entered(origin), events: ['webhook.failing'] }),
    );
    accepted(await management.sendTestNotification({ ...owned, notificationId }));
    await lab.attempted();
  }
  const [slack, discord, telegram] = received.map(({ body }) => JSON.parse(body));
  expect(slack.text).toContain('&lt;!channel&gt; @everyone &lt;http://evil.example|here&gt;');
  expect(discord.allowed_mentions).toEqual({ parse: [] });
  expect(telegram.parse_mode).toBeUndefined();
});

test('PagerDuty puts what is about one webhook into one incident', async () => {
  const lab = await startLab();
  const { management, owned } = lab;
  const { origin, received } = await startService([202, '{"status":"success"}']);
  const { notificationId } = accepted(
    await management.createNotification({
      ...owned,
      target: 'PAGERDUTY',
      url: origin,
      token: routingKey,
      events: ['webhook.failing'],
    }),
  );
  for (let count = 0; count < 2; count += 1) {
    accepted(await management.sendTestNotification({ ...owned, notificationId }));
    await lab.attempted();
  }
  const bodies = received.map(({ body }) => JSON.parse(body));
  expect(bodies).toMatchObject(
    Array(2).fill({ routing_key: routingKey, event_action: 'trigger', payload: { severity: 'info' } }),
  );
  expect(new Set(bodies.map(({ dedup_key }) => dedup_key)).size).toBe(1);
});

test.each([
  [{ target: 'SLACK' }, 'url must be a valid URL'],
  [{ target: 'SLACK', url: 'http://10.0.0.1/x' }, 'url cannot be reached by the service'],
  [{ target: 'DISCORD', url: 'http://127.0.0.1/x', token: 'x' }, 'token must be left out for DISCORD'],
  [{ target: 'TELEGRAM', chatId: '1' }, 'token must be the token of a bot, like 123456789:AAF…'],
  [
    { target: 'TELEGRAM', token: `${botToken}/../x`, chatId: '1' },
    'token must be the token of a bot, like 123456789:AAF…',
  ],
  [
    { target: 'TELEGRAM', token: botToken },
    'chatId must be the number of a chat, like -1001234567890, or the name of a public channel, like @alerts',
  ],
  [{ target: 'PAGERDUTY', token: 'short' }, 'token must be the integration key of an Events API v2 integration'],
  [{ target: 'PAGERDUTY', token: routingKey, chatId: '1' }, 'chatId must be left out for PAGERDUTY'],
] satisfies [Partial<Entered>, string][])('%j is refused', async (entered, refusal) => {
  const { management } = await startManagement();
  const { owned } = await newPaymaster(management);
  const result = await management.createNotification({ ...owned, url: '', ...entered, events: ['webhook.failing'] });
  expect(refusalOf(result)).toMatch(new RegExp(`: ${refusal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`));
});

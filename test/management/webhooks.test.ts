import { describe, expect, test } from 'vitest';
import { maxWebhooks } from '../../contract/limits.ts';
import { accepted, newPaymaster, refusalOf, startManagement } from '../support/core/start-management.ts';

const webhookUrl = 'http://127.0.0.1:9/policies?team=a';
const unknownId = '00000000-0000-4000-8000-000000000000';
const notFound = 'WEBHOOK_NOT_FOUND: Webhook not found';

async function start() {
  const { management } = await startManagement();
  const { owned } = await newPaymaster(management);
  return { management, owned, input: { ...owned, webhookUrl, requestType: 'POST' } };
}

describe('a new webhook', () => {
  test.each(['GET', 'POST'])('of type %s is active and has a uuid', async (requestType) => {
    const { management, owned, input } = await start();
    const webhook = accepted(await management.createWebhook({ ...input, requestType }));
    expect(webhook.webhookId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(webhook).toMatchObject({ webhookId: webhook.webhookId, webhookUrl, requestType, active: true });
    expect(accepted(await management.listWebhooks(owned))).toEqual([webhook]);
  });

  test.each([
    ['no URL', { webhookUrl: 'nonsense' }, 'INVALID_FIELD: webhookUrl must be a valid URL'],
    ['an empty URL', { webhookUrl: '' }, 'INVALID_FIELD: webhookUrl must be a valid URL'],
    ['no URL before a bad type', { webhookUrl: '', requestType: '' }, 'INVALID_FIELD: webhookUrl must be a valid URL'],
    ['another type', { requestType: 'PUT' }, 'INVALID_FIELD: requestType must be GET or POST'],
    ['a type in lower case', { requestType: 'post' }, 'INVALID_FIELD: requestType must be GET or POST'],
    [
      'a forbidden address',
      { webhookUrl: 'http://10.0.0.1/' },
      'WEBHOOK_URL_NOT_REACHABLE: webhookUrl cannot be reached by the service',
    ],
    [
      'a bad type before a forbidden address',
      { webhookUrl: 'http://10.0.0.1/', requestType: 'PUT' },
      'INVALID_FIELD: requestType must be GET or POST',
    ],
  ])('is refused for %s', async (_, change, refusal) => {
    const { management, owned, input } = await start();
    expect(refusalOf(await management.createWebhook({ ...input, ...change }))).toBe(refusal);
    expect(accepted(await management.listWebhooks(owned))).toEqual([]);
  });

  test('is refused when the paymaster has 20, also when two come at once; a deleted one makes room', async () => {
    const { management, owned, input } = await start();
    for (let index = 1; index < maxWebhooks; index++) accepted(await management.createWebhook(input));
    const last = await Promise.all([management.createWebhook(input), management.createWebhook(input)]);
    expect(last.filter(({ ok }) => ok)).toHaveLength(1);
    expect(last.filter(({ ok }) => !ok).map(refusalOf)).toEqual([
      'TOO_MANY_WEBHOOKS: A paymaster can have at most 20 webhooks',
    ]);
    const [first] = accepted(await management.listWebhooks(owned));
    accepted(await management.deleteWebhook({ ...owned, webhookId: first?.webhookId ?? '' }));
    expect((await management.createWebhook(input)).ok).toBe(true);
  });
});

describe('the list', () => {
  test('is in the order of creation; an id picks one; an unknown id gives none', async () => {
    const { management, owned, input } = await start();
    const created = [];
    for (const path of ['c', 'a', 'b']) {
      created.push(accepted(await management.createWebhook({ ...input, webhookUrl: `http://127.0.0.1/${path}` })));
    }
    expect(accepted(await management.listWebhooks(owned))).toEqual(created);
    const second = created[1];
    expect(accepted(await management.listWebhooks({ ...owned, webhookId: second?.webhookId ?? '' }))).toEqual([second]);
    for (const webhookId of [unknownId, '', "' OR 1=1 --"]) {
      expect(accepted(await management.listWebhooks({ ...owned, webhookId })), webhookId).toEqual([]);
    }
  });
});

describe('update and deletion', () => {
  test('switch one webhook off and on again, and again', async () => {
    const { management, owned, input } = await start();
    const webhook = accepted(await management.createWebhook(input));
    const { webhookId } = webhook;
    for (const active of [false, false, true, true]) {
      const updated = accepted(await management.updateWebhook({ ...owned, webhookId, active }));
      expect(updated).toEqual({ ...webhook, active, etag: expect.any(String) });
      expect(accepted(await management.listWebhooks(owned))).toEqual([updated]);
    }
  });

  test('a deleted one is gone for every call', async () => {
    const { management, owned, input } = await start();
    const { webhookId } = accepted(await management.createWebhook(input));
    const kept = accepted(await management.createWebhook(input));
    accepted(await management.deleteWebhook({ ...owned, webhookId }));
    expect(accepted(await management.listWebhooks(owned))).toEqual([kept]);
    expect(refusalOf(await management.updateWebhook({ ...owned, webhookId, active: true }))).toBe(notFound);
    expect(refusalOf(await management.deleteWebhook({ ...owned, webhookId }))).toBe(notFound);
    expect(refusalOf(await management.readWebhookSecret({ ...owned, webhookId }))).toBe(notFound);
    expect(refusalOf(await management.rotateWebhookSecret({ ...owned, webhookId }))).toBe(notFound);
  });
});

describe('the secret', () => {
  test('has the form of Standard Webhooks: whsec_ and 24 to 64 bytes in base64', async () => {
    const { management, owned, input } = await start();
    const { webhookId } = accepted(await management.createWebhook(input));
    const { secret } = accepted(await management.readWebhookSecret({ ...owned, webhookId }));
    const encoded = secret.slice('whsec_'.length);
    const bytes = Buffer.from(encoded, 'base64');
    expect(secret).toBe(`whsec_${bytes.toString('base64')}`);
    expect(bytes.length).toBeGreaterThanOrEqual(24);
    expect(bytes.length).toBeLessThanOrEqual(64);
  });

  test("stays until it is rotated and is each webhook's own", async () => {
    const { management, owned, input } = await start();
    const first = { ...owned, webhookId: accepted(await management.createWebhook(input)).webhookId };
    const second = { ...owned, webhookId: accepted(await management.createWebhook(input)).webhookId };
    const before = accepted(await management.readWebhookSecret(first));
    const other = accepted(await management.readWebhookSecret(second));
    expect(accepted(await management.readWebhookSecret(first))).toEqual(before);
    const rotated = accepted(await management.rotateWebhookSecret(first));
    expect(accepted(await management.readWebhookSecret(first))).toEqual(rotated);
    expect(accepted(await management.readWebhookSecret(second))).toEqual(other);
    expect(new Set([before.secret, other.secret, rotated.secret]).size).toBe(3);
  });
});

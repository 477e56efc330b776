import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import {
  answerJson,
  approve,
  startCaller,
  startWebhookServer,
  testSecret,
  webhookAt,
} from '../support/servers/webhook-server.ts';

const data = '{"user":"Zoë & co","amount":12345678901234567890,"b":1,"a":[null,"+ %"]}';

describe('what is sent', () => {
  test('POST carries the data verbatim in one field, signed over the exact body', async () => {
    const server = await startWebhookServer(approve);
    const result = await startCaller().call(webhookAt(`${server.url}?tenant=1`), data);

    expect(result).toEqual({ ok: true, value: true });
    const [first] = server.received;
    expect(first?.request.method).toBe('POST');
    expect(first?.request.url).toBe('/hook?tenant=1');
    expect(first?.body).toBe(`{"data":${data}}`);
    expect(first?.request.headers).toMatchObject({ 'content-type': 'application/json', 'accept-encoding': 'identity' });
    expect(() => new Webhook(testSecret).verify(first?.body ?? '', headersOf(first))).not.toThrow();
  });

  test('GET carries the data in the parameter `data` behind the query of the URL, signed over its text', async () => {
    const server = await startWebhookServer(approve);
    const webhook = webhookAt(`${server.url}?tenant=a%20b&flag#part`, { requestType: 'GET' });
    expect((await startCaller().call(webhook, data)).ok).toBe(true);

    const [first] = server.received;
    expect(first?.request.method).toBe('GET');
    expect(first?.body).toBe('');
    expect(first?.request.url).toMatch(/^\/hook\?tenant=a%20b&flag&data=%7B[^ +]*$/);
    const received = new URL(first?.request.url ?? '', server.url).searchParams.get('data') ?? '';
    expect(received).toBe(data);
    expect(() => new Webhook(testSecret).verify(received, headersOf(first))).not.toThrow();
  });

  test('a changed body or another secret does not verify', async () => {
    const server = await startWebhookServer(approve);
    await startCaller().call(webhookAt(server.url), data);
    const [first] = server.received;
    expect(() => new Webhook(testSecret).verify(`${first?.body} `, headersOf(first))).toThrow();
    const other = new Webhook(Buffer.from('another key').toString('base64'));
    expect(() => other.verify(first?.body ?? '', headersOf(first))).toThrow();
  });

  test('no two calls share a webhook-id', async () => {
    const server = await startWebhookServer(approve);
    const caller = startCaller();
    for (let call = 0; call < 3; call += 1) await caller.call(webhookAt(server.url), '{}');
    const ids = server.received.map(({ request }) => request.headers['webhook-id']);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(3);
  });

  test.each(['1', '[]', 'null', '"x"', '', '{', '{},"extra":{}', '{}}{'])(
    'data that is not one JSON object (%j) is never sent',
    async (dataJson) => {
      const server = await startWebhookServer(approve);
      expect(await reasonOf(startCaller().call(webhookAt(server.url), dataJson))).toBe('WEBHOOK_UNAVAILABLE');
      expect(server.received).toHaveLength(0);
    },
  );

  test('a GET whose URL would be longer than 8,192 characters is not sent, the same data goes as POST', async () => {
    const server = await startWebhookServer(approve);
    const caller = startCaller();
    const long = JSON.stringify({ text: 'a'.repeat(8_200) });
    const refused = await messageOf(caller.call(webhookAt(server.url, { requestType: 'GET' }), long));
    expect(refused).toContain('longer than 8192 characters');
    expect(server.received).toHaveLength(0);
    expect((await caller.call(webhookAt(server.url), long)).ok).toBe(true);
  });

  test('a GET whose URL has exactly 8,192 characters is sent', async () => {
    const server = await startWebhookServer(approve);
    const caller = startCaller();
    const webhook = webhookAt(server.url, { requestType: 'GET' });
    const data = (length: number) => `{"t":"${'a'.repeat(length)}"}`;
    const longest = 8_192 - `${server.url}?data=${encodeURIComponent(data(0))}`.length;
    expect((await caller.call(webhook, data(longest))).ok).toBe(true);
    expect((await caller.call(webhook, data(longest + 1))).ok).toBe(false);
    expect(server.received).toHaveLength(1);
  });

  test('data of 131,072 bytes is sent, a byte more is not', async () => {
    const server = await startWebhookServer(approve);
    const caller = startCaller();
    const data = (bytes: number) => `{"t":"${'ä'.repeat((bytes - 8) / 2)}"}`;
    expect((await caller.call(webhookAt(server.url), data(131_072))).ok).toBe(true);
    expect(await messageOf(caller.call(webhookAt(server.url), `${data(131_072)} `))).toBe(
      'Webhook hook-1 was not called: webhookData is not a JSON object of at most 131072 bytes.',
    );
    expect(server.received).toHaveLength(1);
  });
});

describe('how an answer is read', () => {
  test('a plain false refuses', async () => {
    const server = await startWebhookServer(answerJson({ arePoliciesVerified: false }));
    const result = await startCaller().call(webhookAt(server.url), '{}');
    expect(result).toMatchObject({
      ok: false,
      refusal: {
        reason: 'WEBHOOK_REFUSED',
        message: 'Webhook hook-1 answered that the policies are not met.',
        details: { webhookId: 'hook-1' },
      },
    });
  });

  test('other fields next to a true do not matter, nor does another 2xx', async () => {
    const server = await startWebhookServer(answerJson({ arePoliciesVerified: true, note: 'ok' }, 201));
    expect((await startCaller().call(webhookAt(server.url), '{}')).ok).toBe(true);
  });

  test.each([
    ['500 with a true body', 500, '{"arePoliciesVerified":true}', 'answered 500'],
    ['404 with a true body', 404, '{"arePoliciesVerified":true}', 'answered 404'],
    ['403 with a false body', 403, '{"arePoliciesVerified":false}', 'answered 403'],
    ['304', 304, '', 'answered 304'],
    ['an empty answer', 200, '', 'not a JSON object'],
    ['204', 204, '', 'not a JSON object'],
    ['HTML', 200, '<html>true</html>', 'not a JSON object'],
    ['bare true', 200, 'true', 'not a JSON object'],
    ['null', 200, 'null', 'not a JSON object'],
    ['an array', 200, '[{"arePoliciesVerified":true}]', 'not a JSON object'],
    ['two documents', 200, '{"arePoliciesVerified":true}{}', 'not a JSON object'],
    ['the text "true"', 200, '{"arePoliciesVerified":"true"}', 'without a boolean'],
    ['the text "false"', 200, '{"arePoliciesVerified":"false"}', 'without a boolean'],
    ['1', 200, '{"arePoliciesVerified":1}', 'without a boolean'],
    ['null for a verdict', 200, '{"arePoliciesVerified":null}', 'without a boolean'],
    ['another case', 200, '{"arepoliciesverified":true}', 'without a boolean'],
    ['a verdict one level down', 200, '{"data":{"arePoliciesVerified":true}}', 'without a boolean'],
    ['a verdict in the prototype', 200, '{"__proto__":{"arePoliciesVerified":true}}', 'without a boolean'],
    ['16 KiB of brackets', 200, '['.repeat(16_384), 'not a JSON object'],
    ['16 KiB of nesting', 200, '['.repeat(8_192) + ']'.repeat(8_192), 'not a JSON object'],
  ])('%s cannot be relied on', async (_what, status, body, words) => {
    const server = await startWebhookServer((response) => response.writeHead(status).end(body));
    const result = await startCaller().call(webhookAt(server.url), '{}');
    expect(result).toMatchObject({ ok: false, refusal: { reason: 'WEBHOOK_UNAVAILABLE' } });
    expect(result.ok ? '' : result.refusal.message).toContain(words);
  });

  test('an answer of exactly 16,384 bytes is read, one byte more is not', async () => {
    const answer = '{"arePoliciesVerified":true}';
    const fits = await startWebhookServer((response) => response.end(answer.padEnd(16_384, ' ')));
    const tooLong = await startWebhookServer((response) => response.end(answer.padEnd(16_385, ' ')));
    const caller = startCaller();
    expect((await caller.call(webhookAt(fits.url), '{}')).ok).toBe(true);
    expect(await messageOf(caller.call(webhookAt(tooLong.url), '{}'))).toContain('more than 16384 bytes');
  });
});

test('neither a refusal nor the log tells the secret, the query of the URL or an address', async () => {
  const server = await startWebhookServer((response) => response.writeHead(503).end('from inside'));
  const caller = startCaller();
  const results = [
    await caller.call(webhookAt(`${server.url}?key=hush-hush`), '{"private":"data"}'),
    await caller.call(webhookAt('http://10.0.0.9/?key=hush-hush'), '{}'),
    await caller.call(webhookAt('http://127.0.0.1:1/?key=hush-hush'), '{}'),
  ];
  const reported = JSON.stringify(results) + caller.logged.join();
  expect(caller.logged).toHaveLength(3);
  expect(reported).toContain('hook-1');
  for (const hidden of [
    'hush-hush',
    testSecret,
    testSecret.slice(6),
    '127.0.0.1',
    '10.0.0.9',
    'private',
    'from inside',
  ]) {
    expect(reported).not.toContain(hidden);
  }
});

test('a webhook that cannot be called is logged with its problem, and one that answers is not logged', async () => {
  const answers = [200, 503];
  const server = await startWebhookServer((response) =>
    response.writeHead(answers.shift() ?? 500).end('{"arePoliciesVerified":true}'),
  );
  const caller = startCaller();
  expect((await caller.call(webhookAt(server.url), '{}')).ok).toBe(true);
  expect(caller.logged).toEqual([]);
  await caller.call(webhookAt(server.url), '{}');
  expect(caller.logged).toEqual(['{"webhookId":"hook-1","problem":"answered 503"}webhook unavailable']);
});

test('a webhook whose secret is damaged is refused and logged', async () => {
  const server = await startWebhookServer(approve);
  const caller = startCaller();
  const message = await messageOf(caller.call(webhookAt(server.url, { secret: 'whsec_' }), '{}'));
  expect(message).toBe('Webhook hook-1 could not be called.');
  expect(caller.logged).toEqual([expect.stringMatching(/"webhookId":"hook-1".*webhook call failed$/)]);
  expect(server.received).toHaveLength(0);
});

test('a closed caller refuses and calls no one', async () => {
  const server = await startWebhookServer(approve);
  const caller = startCaller();
  await caller.close();
  expect(await messageOf(caller.call(webhookAt(server.url), '{}'))).toContain('the service is stopping');
  expect(server.received).toHaveLength(0);
});

type Outcome = ReturnType<ReturnType<typeof startCaller>['call']>;

async function reasonOf(outcome: Outcome): Promise<string> {
  const result = await outcome;
  return result.ok ? 'approved' : result.refusal.reason;
}

async function messageOf(outcome: Outcome): Promise<string> {
  const result = await outcome;
  return result.ok ? 'approved' : result.refusal.message;
}

function headersOf(received: { request: { headers: Record<string, string | string[] | undefined> } } | undefined) {
  const headers = received?.request.headers ?? {};
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

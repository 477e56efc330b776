import { describe, expect, test } from 'vitest';
import { scopes } from '../../core/domain/access/actor.ts';
import { accept } from '../../core/domain/result/result.ts';
import { apiKey, authToken, refusal } from '../support/gateway/fake-core.ts';
import { prefix, send, startTestGateway } from '../support/gateway/start-test-gateway.ts';

const both = 'Auth token and API key is required in the headers';
const tokenOnly = 'Auth token is required in the headers';

/** Every call with the text of its 401; none carries a body that would pass validation. */
const calls: [method: string, path: string, text: string, needsApiKey: boolean][] = [
  ['POST', '/webhook', both, true],
  ['GET', '/webhook', tokenOnly, true],
  ['PATCH', '/webhook', both, true],
  ['DELETE', '/webhook', both, true],
  ['GET', '/webhook/a/secret', both, true],
  ['POST', '/webhook/a/secret', both, true],
  ['GET', '/paymaster', both, false],
  ['POST', '/paymaster', tokenOnly, false],
  ['POST', '/smart-contract', both, true],
  ['GET', '/smart-contract', both, true],
  ['PATCH', '/smart-contract', both, true],
  ['DELETE', '/smart-contract', both, true],
  ['GET', '/funding-message/a', both, true],
  ['PATCH', '/paymaster', both, true],
  ['GET', '/policy', both, true],
  ['PUT', '/policy', both, true],
  ['POST', '/policy/preview', both, true],
  ['GET', '/gas-tank', both, true],
  ['GET', '/gas-tank/entries', both, true],
  ['GET', '/gas-tank/days', both, true],
  ['GET', '/gas-tank/statement', both, true],
];

describe('401 comes before anything in the body', () => {
  test.each(calls)('%s %s: %s', async (method, path, message, needsApiKey) => {
    const { url } = await startTestGateway();
    const expected = [401, { statusCode: 401, message }];
    const incomplete = [
      {},
      { authToken: '' },
      { apiKey },
      ...(needsApiKey ? [{ authToken }, { authToken, apiKey: '' }] : []),
    ];
    for (const headers of incomplete) {
      const answer = await send(`${url}${prefix}${path}`, method, { headers, text: '{not json' });
      expect([answer.status, answer.body]).toStrictEqual(expected);
    }
  });
});

describe('credentials that are not accepted', () => {
  const special = new Map([
    ['PATCH /paymaster wrong token', [404, 404, 'User not found']],
    ['PATCH /paymaster wrong key', [404, 404, 'User not found']],
    ['PATCH /smart-contract wrong key', [404, 400, 'Smart contract not found']],
    ['DELETE /smart-contract wrong key', [404, 400, 'Smart contract not found']],
  ] as const);

  test.each(calls)('%s %s', async (method, path, text, needsApiKey) => {
    const { url } = await startTestGateway();
    const tries: [string, Record<string, string>][] = [['wrong token', { authToken: 'tf_other', apiKey }]];
    if (needsApiKey) {
      tries.push(['wrong key', { authToken, apiKey: 'other.key' }]);
    }
    for (const [name, headers] of tries) {
      const [status, statusCode, message] = special.get(`${method} ${path} ${name}` as never) ?? [401, 401, text];
      const answer = await send(`${url}${prefix}${path}`, method, { headers, text: '{not json' });
      expect([answer.status, answer.body]).toStrictEqual([status, { statusCode, message }]);
    }
  });
});

test('an apiKey on a call that does not ask for one is not looked at', async () => {
  const { url } = await startTestGateway();
  const answer = await send(`${url}${prefix}/paymaster`, 'GET', { headers: { authToken, apiKey: 'wrong' } });
  expect(answer.status).toBe(200);
});

describe('a token in both headers', () => {
  const status = async (headers: Record<string, string>) => {
    const { url } = await startTestGateway();
    return (await send(`${url}${prefix}/paymaster`, 'GET', { headers })).status;
  };

  test('is taken when it is the same one, or when one of the headers is empty', async () => {
    expect(await status({ authToken, authorization: `Bearer ${authToken}` })).toBe(200);
    expect(await status({ authToken: '', authorization: `bearer  ${authToken} ` })).toBe(200);
    expect(await status({ authToken, authorization: '' })).toBe(200);
    expect(await status({ authToken, authorization: 'Basic dXNlcg==' })).toBe(200);
  });

  test('is not taken when they differ, whichever is the right one', async () => {
    expect(await status({ authToken, authorization: 'Bearer tf_other' })).toBe(401);
    expect(await status({ authToken: 'tf_other', authorization: `Bearer ${authToken}` })).toBe(401);
  });

  test('is none when the header says another scheme, or more than one', async () => {
    expect(await status({ authorization: `Basic ${authToken}` })).toBe(401);
    expect(await status({ authorization: `Bearer ${authToken} ${authToken}` })).toBe(401);
    expect(await status({ authorization: `Not Bearer ${authToken}` })).toBe(401);
    expect(await status({ authorization: 'Bearer' })).toBe(401);
  });
});

describe('a session of a browser', () => {
  const status = async (headers: Record<string, string>) => {
    const authenticateSession = async () => accept({ accountId: 'a', scopes });
    const { url } = await startTestGateway({ core: { authenticateSession }, publicUrl: 'http://localhost:4337' });
    const cookie = 'tollfree-session=tfs_session';
    return (await send(`${url}${prefix}/paymaster`, 'GET', { headers: { cookie, ...headers } })).status;
  };

  test.each([[{}], [{ authToken: '' }], [{ authorization: '' }], [{ authorization: 'Basic dXNlcg==' }]])(
    'is taken where no token comes: %j',
    async (headers: Record<string, string>) => {
      expect(await status(headers)).toBe(200);
    },
  );

  test.each([
    [{ authToken: 'tf_other' }],
    [{ authorization: 'Bearer tf_other' }],
    [{ authToken, authorization: 'Bearer tf_other' }],
  ])('does not help a token that is not accepted: %j', async (headers: Record<string, string>) => {
    expect(await status(headers)).toBe(401);
  });
});

test('a call that begins a session needs no credentials', async () => {
  const { url } = await startTestGateway({ publicUrl: 'http://localhost:4337' });
  expect((await send(`${url}${prefix}/session/nonce`, 'POST')).status).toBe(200);
});

test('a core that does not say who calls lets no one in, and no one has failed to log in', async () => {
  const authenticate = async () => refusal('CHAIN_UNAVAILABLE');
  const { url } = await startTestGateway({ core: { authenticate }, limits: { failedLoginsPerMinute: 1 } });
  const ask = () => send(`${url}${prefix}/gas-tank`, 'GET', { headers: { authToken, apiKey } });
  expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([500, 500, 500]);
});

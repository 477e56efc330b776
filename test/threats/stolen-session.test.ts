import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { SiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accepted } from '../../server/accepted.ts';
import {
  browserHeaders,
  cookieOf,
  fetchNonce,
  type HandedNonce,
  postSession,
  signIn,
  signInBody,
} from '../support/interface/browser.ts';
import type { HttpAnswer } from '../support/interface/send-http.ts';
import { callManagement, dataOf, newTenant, type Tenant } from '../support/interface/tenant.ts';
import { useService } from '../support/interface/use-service.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

const failedLoginsPerMinute = 4;
const elsewhere = [403, { statusCode: 403, message: 'Requests with a session must come from the dashboard' }];
const newWallet = () => privateKeyToAccount(generatePrivateKey());
const seen = ({ status, json }: HttpAnswer) => [status, json];

/** Threat 18, behind the page: forged requests, replayed sign-ins, and sessions that outlive their end. */
describe('a session of the dashboard', () => {
  const service = useService({ clock: { now: () => Date.now() + skewMs } });
  let skewMs = 0;
  let tenant: Tenant;
  let browser: Awaited<ReturnType<typeof signIn>>;
  beforeEach(async () => {
    skewMs = 0;
    tenant = await newTenant(service());
    browser = await signIn(service(), { authToken: tenant.authToken });
  });
  const paymaster = { name: 'forged', type: 'HYBRID', chainId: 31_337, version: '2.0.0' };
  const create = (headers: Readonly<Record<string, string>>, text = JSON.stringify(paymaster)) =>
    callManagement(service(), 'POST', '/paymaster', { headers, text });
  const countPaymasters = async () =>
    (dataOf(await callManagement(service(), 'GET', '/paymaster', { headers: browser })) as unknown[]).length;

  test('is set so that no script and no other site has it, and is in no body', async () => {
    const answer = await postSession(service(), { authToken: tenant.authToken });
    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^tollfree-session=tfs_[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.text).not.toContain('tfs_');
    expect(answer.text).not.toContain(tenant.authToken);
  });

  describe('is not taken from another site', () => {
    const forgeries: [string, (cookie: string) => Record<string, string>][] = [
      ['a form', (cookie) => ({ cookie, origin: 'https://evil.example', 'content-type': 'text/plain' })],
      ['a form that says nothing of itself', (cookie) => ({ cookie, 'content-type': 'application/json' })],
      ['fetch', (cookie) => ({ cookie, origin: 'https://evil.example' })],
      ['a sandboxed frame', (cookie) => ({ cookie, origin: 'null', 'sec-fetch-site': 'cross-site' })],
      ['a neighbour of the same site', (cookie) => ({ cookie, 'sec-fetch-site': 'same-site' })],
      ['another port', (cookie) => ({ cookie, origin: 'http://127.0.0.1:1' })],
      ['a page that lies about one of two', (cookie) => ({ cookie, origin: 'null', 'sec-fetch-site': 'same-origin' })],
    ];
    test.each(forgeries)('%s', async (_name, headers) => {
      expect(seen(await create(headers(browser.cookie)))).toEqual(elsewhere);
      expect(await countPaymasters()).toBe(1);
    });

    test('with a body that is no JSON, no matter who sends it', async () => {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
        expect((await create({ ...browser, 'content-type': type })).status, type).toBe(415);
      }
      // A browser sends bytes without a type, and asks no one before.
      const body = new TextEncoder().encode(JSON.stringify(paymaster));
      const untyped = await fetch(`${service().url}/api/v2/public/sdk/paymaster`, {
        method: 'POST',
        headers: browser,
        body,
      });
      expect(untyped.status).toBe(415);
      expect(await countPaymasters()).toBe(1);
    });

    test('nor do reads answer it, some of which change something', async () => {
      const path = `/funding-message/${tenant.paymasterId}`;
      const read = (from: Record<string, string>) =>
        callManagement(service(), 'GET', path, { headers: { cookie: browser.cookie, apiKey: tenant.apiKey, ...from } });
      expect(seen(await read({ origin: 'https://evil.example' }))).toEqual(elsewhere);
      expect(seen(await read({ 'sec-fetch-site': 'cross-site' }))).toEqual(elsewhere);
      expect((await read({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    });

    test('and no one is signed in or out from there', async () => {
      const body = { authToken: tenant.authToken };
      const from = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      expect(seen(await postSession(service(), body, from))).toEqual(elsewhere);
      expect(seen(await callManagement(service(), 'POST', '/session/nonce', { headers: from }))).toEqual(elsewhere);
      const headers = { ...browser, ...from };
      expect(seen(await callManagement(service(), 'DELETE', '/session', { headers }))).toEqual(elsewhere);
      expect((await callManagement(service(), 'GET', '/session', { headers: browser })).status).toBe(200);
    });

    test('while an authToken is taken from anywhere, and goes first', async () => {
      const from = { origin: 'https://evil.example', cookie: browser.cookie };
      expect((await create({ ...from, authToken: tenant.authToken })).status).toBe(200);
      expect((await create({ ...browser, authToken: 'tf_nonsense' })).status).toBe(401);
      const two = { authToken: tenant.authToken, authorization: 'Bearer tf_nonsense' };
      expect((await create({ ...browser, ...two })).status).toBe(401);
    });
  });

  describe('is not one', () => {
    const readWith = (cookie: string) =>
      callManagement(service(), 'GET', '/session', { headers: { ...browserHeaders(service()), cookie } });

    test('that the browser brought itself: a new one begins with each sign-in, and the one before ends', async () => {
      const planted = `tollfree-session=tfs_${'A'.repeat(43)}`;
      const answer = await postSession(service(), { authToken: tenant.authToken }, { cookie: planted });
      expect(cookieOf(answer)).not.toBe(planted);
      expect((await readWith(planted)).status).toBe(401);
      const again = await postSession(service(), { authToken: tenant.authToken }, { cookie: browser.cookie });
      expect((await readWith(browser.cookie)).status).toBe(401);
      expect((await readWith(cookieOf(again))).status).toBe(200);
    });

    test('after signing out, in any browser', async () => {
      await callManagement(service(), 'DELETE', '/session', { headers: browser });
      expect((await readWith(browser.cookie)).status).toBe(401);
      expect((await create(browser)).status).toBe(401);
    });

    test('once its authToken is revoked', async () => {
      const { core } = service();
      const [token] = accepted(await core.listAuthTokens({ accountId: tenant.accountId }));
      const { accountId } = tenant;
      accepted(await core.revokeAuthToken({ accountId, authTokenId: token?.authTokenId ?? '' }));
      expect((await readWith(browser.cookie)).status).toBe(401);
    });

    test('when two are sent, or an authToken in its place', async () => {
      const other = await signIn(service(), { authToken: (await newTenant(service())).authToken });
      expect((await readWith(`${browser.cookie}; ${other.cookie}`)).status).toBe(401);
      expect((await readWith(`tollfree-session=${tenant.authToken}`)).status).toBe(401);
    });

    test('twelve hours after its last use, and the browser is told to forget it', async () => {
      skewMs = 12 * 3_600_000;
      const idle = await readWith(browser.cookie);
      expect(idle.status).toBe(401);
      expect(idle.headers['set-cookie']).toEqual([expect.stringMatching(/^tollfree-session=; Max-Age=0; .*HttpOnly/)]);
    });
  });
});

describe('a sign-in with a wallet', () => {
  let skewMs = 0;
  const service = useService({ clock: { now: () => Date.now() + skewMs } });
  const wallet = newWallet();
  beforeEach(() => {
    skewMs = 0;
  });

  const notValid = [
    400,
    'message must be a Sign in with Ethereum message (EIP-4361) of version 1 with a chain id above 0',
  ] as const;
  const foreign = [401, 'message is for another site'] as const;
  const late = [401, 'message is expired or not valid yet'] as const;
  const nonceGone = [401, 'Nonce is unknown, expired or used. Request a new one.'] as const;
  const forged = [401, 'Signature does not match the wallet in the message'] as const;
  const refused = async (body: unknown) => {
    const { status, json, headers } = await postSession(service(), body);
    expect(headers['set-cookie']).toBeUndefined();
    return [status, (json as { message: string }).message];
  };
  const minutes = (count: number) => new Date(Date.now() + count * 60_000);

  test.each<[string, Partial<SiweMessage>, readonly [number, string]]>([
    ['for another domain', { domain: 'evil.example' }, foreign],
    ['for another port', { domain: '127.0.0.1:1' }, foreign],
    ['for a URI elsewhere', { uri: 'https://evil.example/login' }, foreign],
    ['for a URI that is no address', { uri: 'urn:tollfree' }, foreign],
    ['by another scheme', { scheme: 'https' }, foreign],
    ['of chain 0', { chainId: 0 }, notValid],
    ['that has expired', { expirationTime: minutes(-1) }, late],
    ['that is not valid yet', { notBefore: minutes(60) }, late],
    ['that was issued long ago', { issuedAt: minutes(-11) }, late],
    ['that was issued in the future', { issuedAt: minutes(60) }, late],
    ['with a made-up nonce', { nonce: 'abcdef0123456789' }, nonceGone],
    ['with a nonce of the right form', { nonce: '0'.repeat(64) }, nonceGone],
    ['that is signed by another key', {}, forged],
  ])('is refused for a message %s', async (name, change, expected) => {
    const signer = name.includes('another key') ? newWallet() : wallet;
    expect(await refused(await signInBody(service(), wallet, { ...change, signer }))).toEqual(expected);
  });

  test.each<[string, (message: string) => string]>([
    ['text before it', (message) => `Free coins!\n${message}`],
    ['text behind it', (message) => `${message}\nFree coins!`],
    ['a field twice', (message) => message.replace('Version: 1', 'URI: https://evil.example\nVersion: 1')],
    ['another version', (message) => message.replace('Version: 1', 'Version: 2')],
    ['no nonce', (message) => message.replace(/\nNonce: .*/, '')],
    ['an address without its checksum', (message) => message.replace(wallet.address, wallet.address.toLowerCase())],
    ['a chain id beyond all numbers', (message) => message.replace('Chain ID: 1', `Chain ID: ${'9'.repeat(30)}`)],
    ['a time of another form', (message) => message.replace(/Issued At: .*/, 'Issued At: yesterday')],
    ['nothing at all', () => ''],
  ])('is refused for a message with %s, though the wallet has signed it', async (_name, spoil) => {
    const { message } = await signInBody(service(), wallet);
    const spoiled = spoil(message);
    expect(await refused({ message: spoiled, signature: await wallet.signMessage({ message: spoiled }) })).toEqual(
      notValid,
    );
  });

  test('is refused for a message that is too long, before it is read', async () => {
    const body = await signInBody(service(), wallet, { statement: 'a'.repeat(4_096) });
    expect(await refused(body)).toEqual([400, 'message must be at most 4096 characters']);
    const huge = await postSession(service(), { message: 'a'.repeat(70_000), signature: '0x' });
    expect(huge.status).toBe(413);
  });

  test('is refused for a signature that is none, malleable, or a contract’s', async () => {
    const { message, signature } = await signInBody(service(), wallet);
    expect(await refused({ message, signature: '0x' })).toEqual(forged);
    expect(await refused({ message, signature: 'nonsense' })).toEqual(forged);
    expect(await refused({ message, signature: `${signature.slice(0, -2)}00` })).toEqual(forged);
    expect(await refused({ message, signature: `0x${'ab'.repeat(200)}` })).toEqual([
      400,
      'Contract wallets can sign in only on a chain of this service. Switch the wallet to one of its chains.',
    ]);
  });

  test('is good once: a replay is refused, and of ten at a time exactly one begins a session', async () => {
    const body = await signInBody(service(), wallet);
    const answers = await Promise.all(Array.from({ length: 10 }, () => postSession(service(), body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await refused(body)).toEqual(nonceGone);
  });

  test('is too late five minutes after its nonce', async () => {
    const from = await fetchNonce(service());
    skewMs = 4 * 60_000;
    const body = await signInBody(service(), wallet, { from });
    skewMs = 5 * 60_000 + 1_000;
    expect(await refused(body)).toEqual(nonceGone);
  });

  test('leaves nothing of its message, signature or address in an answer', async () => {
    const { message } = await signInBody(service(), wallet);
    const signature = await newWallet().signMessage({ message });
    const { text } = await postSession(service(), { message, signature });
    expect(text).not.toContain(signature.slice(2, 40));
    expect(text).not.toContain(wallet.address);
  });
});

describe('next to the service itself', () => {
  let service: RunningService;
  let other: RunningService;
  let skewMs = 0;
  beforeAll(async () => {
    const clock = { now: () => Date.now() + skewMs };
    service = await startService({
      limits: { failedLoginsPerMinute },
      clock,
      configure: (config) => ({ ...config, signUp: 'closed' }),
      publicUrl: 'https://gas.example.org',
    });
    other = await startService({ devnet: service.devnet, clock });
  });
  afterAll(async () => {
    await other.close();
    await service.close();
  });
  beforeEach(() => {
    skewMs += 10 * 60_000;
  });
  const dashboard = { origin: 'https://gas.example.org', 'sec-fetch-site': 'same-origin' };
  const post = (path: string, json?: unknown) => callManagement(service, 'POST', path, { headers: dashboard, json });
  const nonce = async () => dataOf(await post('/session/nonce')) as HandedNonce;

  test('another service’s nonce is as made up as any', async () => {
    const own = await nonce();
    const from = { ...own, nonce: (await fetchNonce(other)).nonce };
    const answer = await post('/session', await signInBody(service, newWallet(), { from }));
    expect(answer.json).toMatchObject({ message: 'Nonce is unknown, expired or used. Request a new one.' });
  });

  test('over https the cookie is bound to the host, and to https', async () => {
    const { authToken } = await newTenant(service);
    const answer = await post('/session', { authToken });
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-tollfree-session=tfs_[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
      ),
    ]);
    const headers = { ...dashboard, cookie: cookieOf(answer) };
    expect((await callManagement(service, 'GET', '/session', { headers })).status).toBe(200);
    const loopback = { ...dashboard, cookie: cookieOf(answer).replace('__Host-', '') };
    expect((await callManagement(service, 'GET', '/session', { headers: loopback })).status).toBe(401);
  });

  test('a stranger’s wallet gets no account where sign-up is closed, a linked one signs in', async () => {
    const wallet = newWallet();
    const invited = newWallet();
    accepted(await service.core.inviteAccount({ wallet: invited.address }));
    for (const one of [wallet, invited]) {
      const answer = await post('/session', await signInBody(service, one, { from: await nonce() }));
      expect(seen(answer)).toEqual([
        403,
        { statusCode: 403, message: 'Wallet has no account here. Ask the operator for one.' },
      ]);
    }
    const { accountId } = await service.issueAccount();
    accepted(await service.core.linkWallet({ accountId, wallet: wallet.address }));
    const answer = await post('/session', await signInBody(service, wallet, { from: await nonce() }));
    expect(dataOf(answer)).toMatchObject({ accountId, signUp: 'closed' });
  });

  test('guessed sessions and failed sign-ins wait like wrong authTokens, right ones do not', async () => {
    const { authToken } = await newTenant(service);
    const guess = () =>
      callManagement(service, 'GET', '/paymaster', {
        headers: { ...dashboard, cookie: `__Host-tollfree-session=tfs_${'A'.repeat(43)}` },
      });
    for (let failed = 0; failed < failedLoginsPerMinute; failed += 1) expect((await guess()).status).toBe(401);
    expect((await guess()).status).toBe(429);
    const failed = await post('/session', { authToken: 'tf_nonsense' });
    expect([failed.status, Number(failed.headers['retry-after']) >= 1]).toEqual([429, true]);
    expect((await post('/session', { authToken })).status).toBe(200);
  });
});

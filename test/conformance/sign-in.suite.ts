import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { accepted } from '../../server/accepted.ts';
import { fetchNonce, postSession, signIn, signInBody } from '../support/interface/browser.ts';
import { callManagement, dataOf, newTenant } from '../support/interface/tenant.ts';
import type { RunningService } from '../support/service/running-service.ts';

const newWallet = () => privateKeyToAccount(generatePrivateKey());
const required = { statusCode: 401, message: 'Auth token is required in the headers' };

/** Signing in, the session instead of an authToken, and the account holder's own authTokens. */
export function describeSignIn(service: () => RunningService): void {
  const read = async (headers: Readonly<Record<string, string>>) =>
    callManagement(service(), 'GET', '/session', { headers });

  describe('a wallet', () => {
    test('signs in to an account of its own, the same one each time', async () => {
      const wallet = newWallet();
      const first = await signIn(service(), await signInBody(service(), wallet));
      const session = dataOf(await read(first)) as { accountId: string };
      expect(session).toEqual({
        accountId: expect.any(String),
        name: `${wallet.address.slice(0, 6)}…${wallet.address.slice(-4)}`,
        wallet: wallet.address,
        role: 'owner',
        expiresAt: expect.any(Number),
        signUp: 'open',
        scopes: ['read', 'manage', 'funds'],
      });
      const second = await signIn(service(), await signInBody(service(), wallet));
      expect(second.cookie).not.toBe(first.cookie);
      expect(dataOf(await read(second))).toMatchObject({ accountId: session.accountId });
    });

    test('that the operator has linked signs in to that account', async () => {
      const { accountId } = await newTenant(service());
      const wallet = newWallet();
      const linked = accepted(await service().core.linkWallet({ accountId, wallet: wallet.address.toLowerCase() }));
      expect(linked).toMatchObject({ accountId, wallet: wallet.address });
      const browser = await signIn(
        service(),
        await signInBody(service(), wallet, { statement: 'Sign in to Tollfree.' }),
      );
      expect(dataOf(await read(browser))).toMatchObject({ accountId });
    });

    test('takes a nonce, and is told by whose clock and for which site', async () => {
      const nonce = await fetchNonce(service());
      const { host, origin } = new URL(service().url);
      expect(nonce).toMatchObject({ domain: host, uri: origin, signUp: 'open' });
      expect(nonce.nonce).toMatch(/^[a-zA-Z0-9]{8,}$/);
      expect(nonce.expiresAt).toBeGreaterThan(nonce.issuedAt);
    });
  });

  describe('an authToken', () => {
    test('signs in to its account, and GET /session says so of both', async () => {
      const { accountId, authToken } = await newTenant(service());
      const browser = await signIn(service(), { authToken });
      const session = dataOf(await read(browser));
      expect(session).toMatchObject({ accountId, name: 'test account', authTokenId: expect.any(String) });
      expect(dataOf(await read({ authToken }))).toEqual({
        accountId,
        name: 'test account',
        authTokenId: (session as { authTokenId: string }).authTokenId,
        signUp: 'open',
        scopes: ['read', 'manage', 'funds'],
      });
    });

    test('that is not accepted does not', async () => {
      const answer = await postSession(service(), { authToken: 'tf_nonsense' });
      expect([answer.status, answer.json]).toEqual([401, { statusCode: 401, message: 'Auth token was not accepted' }]);
      expect(answer.headers['set-cookie']).toBeUndefined();
    });

    test.each([
      [{}, 'message must be a string'],
      [{ message: 'a' }, 'signature must be a string'],
      [{ authToken: 5 }, 'authToken must be a string'],
      [[], 'Request body must be a JSON object'],
      ['text', 'Request body must be a JSON object'],
    ])('a body like %j is refused by its first wrong field', async (json, message) => {
      const answer = await postSession(service(), json);
      expect([answer.status, answer.json]).toEqual([400, { statusCode: 400, message }]);
    });
  });

  describe('a session', () => {
    test('works instead of the authToken, with an apiKey where one is needed', async () => {
      const tenant = await newTenant(service());
      const browser = await signIn(service(), { authToken: tenant.authToken });
      const paymasters = await callManagement(service(), 'GET', '/paymaster', { headers: browser });
      expect(dataOf(paymasters)).toMatchObject([{ apiKey: tenant.apiKey }]);
      const headers = { ...browser, apiKey: tenant.apiKey };
      dataOf(await callManagement(service(), 'GET', '/policy', { headers }));
      const json = { name: 'from the dashboard', type: 'HYBRID', chainId: service().devnet.chainId, version: '2.0.0' };
      dataOf(await callManagement(service(), 'POST', '/paymaster', { headers: browser, json }));
      const foreign = await newTenant(service());
      const other = await callManagement(service(), 'GET', '/policy', {
        headers: { ...browser, apiKey: foreign.apiKey },
      });
      expect(other.status).toBe(401);
    });

    test('ends with signing out', async () => {
      const { authToken } = await newTenant(service());
      const browser = await signIn(service(), { authToken });
      const answer = await callManagement(service(), 'DELETE', '/session', { headers: browser });
      expect(answer.json).toEqual({ statusCode: 200, message: 'Signed out' });
      expect(answer.headers['set-cookie']).toEqual([expect.stringContaining('Max-Age=0')]);
      const after = await read(browser);
      expect([after.status, after.json]).toEqual([401, required]);
      expect((await read({ authToken })).status).toBe(200);
    });

    test('is not there where an authToken is shown: there is nothing to sign out of', async () => {
      const { authToken } = await newTenant(service());
      const answer = await callManagement(service(), 'DELETE', '/session', { headers: { authToken } });
      expect([answer.status, answer.json]).toEqual([404, { statusCode: 404, message: 'Session not found' }]);
    });

    test('of a suspended account ends, and no one begins another one until it is opened again', async () => {
      const { accountId, authToken } = await newTenant(service());
      const wallet = newWallet();
      accepted(await service().core.linkWallet({ accountId, wallet: wallet.address }));
      const browser = await signIn(service(), { authToken });
      accepted(await service().core.suspendAccount({ accountId, suspended: true }));
      expect((await read(browser)).status).toBe(401);
      expect((await read({ authToken })).status).toBe(401);
      expect((await postSession(service(), { authToken })).status).toBe(401);
      const refused = await postSession(service(), await signInBody(service(), wallet));
      expect([refused.status, refused.json]).toEqual([403, { statusCode: 403, message: 'Account is suspended' }]);
      accepted(await service().core.suspendAccount({ accountId, suspended: false }));
      expect((await read(browser)).status).toBe(401);
      expect((await read({ authToken })).status).toBe(200);
    });
  });

  describe('the sessions of an account', () => {
    type Listed = { readonly sessionId: string; readonly isCurrent: boolean };
    const list = async (headers: Readonly<Record<string, string>>) => {
      const answer = await callManagement(service(), 'GET', '/sessions', { headers });
      expect(answer.text).not.toMatch(/tfs?_/);
      return dataOf(answer) as readonly Listed[];
    };
    const end = (headers: Readonly<Record<string, string>>, path: string) =>
      callManagement(service(), 'DELETE', `/sessions${path}`, { headers });

    /** An account with a wallet and an authToken, and a session that began with each. */
    async function openTwo() {
      const { accountId, authToken } = await newTenant(service());
      const wallet = newWallet();
      accepted(await service().core.linkWallet({ accountId, wallet: wallet.address }));
      const ofToken = await signIn(service(), { authToken });
      const ofWallet = await signIn(service(), await signInBody(service(), wallet));
      return { authToken, wallet: wallet.address, ofToken, ofWallet };
    }

    test('are listed with how they began, and which is the one that asks', async () => {
      const { authToken, wallet, ofToken, ofWallet } = await openTwo();
      const { authTokenId } = dataOf(await read({ authToken })) as { authTokenId: string };
      const times = {
        sessionId: expect.any(String),
        createdAt: expect.any(Number),
        lastUsedAt: expect.any(Number),
        expiresAt: expect.any(Number),
      };
      const [byWallet, byToken] = [
        { ...times, wallet },
        { ...times, authTokenId, authTokenName: 'test token' },
      ];
      const both = (isOfWallet: boolean, isOfToken: boolean) => [
        { ...byWallet, isCurrent: isOfWallet },
        { ...byToken, isCurrent: isOfToken },
      ];
      const inOrder = (sessions: readonly Listed[]) =>
        [...sessions].sort((one, other) => Number('authTokenId' in one) - Number('authTokenId' in other));
      expect(inOrder(await list(ofWallet))).toEqual(both(true, false));
      expect(inOrder(await list(ofToken))).toEqual(both(false, true));
      expect(inOrder(await list({ authToken }))).toEqual(both(false, false));
    });

    test('end one by one, and no one else’s', async () => {
      const { ofToken, ofWallet } = await openTwo();
      const [own] = (await list(ofWallet)).filter(({ isCurrent }) => isCurrent);
      const stranger = await signIn(service(), { authToken: (await newTenant(service())).authToken });
      const refused = await end(stranger, `/${own?.sessionId}`);
      expect([refused.status, refused.json]).toEqual([404, { statusCode: 404, message: 'Session not found' }]);
      const forged = await end({ ...ofToken, origin: 'https://evil.example' }, `/${own?.sessionId}`);
      expect(forged.status).toBe(403);
      expect((await read(ofWallet)).status).toBe(200);
      expect((await end(ofToken, `/${own?.sessionId}`)).json).toEqual({ statusCode: 200, message: 'Session ended' });
      expect((await read(ofWallet)).status).toBe(401);
      expect((await end(ofToken, `/${own?.sessionId}`)).status).toBe(404);
      expect(await list(ofToken)).toHaveLength(1);
    });

    test('end all at once, and the authTokens stay', async () => {
      const { authToken, ofToken, ofWallet } = await openTwo();
      const stranger = await signIn(service(), { authToken: (await newTenant(service())).authToken });
      const answer = await end(ofWallet, '');
      expect(answer.json).toEqual({ statusCode: 200, message: 'Signed out everywhere' });
      expect(answer.headers['set-cookie']).toEqual([expect.stringContaining('Max-Age=0')]);
      const after = await Promise.all([ofWallet, ofToken, { authToken }, stranger].map(read));
      expect(after.map(({ status }) => status)).toEqual([401, 401, 200, 200]);
    });
  });

  test('who may sign up is told to everybody, and costs no nonce', async () => {
    for (const headers of [{}, { 'sec-fetch-site': 'none' }]) {
      const answer = await callManagement(service(), 'GET', '/session/sign-up', { headers });
      expect(answer.json).toEqual({ statusCode: 200, message: 'Sign-up mode fetched', data: { signUp: 'open' } });
    }
  });

  describe('an account holder’s own authTokens', () => {
    const create = async (headers: Readonly<Record<string, string>>, json: unknown) =>
      callManagement(service(), 'POST', '/auth-token', { headers, json });

    test('are generated in a session, shown once, and listed without the token', async () => {
      const wallet = newWallet();
      const browser = await signIn(service(), await signInBody(service(), wallet));
      const created = dataOf(await create(browser, { name: 'ci', expiresInDays: 30 })) as Record<
        string,
        string | number
      >;
      const { authToken, ...item } = created;
      expect(item).toEqual({
        authTokenId: expect.any(String),
        name: 'ci',
        madeBy: wallet.address,
        createdAt: expect.any(Number),
        expiresAt: Number(item.createdAt) + 30 * 86_400,
        scopes: ['read', 'manage', 'funds'],
      });
      dataOf(await callManagement(service(), 'GET', '/paymaster', { headers: { authToken: String(authToken) } }));
      const listed = await callManagement(service(), 'GET', '/auth-token', { headers: browser });
      expect(dataOf(listed)).toMatchObject([item]);
      expect(listed.text).not.toContain('tf_');
    });

    test('are revoked at once, with the sessions that began with them', async () => {
      const { authToken } = await newTenant(service());
      const created = dataOf(await create({ authToken }, { name: 'lost' })) as {
        authToken: string;
        authTokenId: string;
      };
      const stolen = await signIn(service(), { authToken: created.authToken });
      const own = await signIn(service(), { authToken });
      const json = { authTokenId: created.authTokenId };
      const revoked = await callManagement(service(), 'DELETE', '/auth-token', { headers: own, json });
      expect(revoked.json).toEqual({ statusCode: 200, message: 'Auth token revoked' });
      expect((await read(stolen)).status).toBe(401);
      expect((await read({ authToken: created.authToken })).status).toBe(401);
      expect((await read(own)).status).toBe(200);
    });

    test('of another account are as unknown as any', async () => {
      const [mine, other] = [await newTenant(service()), await newTenant(service())];
      const [foreign] = accepted(await service().core.listAuthTokens({ accountId: other.accountId }));
      for (const authTokenId of [foreign?.authTokenId, '00000000-0000-4000-8000-000000000000']) {
        const headers = { authToken: mine.authToken };
        const answer = await callManagement(service(), 'DELETE', '/auth-token', { headers, json: { authTokenId } });
        expect([answer.status, answer.json]).toEqual([404, { statusCode: 404, message: 'Auth token not found' }]);
      }
      expect((await read({ authToken: other.authToken })).status).toBe(200);
    });

    test.each([
      [{}, 'name must be a string'],
      [{ name: 'a', expiresInDays: 0 }, 'expiresInDays must be a whole number from 1 to 3650'],
      [{ name: 'a', expiresAt: 1 }, 'expiresAt must be a time in the future'],
      [{ name: 'a', expiresAt: 'soon' }, 'expiresAt must be a time in the future'],
      [{ name: 'a', expiresAt: 4e9, expiresInDays: 1 }, 'Send expiresAt or expiresInDays, not both'],
    ])('are not made of %j', async (json, message) => {
      const { authToken } = await newTenant(service());
      const answer = await create({ authToken }, json);
      expect([answer.status, answer.json]).toEqual([400, { statusCode: 400, message }]);
    });
  });
}

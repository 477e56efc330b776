import { beforeEach, describe, expect, test } from 'vitest';
import { accepted } from '../../server/accepted.ts';
import { unknownAuthToken } from '../support/interface/auth-token-form.ts';
import { callRpc, refusalOf } from '../support/interface/rpc-calls.ts';
import { callManagement, newTenant, type Tenant } from '../support/interface/tenant.ts';
import { useService } from '../support/interface/use-service.ts';

const required = '{"statusCode":401,"message":"Auth token and API key is required in the headers"}';
const failedLoginsPerMinute = 4;

/** Threat 3: key guessing. */
describe('credentials that are not accepted', () => {
  let skewMs = 0;
  const clock = { now: () => Date.now() + skewMs };

  describe('without a limit in the way', () => {
    const service = useService({ clock });
    let tenant: Tenant;
    beforeEach(async () => {
      skewMs = 0;
      tenant = await newTenant(service());
    });
    const list = (headers: Readonly<Record<string, string | readonly string[]>>) =>
      callManagement(service(), 'GET', '/smart-contract', { headers });

    test('missing, malformed, unknown, revoked and expired tokens and foreign keys get the same bytes', async () => {
      const { core } = service();
      const { accountId } = tenant;
      const revoked = accepted(await core.createAuthToken({ accountId, name: 'revoked' }));
      accepted(await core.revokeAuthToken({ accountId, authTokenId: revoked.record.authTokenId }));
      const expiresAt = Math.floor(clock.now() / 1000) + 60;
      const expired = accepted(await core.createAuthToken({ accountId, name: 'expired', expiresAt }));
      const stranger = await newTenant(service());
      skewMs = 61_000;
      const answers = [
        await list({}),
        await list({ ...tenant.headers, authToken: 'nonsense' }),
        await list({ ...tenant.headers, authToken: `${tenant.authToken.slice(0, -1)}!` }),
        await list({ ...tenant.headers, authToken: unknownAuthToken }),
        await list({ ...tenant.headers, authToken: revoked.authToken }),
        await list({ ...tenant.headers, authToken: expired.authToken }),
        await list({ ...tenant.headers, authToken: stranger.authToken }),
        await list({ ...tenant.headers, apiKey: stranger.apiKey }),
        await list({ ...tenant.headers, apiKey: 'nonsense' }),
        await list({ ...tenant.headers, authToken: [tenant.authToken, tenant.authToken] }),
      ];
      expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [401, required]));
      expect(new Set(answers.map(({ headers }) => Object.keys(headers).sort().join())).size).toBe(1);
      expect((await list(tenant.headers)).status).toBe(200);
    });
  });

  describe('with a limit on failed logins', () => {
    const service = useService({ clock, limits: { failedLoginsPerMinute } });
    let tenant: Tenant;
    beforeEach(async () => {
      skewMs += 10 * 60_000;
      tenant = await newTenant(service());
    });
    const login = async (authToken: string, headers: Readonly<Record<string, string>> = {}) =>
      (await callManagement(service(), 'GET', '/paymaster', { headers: { authToken, ...headers } })).status;

    test('an address is told to wait after that many, with Retry-After, and good credentials are served all the same', async () => {
      for (let failed = 0; failed < failedLoginsPerMinute; failed += 1) expect(await login('nonsense')).toBe(401);
      expect(await login('nonsense')).toBe(429);
      const answer = await callManagement(service(), 'GET', '/paymaster', { headers: { authToken: 'nonsense' } });
      expect([answer.status, answer.json]).toEqual([429, { statusCode: 429, message: expect.any(String) }]);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(await login(tenant.authToken)).toBe(200);
      skewMs += 60_000;
      expect(await login('nonsense')).toBe(401);
    });

    test('good logins do not count', async () => {
      for (let done = 0; done < failedLoginsPerMinute * 3; done += 1) expect(await login(tenant.authToken)).toBe(200);
    });

    test('an X-Forwarded-For of the client’s own making does not help', async () => {
      const statuses = [];
      for (let failed = 0; failed < failedLoginsPerMinute + 2; failed += 1) {
        statuses.push(await login('nonsense', { 'x-forwarded-for': `203.0.113.${failed}` }));
      }
      expect(statuses.slice(-2)).toEqual([429, 429]);
    });

    test('RPC: guessed keys are told to wait, a known key is served all the same', async () => {
      expect(refusalOf(await callRpc(service().rpcUrl(tenant.apiKey), [{}, {}]))[0]).toBe(400);
      const params = [{ sender: tenant.accountId }, {}];
      await callRpc(service().rpcUrl(tenant.apiKey), params);
      const guess = async (index: number) => refusalOf(await callRpc(service().rpcUrl(`guess${index}`), params));
      for (let failed = 0; failed < failedLoginsPerMinute; failed += 1) expect((await guess(failed))[0]).toBe(401);
      expect(await guess(99)).toEqual([429, -32005, 'RATE_LIMITED']);
      expect(refusalOf(await callRpc(service().rpcUrl(tenant.apiKey), params))[0]).toBe(400);
    });
  });
});

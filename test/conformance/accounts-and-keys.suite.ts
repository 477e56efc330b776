import { describe, expect, test } from 'vitest';
import { accepted } from '../../server/accepted.ts';
import { authTokenChecksum } from '../support/interface/auth-token-form.ts';
import { callManagement, dataOf, newPaymaster, newTenant } from '../support/interface/tenant.ts';
import type { RunningService } from '../support/service/running-service.ts';

const uuidV4 = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

/** Decision 1: accounts, authTokens, apiKeys. */
export function describeAccountsAndKeys(service: () => RunningService): void {
  const listStatus = async (authToken: string) =>
    (await callManagement(service(), 'GET', '/paymaster', { headers: { authToken } })).status;

  describe('decision 1', () => {
    test('an authToken is tf_, random, and the checksum of the random part', async () => {
      const { authToken } = await service().issueAccount();
      const [, random = '', checksum] = /^tf_([0-9A-Za-z]{22,})([0-9A-Za-z]{6})$/.exec(authToken) ?? [];
      expect(checksum).toBe(authTokenChecksum(random));
    });

    test('an account has many authTokens, each with a name; the list never shows one again', async () => {
      const { core } = service();
      const { accountId, authToken } = await service().issueAccount();
      const second = accepted(await core.createAuthToken({ accountId, name: 'deploys' }));
      expect([await listStatus(authToken), await listStatus(second.authToken)]).toEqual([200, 200]);
      const listed = accepted(await core.listAuthTokens({ accountId }));
      expect(listed.map(({ name }) => name).sort()).toEqual(['deploys', 'test token']);
      expect(JSON.stringify(listed)).not.toContain('tf_');
    });

    test('a revoked authToken is not accepted any more, another of the account is', async () => {
      const { core } = service();
      const { accountId, authToken } = await service().issueAccount();
      const second = accepted(await core.createAuthToken({ accountId, name: 'lost' }));
      accepted(await core.revokeAuthToken({ accountId, authTokenId: second.record.authTokenId }));
      expect([await listStatus(authToken), await listStatus(second.authToken)]).toEqual([200, 401]);
    });

    test('an apiKey is nine characters, a dot and a uuid v4, and can be read again', async () => {
      const tenant = await newTenant(service());
      expect(tenant.apiKey).toMatch(new RegExp(`^[A-Za-z0-9_-]{9}\\.${uuidV4}$`));
      const headers = { authToken: tenant.authToken };
      const listed = dataOf(await callManagement(service(), 'GET', '/paymaster', { headers }));
      expect(listed).toMatchObject([{ apiKey: tenant.apiKey }]);
    });

    test('endpoints 5 and 6 return the paymasterId, a uuid', async () => {
      const { authToken } = await service().issueAccount();
      const { paymasterId } = await newPaymaster(service(), authToken);
      expect(paymasterId).toMatch(new RegExp(`^${uuidV4}$`));
      const listed = dataOf(await callManagement(service(), 'GET', '/paymaster', { headers: { authToken } }));
      expect(listed).toMatchObject([{ paymasterId }]);
    });

    test('an account owns several paymasters and sees no other account’s', async () => {
      const { authToken } = await service().issueAccount();
      const stranger = await newTenant(service());
      const first = await newPaymaster(service(), authToken);
      const second = await newPaymaster(service(), authToken, { version: '3.0.0' });
      const listed = dataOf(await callManagement(service(), 'GET', '/paymaster', { headers: { authToken } }));
      expect((listed as { name: string }[]).map(({ name }) => name).sort()).toEqual([first.name, second.name].sort());
      expect(JSON.stringify(listed)).not.toContain(stranger.apiKey);
    });
  });
}

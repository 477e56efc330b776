import type { OperatorStatus } from '@tollfree/contract/operator';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { accepted } from '../../server/accepted.ts';
import { send } from '../support/gateway/start-test-gateway.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

const path = '/api/v2/public/sdk';
/** Of a provider, in the places where providers have keys. */
const keys = ['name-of-operator', 'password-in-url', 'key-in-the-path', 'key-in-the-query'] as const;

describe.each(['local', 'grpc'] as const)('the operator’s view, core %s', (handle) => {
  let service: RunningService;
  const operators: string[] = [];
  let operator: Awaited<ReturnType<RunningService['issueAccount']>>;
  let tenant: typeof operator;

  const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    send(`${service.url}${path}${url}`, 'GET', { headers });
  const viewOf = async (authToken: string) => {
    const { body } = await get('/operator', { authToken });
    return (body as { data: OperatorStatus }).data;
  };

  beforeAll(async () => {
    service = await startService({
      handle,
      configure: (config) => ({
        ...config,
        operators,
        chains: config.chains.map((chain) => ({
          ...chain,
          nodeUrls: [
            `http://${keys[0]}:${keys[1]}@127.0.0.1:${new URL(chain.nodeUrls[0] ?? '').port}/?key=${keys[3]}`,
            // No one listens there.
            `http://127.0.0.1:1/${keys[2]}`,
          ],
        })),
      }),
    });
    operator = await service.issueAccount();
    tenant = await service.issueAccount();
    operators.push(operator.accountId);
  });
  afterAll(() => service.close());

  test('shows nodes, prices, deposits, keys, accounts and limits to an owner of the operator’s account', async () => {
    const view = await vi.waitUntil(
      async () => {
        const seen = await viewOf(operator.authToken);
        const [chain] = seen.chains;
        return seen.ready && chain?.nodes[0]?.head !== undefined && chain.headAt !== undefined && seen;
      },
      { timeout: 20_000 },
    );
    const contracts = view.chains[0]?.contracts ?? [];
    expect(view.chains[0]?.nodes).toMatchObject([
      { node: '1', host: '127.0.0.1', isAsked: true, isResting: false, behind: 0 },
      { node: '2', host: '127.0.0.1', isAsked: false },
    ]);
    expect(contracts.map(({ stakeWei = 0 }) => stakeWei > 0)).toEqual(contracts.map(() => true));
    expect(view.chains[0]?.coinUsd).toBe(2_000);
    expect(view.chains[0]?.signers.map(({ state, places }) => [state, places[0]?.kind])).toContainEqual([
      'signs',
      'raw',
    ]);
    const listed = view.accounts?.map(({ accountId }) => accountId);
    expect(listed?.toSorted()).toEqual([operator.accountId, tenant.accountId].toSorted());
    expect(view.limits?.jsonDepth).toBeGreaterThan(0);
    expect(view.builds.map(({ process }) => process)).toEqual([]);
  });

  test('holds no key of a node, no address of one, and no secret of the service or of a tenant', async () => {
    const paymaster = await service.fundedPaymaster(tenant.authToken, '0.7');
    const text = JSON.stringify(await viewOf(operator.authToken));
    const { masterKey, chains } = service.config;
    const [chain] = chains;
    const signer = chain?.signer.kind === 'raw' ? chain.signer.privateKey.reveal() : '';
    expect(signer).toMatch(/^0x/);
    for (const secret of [
      ...keys,
      new URL(service.devnet.rpcUrl).port,
      Buffer.from(masterKey.reveal()).toString('hex'),
      ...[signer, signer.slice(2), paymaster.apiKey, tenant.authToken, operator.authToken],
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  test('is no route to anyone else: tenants, visitors, wrong tokens, and tokens of the operator that may less', async () => {
    const { accountId } = operator;
    const narrow = async (scopes: readonly string[]) =>
      accepted(await service.core.createAuthToken({ accountId, name: scopes.join(), scopes })).authToken;
    for (const headers of [
      {},
      { authToken: tenant.authToken },
      { authToken: 'not a token' },
      { authorization: `Bearer ${tenant.authToken}` },
      { authToken: await narrow(['read']) },
      { authToken: await narrow(['read', 'manage']) },
      { authToken: tenant.authToken, accountId, 'x-account-id': accountId },
    ] as readonly Readonly<Record<string, string>>[]) {
      const [answer, nowhere] = [await get('/operator', headers), await get('/nowhere', headers)];
      expect([answer.status, answer.body]).toEqual([nowhere.status, nowhere.body]);
      expect(answer.status).toBe(404);
    }
  });

  test('the session tells who sees it, and an authToken that is revoked no longer does', async () => {
    const sessionOf = async (authToken: string) => (await get('/session', { authToken })).body;
    expect(await sessionOf(operator.authToken)).toMatchObject({ data: { operator: true } });
    expect(await sessionOf(tenant.authToken)).not.toHaveProperty('data.operator');
    const { accountId } = operator;
    const { authToken, record } = accepted(await service.core.createAuthToken({ accountId, name: 'other' }));
    expect((await get('/operator', { authToken })).status).toBe(200);
    accepted(await service.core.revokeAuthToken({ accountId, authTokenId: record.authTokenId }));
    expect((await get('/operator', { authToken })).status).toBe(404);
  });
});

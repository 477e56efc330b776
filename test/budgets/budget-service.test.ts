import type { PolicyRequest } from '@tollfree/contract/policy';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createManagementClient, type ManagementClient } from '../../clients/sdk/create-management-client.ts';
import { createSponsorClient } from '../../clients/sdk/create-sponsor-client.ts';
import type { CoreConfig } from '../../core/domain/core-config.ts';
import { openStore } from '../../core/store/open-store.ts';
import { toWeiText } from '../../core/store/wei.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { newSmartAccount, nextOperation, targetCall, tokenWith } from '../support/chain/chain-lab.ts';
import { smartAccountInfo } from '../support/interface/rpc-calls.ts';
import { sendHttp } from '../support/interface/send-http.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

/** A service in which no one knows what the coin is worth. */
const unpriced = (config: CoreConfig): CoreConfig => {
  const url = 'http://127.0.0.1:1/';
  const source = { kind: 'http', url, path: 'usd', maxAgeSeconds: 60, allowHttp: true } as const;
  const nativePrice = { sources: [source], minimumSources: 1, maximumDeviationBasisPoints: 200 };
  return { ...config, chains: config.chains.map((chain) => ({ ...chain, nativePrice })) };
};

type Holder = { readonly client: ManagementClient; readonly game: DevPaymaster; readonly shop: DevPaymaster };

/** An account with two paymasters. */
async function newHolder(service: RunningService): Promise<Holder> {
  const { authToken } = await service.issueAccount();
  const game = await service.fundedPaymaster(authToken, '0.7');
  const shop = await service.fundedPaymaster(authToken, '0.8');
  return { client: createManagementClient({ baseUrl: service.url, authToken, apiKey: game.apiKey }), game, shop };
}

const newOperation = (service: RunningService, version: '0.7' | '0.8' = '0.7') =>
  nextOperation(service.devnet, newSmartAccount(version), [targetCall(service.devnet, 'increment')]);

/** What the endpoint answers to an operation of someone new, as text too. */
async function ask(
  service: RunningService,
  { rpcUrl }: DevPaymaster,
  over: object = {},
  version: '0.7' | '0.8' = '0.7',
) {
  const context = { mode: 'SPONSORED', calculateGasLimits: true, sponsorshipInfo: { smartAccountInfo }, ...over };
  const params = [toRpcUserOperation(await newOperation(service, version)), context];
  const json = { jsonrpc: '2.0', id: 1, method: 'pm_sponsorUserOperation', params };
  const answer = await sendHttp(rpcUrl, { method: 'POST', json });
  return { status: answer.status, json: answer.json as { readonly result?: object; readonly error?: object } };
}

async function messageOf(asked: Promise<unknown>): Promise<string> {
  return asked.then(
    () => 'done',
    (error: unknown) => String(error),
  );
}

describe.each(rowsOfRun(['grpc', 'local'] as const, 1))('budgets over the %s handle', (handle) => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ handle });
  });
  afterAll(() => service.close());

  test('are set, listed, changed and deleted, by callers with the scope to set something', async () => {
    const { client, game, shop } = await newHolder(service);
    const terms = { name: 'all', maxUsd: '250.00', window: 'MONTH' } as const;
    const budget = await client.createBudget(terms);
    const now = new Date();
    const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) / 1000;
    expect(budget).toMatchObject({ ...terms, usedUsd: '0.00', until: nextMonth });
    expect(budget).not.toHaveProperty('paymasterIds');
    const { budgetId } = budget;
    const paymasterIds = [shop.paymasterId, game.paymasterId];
    const changed = { name: 'both', maxUsd: '0.000001', window: 'EVER', paymasterIds } as const;
    expect(await client.replaceBudget({ budgetId, ...changed })).toMatchObject(changed);
    await client.createBudget({ ...terms, name: 'a' });
    expect((await client.listBudgets()).map(({ name }) => name)).toEqual(['a', 'both']);
    expect((await client.listBudgets())[1]).not.toHaveProperty('until');

    const stranger = await newHolder(service);
    const wrong: [object, RegExp][] = [
      [{ name: 'both' }, /Budget name already exists/],
      [{ name: '' }, /name/],
      [{ maxUsd: '-1' }, /maxUsd must be USD/],
      [{ maxUsd: '1.0000001' }, /maxUsd must be USD/],
      [{ maxUsd: '1000000001' }, /maxUsd must be/],
      [{ window: 'HOUR' }, /window must be one of DAY, WEEK, MONTH, EVER/],
      [{ paymasterIds: [] }, /paymasterIds must name at least one paymaster/],
      [{ paymasterIds: [game.paymasterId, stranger.game.paymasterId] }, /paymasterIds must name paymasters of the acc/],
    ];
    for (const [over, message] of wrong) {
      expect(await messageOf(client.createBudget({ ...terms, ...over })), JSON.stringify(over)).toMatch(message);
    }
    expect(await messageOf(stranger.client.deleteBudget({ budgetId }))).toMatch(/Budget not found/);
    expect(await messageOf(stranger.client.replaceBudget({ budgetId, ...terms }))).toMatch(/Budget not found/);
    expect(await stranger.client.listBudgets()).toEqual([]);
    const { authToken } = await client.createAuthToken({ name: 'looks', scopes: ['read'] });
    const viewer = service.managementOf(authToken);
    expect(await viewer.listBudgets()).toHaveLength(2);
    for (const change of [viewer.createBudget(terms), viewer.deleteBudget({ budgetId })]) {
      expect(await messageOf(change)).toMatch(/scope manage is missing/);
    }
    await client.deleteBudget({ budgetId });
    expect((await client.listBudgets()).map(({ name }) => name)).toEqual(['a']);
  });

  test('are shared by paymasters, however many ask at once, and refused without a word about the money', async () => {
    const { client, game, shop } = await newHolder(service);
    const once = { name: 'ever', maxUsd: '1000', window: 'EVER' } as const;
    const { budgetId } = await client.createBudget(once);
    expect((await ask(service, game)).json.result).toBeDefined();
    expect((await ask(service, shop, {}, '0.8')).json.result).toBeDefined();
    const [{ usedUsd = '' } = {}] = await client.listBudgets();
    expect(Number(usedUsd)).toBeGreaterThan(0);
    // Four operations of either kind fit into what is left, or somewhat more of the cheaper one.
    const max = (3 * Number(usedUsd)).toFixed(6);
    await client.replaceBudget({ budgetId, ...once, maxUsd: max });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? ask(service, game) : ask(service, shop, {}, '0.8'))),
    );
    const signed = answers.filter(({ json }) => json.result !== undefined);
    expect(signed.length).toBeGreaterThan(0);
    expect(signed.length).toBeLessThan(10);
    const [left] = await client.listBudgets();
    expect(Number(left?.usedUsd)).toBeLessThanOrEqual(Number(max));
    expect(Number(left?.usedUsd)).toBeGreaterThan(Number(usedUsd));

    await client.replaceBudget({ budgetId, ...once, maxUsd: usedUsd });
    const refused = await ask(service, game);
    expect(refused).toMatchObject({
      status: 422,
      json: { error: { code: -32013, data: { reason: 'LIMIT_EXCEEDED', limitKind: 'ACCOUNT_BUDGET' } } },
    });
    expect(JSON.stringify(refused.json)).not.toMatch(/\d\.\d{2}|USD|“ever”/);
    const { decisions } = await client.listDecisions({ limit: 1 });
    expect(decisions[0]?.trace.at(-1)).toMatchObject({
      rule: 'account-budget',
      checked: expect.stringContaining('USD asked of the budget “ever”'),
      limit: expect.stringContaining('USD ever'),
      remedy: expect.stringContaining('Raise the budget'),
    });
  });

  test('are told in an explanation, which uses nothing, and offer to pay where the policy does', async () => {
    const { client, game } = await newHolder(service);
    const terms = { name: 'none', maxUsd: '0', window: 'DAY', paymasterIds: [game.paymasterId] } as const;
    const { budgetId } = await client.createBudget(terms);
    const context = { mode: 'SPONSORED', sponsorshipInfo: { smartAccountInfo } } as const;
    const params: [Record<string, string>, typeof context] = [toRpcUserOperation(await newOperation(service)), context];
    const explain = () => client.explainSponsorship({ method: 'pm_sponsorUserOperation', params });
    expect(await explain()).toMatchObject({ outcome: 'refused', reason: 'LIMIT_EXCEEDED' });
    await client.setPolicy({ policy: { thenPayInToken: true } });
    const { address } = tokenWith(service.devnet, 6);
    expect((await ask(service, game)).json).toMatchObject({
      error: { data: { thenPayInToken: { tokens: expect.arrayContaining([expect.objectContaining({ address })]) } } },
    });
    await client.replaceBudget({ budgetId, ...terms, maxUsd: '1000' });
    expect(await explain()).toMatchObject({ outcome: 'signed' });
    expect((await client.listBudgets())[0]?.usedUsd).toBe('0.00');
    // A preview of a policy does not think that it lets in what a budget has refused.
    expect(await client.previewPolicy({ policy: { thenPayInToken: true } })).toMatchObject({ cutOff: [], letIn: [] });
  });

  test('are part of what is left, and no one learns from that how much there is', async () => {
    const { client, game } = await newHolder(service);
    const limit = { per: 'SENDER', window: 'EVER', unit: 'OPERATIONS' } as const;
    await client.setPolicy({ policy: { limits: [{ ...limit, max: '5' }] } });
    const policy = { limits: [{ ...limit, max: '7' }] };
    const { policyId } = await client.createPolicy({ name: 'guests', policy });
    const { paymasterId } = game;
    const rules = { limits: [{ ...limit, per: 'TOTAL' as const, max: '2' }] };
    const { apiKey } = await client.createApiKey({ paymasterId, name: 'web', rules });
    const sponsor = createSponsorClient({ url: game.rpcUrl });
    const { sender } = await newOperation(service);
    expect(await sponsor.getAllowance({ sender })).toMatchObject({ operationsLeft: 5 });
    expect(await sponsor.getAllowance({ sender, policyId })).toMatchObject({ operationsLeft: 7 });
    await expect(sponsor.getAllowance({ sender, policyId: 'tfp_none' })).rejects.toMatchObject({
      reason: 'POLICY_NOT_ACCEPTED',
    });
    const byKey = createSponsorClient({ url: service.rpcUrl(apiKey) });
    const first = await byKey.getAllowance({ sender });
    expect(first.operationsLeft).toBe(2);
    expect(first.limits[1]).toEqual({ per: 'KEY', window: 'EVER', unit: 'OPERATIONS', max: '2', left: '2' });
    expect((await ask(service, { ...game, rpcUrl: service.rpcUrl(apiKey) })).json.result).toBeDefined();
    expect(await byKey.getAllowance({ sender })).toMatchObject({ operationsLeft: 1 });
    expect(await sponsor.getAllowance({ sender })).toMatchObject({ operationsLeft: 5 });

    const terms = { name: 'all', maxUsd: '1234.56', window: 'DAY' } as const;
    const { budgetId, until } = await client.createBudget(terms);
    const open = await sponsor.getAllowance({ sender });
    expect(open).not.toHaveProperty('budget');
    expect(JSON.stringify(open)).not.toContain('1234');
    const [{ usedUsd = '' } = {}] = await client.listBudgets();
    await client.replaceBudget({ budgetId, ...terms, maxUsd: usedUsd });
    const usedUp = await sponsor.getAllowance({ sender });
    expect(usedUp).toMatchObject({ operationsLeft: 0, budget: { state: 'USED_UP', until } });
    expect(JSON.stringify(usedUp)).not.toContain(usedUsd);
    await client.createBudget({ ...terms, name: 'ever', maxUsd: '0', window: 'EVER' });
    expect((await sponsor.getAllowance({ sender })).budget).toEqual({ state: 'USED_UP' });
  });
});

test('limits in money are estimated in operations by what one cost on average in the last seven days', async () => {
  const service = await startService();
  const store = await openStore(service.config.database);
  try {
    const { client, game } = await newHolder(service);
    const sponsor = createSponsorClient({ url: game.rpcUrl });
    const { sender } = await newOperation(service);
    const setLimits = (...limits: NonNullable<PolicyRequest['limits']>) => client.setPolicy({ policy: { limits } });
    const inWei = { per: 'SENDER', window: 'EVER', unit: 'WEI', max: '1000' } as const;
    await setLimits(inWei);
    // Nothing has landed, so no one knows what an operation costs.
    expect(await sponsor.getAllowance({ sender })).not.toHaveProperty('operationsLeft');

    const today = Math.floor(Date.now() / 86_400_000) * 86_400;
    const landedOn = (daysAgo: number, landed: number, wei: bigint, priced: number, usdMicros: number) => ({
      paymaster_id: game.paymasterId,
      dimension: 'day' as const,
      day: today - daysAgo * 86_400,
      key: `${daysAgo}`,
      signed: landed,
      quoted: 0,
      stub: 0,
      refused: 0,
      landed,
      charge: toWeiText(wei),
      users_paid: toWeiText(0n),
      priced,
      usd_micros: usdMicros,
      chosen_keys: 0,
    });
    await store.transaction((transaction) =>
      transaction
        .insertInto('usage_sums')
        // 250 wei each and, where the price was known, half a USD. The most expensive day is too long ago to count.
        .values([landedOn(0, 3, 900n, 2, 1_000_000), landedOn(5, 1, 100n, 0, 0), landedOn(9, 1, 10n ** 6n, 1, 10 ** 9)])
        .execute(),
    );
    expect(await sponsor.getAllowance({ sender })).toMatchObject({ operationsLeft: 4 });
    const inUsd = { per: 'TOTAL', window: 'DAY', unit: 'USD', max: '1.40' } as const;
    await setLimits(inWei, inUsd);
    expect(await sponsor.getAllowance({ sender })).toMatchObject({ operationsLeft: 2 });
    await setLimits(inWei, inUsd, { per: 'SENDER', window: 'DAY', unit: 'OPERATIONS', max: '1' });
    expect(await sponsor.getAllowance({ sender })).toMatchObject({ operationsLeft: 1 });
  } finally {
    await store.close();
    await service.close();
  }
});

test('a budget refuses with its own reason while no one knows the price, and what has none is signed', async () => {
  const service = await startService({ configure: unpriced });
  try {
    const { client, game, shop } = await newHolder(service);
    const paymasterIds = [game.paymasterId];
    const { budgetId } = await client.createBudget({ name: 'game', maxUsd: '1000', window: 'DAY', paymasterIds });
    expect(await ask(service, game)).toMatchObject({
      status: 503,
      json: { error: { code: -32018, data: { reason: 'BUDGET_NOT_COUNTED' } } },
    });
    expect((await ask(service, shop, {}, '0.8')).json.result).toBeDefined();
    const { sender } = await newOperation(service);
    const sponsor = createSponsorClient({ url: game.rpcUrl });
    expect(await sponsor.getAllowance({ sender })).toMatchObject({
      operationsLeft: 0,
      budget: { state: 'NOT_COUNTED' },
    });
    await vi.waitFor(async () => {
      const [decision] = (await client.listDecisions({ limit: 1 })).decisions;
      expect(decision?.trace.at(-1)).toMatchObject({ rule: 'account-budget', remedy: expect.stringMatching(/price/) });
    });
    await client.deleteBudget({ budgetId });
    expect((await ask(service, game)).json.result).toBeDefined();
  } finally {
    await service.close();
  }
});

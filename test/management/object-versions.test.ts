import { omitAbsent } from '@tollfree/contract/omit-absent';
import { operationList } from '@tollfree/contract/operations';
import type { Address } from 'viem';
import { expect, test } from 'vitest';
import { actAs, type Owned } from '../../core/domain/access/actor.ts';
import { noKeyRules } from '../../core/domain/api-key-rules.ts';
import { defaultPolicy } from '../../core/domain/policy.ts';
import type { Result } from '../../core/domain/result/result.ts';
import type { Management } from '../../core/management/create-management.ts';
import { accepted, newPaymaster, startManagement, startTime } from '../support/core/start-management.ts';

const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const abi = JSON.stringify(
  ['f', 'g'].map((name) => ({ type: 'function', name, inputs: [], outputs: [], stateMutability: 'payable' })),
);
const head = { name: 'Players', enabled: true };
const limits = [{ per: 'total', window: 'day', unit: 'wei', max: 5n }] as const;
const terms = { name: 'all', maxUsdMicros: 5_000_000n, window: 'day' };
const webhook = { webhookUrl: 'http://127.0.0.1:9/', requestType: 'POST' };
const notification = { url: 'http://127.0.0.1:9/', events: ['tank.low'], tankLow: { daysLeft: 3 } };

type Change = (etag: string | undefined) => Promise<Result<unknown>>;

/** An object that one person bounds while another one, who has read it before, changes something else. */
type Story = {
  readonly read: () => Promise<string | undefined>;
  readonly bound: Change;
  readonly other: Change;
  /** What the refusal names. */
  readonly named: string;
};

const version = (etag: string | undefined) => (etag === undefined ? {} : { etag });
const byId = <Item>(items: readonly Item[], isIt: (item: Item) => boolean) => items.find(isIt);

const stories: Readonly<Record<string, (management: Management, owned: Owned) => Promise<Story>>> = {
  'the default policy': async (management, owned) => ({
    read: async () => accepted(await management.readPolicy(owned)).etag,
    bound: (etag) =>
      management.setPolicy({ ...owned, policy: { ...defaultPolicy, limits, maxCostWei: 7n }, ...version(etag) }),
    other: (etag) =>
      management.setPolicy({ ...owned, policy: { ...defaultPolicy, requireTicket: true }, ...version(etag) }),
    named: 'policy has been changed by the authToken “ada” since it was read: maxCostPerOperation, limits.',
  }),
  'a named policy': async (management, owned) => {
    const { policyId } = accepted(await management.createPolicy({ ...owned, head, policy: defaultPolicy }));
    return {
      read: async () => accepted(await management.readNamedPolicy({ ...owned, policyId })).etag,
      bound: (etag) =>
        management.replacePolicy({ ...owned, policyId, head, policy: { ...defaultPolicy, limits }, ...version(etag) }),
      other: (etag) =>
        management.replacePolicy({
          ...owned,
          policyId,
          head: { ...head, name: 'Others' },
          policy: defaultPolicy,
          ...version(etag),
        }),
      named: 'policy has been changed by the authToken “ada” since it was read: limits.',
    };
  },
  'a deleted named policy': async (management, owned) => {
    const { policyId } = accepted(await management.createPolicy({ ...owned, head, policy: defaultPolicy }));
    return {
      read: async () => accepted(await management.readNamedPolicy({ ...owned, policyId })).etag,
      bound: (etag) =>
        management.replacePolicy({
          ...owned,
          policyId,
          head: { ...head, enabled: false },
          policy: defaultPolicy,
          ...version(etag),
        }),
      other: (etag) => management.deletePolicy({ ...owned, policyId, ...version(etag) }),
      named: 'policy has been changed by the authToken “ada” since it was read: enabled.',
    };
  },
  'the methods of a contract': async (management, owned) => {
    accepted(
      await management.registerSmartContract({ ...owned, name: 'C', address, abi, whitelistedMethods: ['f', 'g'] }),
    );
    return {
      read: async () => accepted(await management.listSmartContracts(owned)).contracts[0]?.etag,
      bound: (etag) => management.updateSmartContract({ ...owned, address, whitelistedMethods: [], ...version(etag) }),
      other: (etag) =>
        management.updateSmartContract({ ...owned, address, whitelistedMethods: ['f'], ...version(etag) }),
      named: 'smart contract has been changed by the authToken “ada” since it was read: whitelistedMethods.',
    };
  },
  'the rules of a key': async (management, owned) => {
    const { record } = accepted(await management.createApiKey({ ...owned, name: 'web' }));
    const { apiKeyId } = record;
    return {
      read: async () => byId(accepted(await management.listApiKeys(owned)), (key) => key.apiKeyId === apiKeyId)?.etag,
      bound: (etag) =>
        management.updateApiKey({
          ...owned,
          apiKeyId,
          rules: { ...noKeyRules, origins: ['https://a.example'] },
          ...version(etag),
        }),
      other: (etag) =>
        management.updateApiKey({
          ...owned,
          apiKeyId,
          rules: { ...noKeyRules, networks: ['10.0.0.0/8'] },
          ...version(etag),
        }),
      named: 'apiKey has been changed by the authToken “ada” since it was read: rules.',
    };
  },
  'a key that no one has changed yet': async (management, owned) => {
    const [own] = accepted(await management.listApiKeys(owned));
    const apiKeyId = own?.apiKeyId ?? '';
    return {
      read: async () => accepted(await management.listApiKeys(owned))[0]?.etag,
      bound: (etag) => management.updateApiKey({ ...owned, apiKeyId, disabled: true, ...version(etag) }),
      other: (etag) => management.updateApiKey({ ...owned, apiKeyId, disabled: false, ...version(etag) }),
      named: 'apiKey has been changed by the authToken “ada” since it was read: disabled.',
    };
  },
  'a budget': async (management, owned) => {
    const { budgetId } = accepted(await management.createBudget({ ...owned, terms }));
    return {
      read: async () => accepted(await management.listBudgets(owned))[0]?.etag,
      bound: (etag) =>
        management.replaceBudget({ ...owned, budgetId, terms: { ...terms, maxUsdMicros: 1n }, ...version(etag) }),
      other: (etag) =>
        management.replaceBudget({ ...owned, budgetId, terms: { ...terms, name: 'some' }, ...version(etag) }),
      named: 'budget has been changed by the authToken “ada” since it was read: maxUsd.',
    };
  },
  'a webhook': async (management, owned) => {
    const { webhookId } = accepted(await management.createWebhook({ ...owned, ...webhook }));
    return {
      read: async () => accepted(await management.listWebhooks({ ...owned, webhookId }))[0]?.etag,
      bound: (etag) =>
        management.updateWebhook({ ...owned, webhookId, active: true, payload: 'OPERATION', ...version(etag) }),
      other: (etag) => management.updateWebhook({ ...owned, webhookId, active: false, ...version(etag) }),
      named: 'webhook has been changed by the authToken “ada” since it was read: payload.',
    };
  },
  'a notification': async (management, owned) => {
    const { notificationId } = accepted(await management.createNotification({ ...owned, ...notification }));
    return {
      read: async () => accepted(await management.listNotifications(owned))[0]?.etag,
      bound: (etag) =>
        management.updateNotification({ ...owned, notificationId, tankLow: { daysLeft: 9 }, ...version(etag) }),
      other: (etag) => management.updateNotification({ ...owned, notificationId, active: false, ...version(etag) }),
      named: 'notification has been changed by the authToken “ada” since it was read: tankLow.',
    };
  },
  'a paused paymaster': async (management, owned) => ({
    read: async () => accepted(await management.listPaymasters(owned))[0]?.etag,
    bound: (etag) => management.updatePaymaster({ ...owned, paused: true, ...version(etag) }),
    other: (etag) => management.updatePaymaster({ ...owned, paused: false, ...version(etag) }),
    named: 'paymaster has been changed by the authToken “ada” since it was read: paused.',
  }),
};

async function start(story: (typeof stories)[string]) {
  const { management, store } = await startManagement();
  const { owned } = await newPaymaster(management);
  const { record } = accepted(await management.createAuthToken({ accountId: owned.accountId, name: 'ada' }));
  const actor = { kind: 'auth-token', accountId: owned.accountId, credentialId: record.authTokenId } as const;
  return {
    management,
    owned,
    author: record.authTokenId,
    store,
    asAda: <T>(work: () => Promise<T>) => actAs(actor, work),
    ...(await story(management, owned)),
  };
}

test.each(Object.entries(stories))('a change of %s that its author has not seen is not lost', async (_, story) => {
  const { read, bound, other, named, asAda } = await start(story);
  const seen = await read();
  expect(seen).toMatch(/^[\w-]{22}$/);
  accepted(await asAda(() => bound(seen)));
  const now = await read();
  expect(now).not.toBe(seen);
  const stale = await other(seen);
  expect(stale).toMatchObject({ ok: false, refusal: { reason: 'CHANGED_MEANWHILE' } });
  expect(stale.ok ? '' : stale.refusal.message).toContain(named);
  expect(await read()).toBe(now);
  accepted(await other(now));
});

test.each(Object.entries(stories))('without a version the last change of %s wins', async (_, story) => {
  const { bound, other } = await start(story);
  accepted(await bound(undefined));
  accepted(await other(undefined));
});

test('an answer to a change has the version that the next read has', async () => {
  const { management, owned } = await start(async () => ({}) as Story);
  const set = accepted(await management.setPolicy({ ...owned, policy: { ...defaultPolicy, limits } }));
  expect(set.etag).toBe(accepted(await management.readPolicy(owned)).etag);
  const { record } = accepted(await management.createApiKey({ ...owned, name: 'web' }));
  const changed = accepted(await management.updateApiKey({ ...owned, apiKeyId: record.apiKeyId, disabled: true }));
  expect(accepted(await management.listApiKeys(owned)).map(({ etag }) => etag)).toContain(changed.etag);
});

test('the version of a policy can be in the policy itself, and is not stored with it', async () => {
  const { management, owned } = await start(async () => ({}) as Story);
  const read = accepted(await management.readPolicy(owned));
  accepted(await management.setPolicy({ ...owned, policy: { ...read, limits } }));
  const again = await management.setPolicy({ ...owned, policy: { ...read, requireTicket: true } });
  expect(again).toMatchObject({ ok: false, refusal: { reason: 'CHANGED_MEANWHILE' } });
  accepted(
    await management.setPolicy({
      ...owned,
      policy: read,
      etag: accepted(await management.readPolicy(owned)).etag ?? '',
    }),
  );
  expect(accepted(await management.readPolicy(owned))).toEqual(read);
});

test('changes of several people since then are all named, and a version that never was is refused by the last one', async () => {
  const { management, owned, asAda } = await start(async () => ({}) as Story);
  const { etag } = accepted(await management.readPolicy(owned));
  await asAda(async () => accepted(await management.setPolicy({ ...owned, policy: { ...defaultPolicy, limits } })));
  const { record } = accepted(await management.createAuthToken({ accountId: owned.accountId, name: 'bob' }));
  const bob = { kind: 'auth-token', accountId: owned.accountId, credentialId: record.authTokenId } as const;
  const policy = { ...defaultPolicy, limits, requireTicket: true };
  await actAs(bob, async () => accepted(await management.setPolicy({ ...owned, policy })));
  const proposed = { ...owned, policy: defaultPolicy };
  const message = async (version: string) => {
    const answer = await management.setPolicy({ ...proposed, etag: version });
    return answer.ok ? '' : answer.refusal.message;
  };
  expect(await message(etag ?? '')).toMatch(
    /by the authToken “bob”, the authToken “ada” since it was read: (.*limits.*requireTicket|.*requireTicket.*limits)/,
  );
  expect(await message('never')).toMatch(/^The policy has been changed by .* since it was read\. Read it again/);
});

test('a change in a session is named by the member, the wallet without a name, or the authToken that it began with', async () => {
  const { management, store, owned, author } = await start(async () => ({}) as Story);
  const { accountId } = owned;
  const changedIn = async (sessionId: string, by: { readonly wallet?: Address; readonly auth_token_id?: string }) => {
    const digest = sessionId.padEnd(64, '0');
    const row = {
      session_id: sessionId,
      account_id: accountId,
      digest,
      created_at: startTime,
      last_seen_at: startTime,
    };
    const { wallet, auth_token_id = null } = by;
    await store.db
      .insertInto('sessions')
      .values({ ...row, ...omitAbsent({ wallet }), auth_token_id, expires_at: startTime + 1_000 })
      .execute();
    const actor = { kind: 'session', accountId, credentialId: sessionId, ...omitAbsent({ wallet }) } as const;
    const policy = { ...defaultPolicy, maxGasPerOperation: Number(sessionId) };
    accepted(await actAs(actor, () => management.setPolicy({ ...owned, policy })));
    const answer = await management.setPolicy({ ...owned, policy: defaultPolicy, etag: 'never' });
    return answer.ok ? '' : answer.refusal.message;
  };
  await store.db
    .insertInto('account_members')
    .values({ account_id: accountId, wallet: address, role: 'manager', added_at: startTime, joined_at: startTime })
    .execute();
  expect(await changedIn('1'.padStart(36, '0'), { wallet: address })).toContain(`changed by wallet ${address} since`);
  await store.db.updateTable('account_members').set({ name: 'Grace' }).where('wallet', '=', address).execute();
  expect(await changedIn('2'.padStart(36, '0'), { wallet: address })).toContain(
    `changed by Grace (wallet ${address}) since`,
  );
  expect(await changedIn('3'.padStart(36, '0'), { auth_token_id: author })).toContain(
    'changed by the authToken “ada” since',
  );
});

test('a version says nothing of the objects of others', async () => {
  const { management, owned } = await start(async () => ({}) as Story);
  const other = await newPaymaster(management);
  const etag = 'x'.repeat(22);
  const { policyId } = accepted(await management.createPolicy({ ...owned, head, policy: defaultPolicy }));
  const foreign = { accountId: other.owned.accountId, paymasterId: owned.paymasterId };
  const answers = await Promise.all([
    management.updatePaymaster({ ...foreign, paused: true, etag }),
    management.setPolicy({ ...foreign, policy: defaultPolicy, etag }),
    management.replacePolicy({ ...other.owned, policyId, head, policy: defaultPolicy, etag }),
    management.deletePolicy({ ...other.owned, policyId, etag }),
  ]);
  const reasons = answers.map((answer) => (answer.ok ? 'done' : answer.refusal.reason));
  expect(reasons).toEqual(['PAYMASTER_NOT_FOUND', 'PAYMASTER_NOT_FOUND', 'POLICY_NOT_FOUND', 'POLICY_NOT_FOUND']);
});

/** Changes that set one value as a whole, and say which. */
const withoutVersion = ['changeMember', 'renameMember', 'switchAccount', 'setFundingWallet'];

test('every call that replaces settings can depend on their version', () => {
  const replacing = operationList.filter(({ method }) => method === 'PUT' || method === 'PATCH');
  const others = replacing.filter(({ versioned }) => versioned === undefined).map(({ name }) => name);
  expect(others.toSorted()).toEqual(withoutVersion.toSorted());
});

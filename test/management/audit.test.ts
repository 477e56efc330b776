import { expect, test } from 'vitest';
import { unixSeconds } from '../../core/base/time/clock.ts';
import { defaultPolicy } from '../../core/domain/policy.ts';
import { readAudit } from '../../core/management/read-audit.ts';
import { accepted, newPaymaster, startManagement, startTime } from '../support/core/start-management.ts';

const day = 86_400;
const wallet = '0x00000000000000000000000000000000000000AA';

async function start() {
  const parts = await startManagement();
  const { management, store, clock } = parts;
  const { owned, paymaster } = await newPaymaster(management);
  const audit = () => readAudit(store, unixSeconds(clock));
  /** Risk and words of what the audit says of one thing. */
  const saidOf = async (id: string, kind: string) =>
    (await audit()).filter((entry) => entry.id === id && entry.kind === kind).map(({ risk, what }) => [risk, what]);
  return { ...parts, owned, paymaster, audit, saidOf };
}

test('an authToken is the graver the longer it is good for, and one that is no longer accepted is not there', async () => {
  const { management, clock, owned, saidOf } = await start();
  const issue = async (expiresAt?: number) =>
    accepted(
      await management.createAuthToken({ ...owned, name: 'ci', ...(expiresAt === undefined ? {} : { expiresAt }) }),
    ).record.authTokenId;
  const endless = await issue();
  const ending = await issue(startTime + 100 * day);
  const revoked = await issue();
  accepted(await management.revokeAuthToken({ ...owned, authTokenId: revoked }));
  const risks = async () =>
    (await Promise.all([endless, ending, revoked].map((id) => saidOf(id, 'authToken')))).map((said) => said[0]?.[0]);
  expect(await risks()).toEqual(['medium', 'none', undefined]);
  clock.advance(90 * day);
  expect(await risks()).toEqual(['high', 'low', undefined]);
  expect((await saidOf(endless, 'authToken'))[0]?.[1]).toMatch(/^never used, issued 2027-01-15T.*, never expires$/);
  clock.advance(10 * day);
  expect(await risks()).toEqual(['high', undefined, undefined]);
  accepted(await management.suspendAccount({ accountId: owned.accountId, suspended: true }));
  expect(await risks()).toEqual([undefined, undefined, undefined]);
  expect(await saidOf(owned.accountId, 'account')).toEqual([
    ['medium', expect.stringContaining('its paymasters continue to sponsor (1)')],
  ]);
});

test('reports policies that do not bound all senders together, the most severe first', async () => {
  const { management, owned, audit, saidOf } = await start();
  expect((await audit())[0]).toMatchObject({ risk: 'high', kind: 'policy', id: owned.paymasterId, name: 'Shop' });
  const allowedSenders = [wallet] as const;
  accepted(await management.setPolicy({ ...owned, policy: { ...defaultPolicy, allowedSenders } }));
  expect(await saidOf(owned.paymasterId, 'policy')).toEqual([['medium', expect.stringContaining('1 sender can')]]);
  const limits = [{ per: 'total', window: 'day', unit: 'wei', max: 5n }] as const;
  accepted(await management.setPolicy({ ...owned, policy: { ...defaultPolicy, limits } }));
  expect(await saidOf(owned.paymasterId, 'policy')).toEqual([['none', 'limits: wei per total and day']]);
  // Senders are free to make, so a limit of each one bounds nothing.
  const perSender = [{ per: 'sender', window: 'day', unit: 'operations', max: 5n }] as const;
  accepted(await management.setPolicy({ ...owned, policy: { ...defaultPolicy, limits: perSender } }));
  expect(await saidOf(owned.paymasterId, 'policy')).toEqual([
    ['high', expect.stringContaining('operations per sender and day, none of them in total: any number of senders')],
  ]);
  const terms = { name: 'all', maxUsdMicros: 1n, window: 'month' } as const;
  accepted(await management.createBudget({ accountId: owned.accountId, terms }));
  expect(await saidOf(owned.paymasterId, 'policy')).toEqual([
    ['none', expect.stringContaining('bounded by the budget "all"')],
  ]);
});

test('apiKeys that are replaced are there while they are accepted', async () => {
  const { management, clock, owned, audit } = await start();
  accepted(await management.rotateApiKey({ ...owned, graceSeconds: day }));
  const keys = async () => (await audit()).filter(({ kind }) => kind === 'apiKey').map(({ risk }) => risk);
  expect(await keys()).toEqual(['low', 'none']);
  clock.advance(day);
  expect(await keys()).toEqual(['none']);
});

test('an audit has no secret, nor an address that can hold one', async () => {
  const { management, owned, paymaster, audit, saidOf } = await start();
  const { authToken } = accepted(await management.createAuthToken({ ...owned, name: 'ci' }));
  const input = { ...owned, webhookUrl: 'https://8.8.8.8/hook?key=hush', requestType: 'POST' };
  const { webhookId } = accepted(await management.createWebhook(input));
  const text = JSON.stringify(await audit());
  for (const secret of [authToken, paymaster.apiKey, 'hush']) expect(text).not.toContain(secret);
  expect(await saidOf(webhookId, 'webhook')).toEqual([['none', 'is called']]);
  accepted(await management.updateWebhook({ ...owned, webhookId, active: false }));
  expect(await saidOf(webhookId, 'webhook')).toEqual([['medium', expect.stringContaining('without calling it')]]);
});

test('who signs in, opens and pays is there', async () => {
  const { management, store, clock, owned, audit, saidOf } = await start();
  const { accountId } = accepted(await management.inviteAccount({ wallet }));
  expect(await saidOf(accountId, 'account')).toEqual([['low', `invited: ${wallet} has not signed in yet`]]);
  const { authToken } = accepted(await management.createAuthToken({ ...owned, name: 'ci' }));
  const { session } = accepted(await management.signInWithAuthToken({ authToken }));
  await store.db.updateTable('paymasters').set({ funding_wallet: wallet }).execute();
  const contract = { chain_id: 1337, contract: wallet, since: startTime, until: null };
  await store.db
    .insertInto('contract_signers')
    .values({ ...contract, signer: wallet })
    .execute();
  const kinds = async () => (await audit()).map(({ kind }) => kind);
  expect(await kinds()).toEqual(expect.arrayContaining(['session', 'fundingWallet', 'signer']));
  expect(JSON.stringify(await audit())).not.toContain(session);
  clock.advance(day);
  expect(await kinds()).not.toContain('session');
});

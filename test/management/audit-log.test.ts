import { coreOperations } from '@tollfree/contract/core-operations';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { getAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { type Actor, actAs } from '../../core/domain/access/actor.ts';
import type { AuditLogFilter } from '../../core/domain/access/audit-log.ts';
import { defaultPolicy } from '../../core/domain/policy.ts';
import { operationAudits } from '../../core/management/audit-log/operation-audits.ts';
import { pruneAuditLog } from '../../core/management/audit-log/prune-audit-log.ts';
import { signInAs } from '../support/core/sign-in-as.ts';
import {
  accepted,
  newAccount,
  newPaymaster,
  startManagement,
  startTime,
  type TestManagement,
} from '../support/core/start-management.ts';

const wallet = privateKeyToAccount(generatePrivateKey());
const contract = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const abi = JSON.stringify([
  { type: 'function', name: 'mint', inputs: [], outputs: [], stateMutability: 'nonpayable' },
  { type: 'function', name: 'burnEverything', inputs: [], outputs: [], stateMutability: 'nonpayable' },
]);

const operator: Actor = { kind: 'operator', client: 'command line of ada' };

async function readLog({ store }: TestManagement) {
  const rows = await store.db.selectFrom('audit_log').selectAll().orderBy('entry_number').execute();
  return rows.map((row) => ({ ...row, before: JSON.parse(row.state_before), after: JSON.parse(row.state_after) }));
}

/** Does each operation of management once; what they answer that is secret. */
async function doEverything({ management }: TestManagement): Promise<readonly string[]> {
  const { accountId } = accepted(await management.createAccount({ name: 'Ada' }));
  const invited = accepted(await management.inviteAccount({ wallet: '0x00000000000000000000000000000000000000cc' }));
  accepted(await management.linkWallet({ accountId, wallet: wallet.address }));
  accepted(await management.suspendAccount({ accountId: invited.accountId, suspended: true }));
  const { authToken, record } = accepted(await management.createAuthToken({ accountId, name: 'ci' }));
  const byWallet = accepted(await signInAs(management, wallet));
  const byToken = accepted(await management.signInWithAuthToken({ authToken }));
  const elsewhere = accepted(await management.createAccount({ name: 'Team' })).accountId;
  const member = { accountId: elsewhere, wallet: wallet.address };
  accepted(await management.addMember({ ...member, role: 'owner' }));
  const switched = accepted(await management.switchAccount({ session: byWallet.session, accountId: elsewhere }));
  accepted(await management.addMember({ ...member, wallet: contract, role: 'viewer' }));
  accepted(await management.changeMember({ ...member, wallet: contract, role: 'manager' }));
  accepted(await management.renameMember({ ...member, wallet: contract, name: 'Safe of the team' }));
  accepted(await management.removeMember({ ...member, wallet: contract }));
  accepted(await management.endSession({ session: switched.session }));
  const [open] = accepted(await management.listSessions({ accountId }));
  accepted(await management.revokeSession({ accountId, sessionId: open?.sessionId ?? '' }));
  await management.signInWithAuthToken({ authToken });
  accepted(await management.revokeAllSessions({ accountId }));
  accepted(await management.revokeAuthToken({ accountId, authTokenId: record.authTokenId }));

  const terms = { name: 'all', maxUsdMicros: 250_000_000n, window: 'month' };
  const { budgetId } = accepted(await management.createBudget({ accountId, terms }));
  const raised = { ...terms, maxUsdMicros: 300_000_000n };
  accepted(await management.replaceBudget({ accountId, budgetId, terms: raised }));
  accepted(await management.deleteBudget({ accountId, budgetId }));

  const kind = { type: 'HYBRID', chainId: 1337, version: '2.0.0' };
  const { paymasterId, apiKey } = accepted(await management.createPaymaster({ accountId, name: 'Shop', ...kind }));
  const owned = { accountId, paymasterId };
  const replaced = accepted(await management.listApiKeys(owned))[0]?.apiKeyId ?? '';
  const next = accepted(await management.rotateApiKey({ ...owned, graceSeconds: 60 }));
  accepted(await management.endApiKey({ ...owned, apiKeyId: replaced }));
  const { record: web } = accepted(await management.createApiKey({ ...owned, name: 'web' }));
  accepted(await management.updateApiKey({ ...owned, apiKeyId: web.apiKeyId, disabled: true }));
  const ticketKey = accepted(await management.createTicketKey({ ...owned, name: 'shared', kind: 'HS256' }));
  const { ticketKeyId } = ticketKey.record;
  accepted(await management.deleteTicketKey({ ...owned, ticketKeyId }));
  const { fundingMessage } = accepted(await management.createFundingMessage(owned));
  const signature = await wallet.signMessage({ message: fundingMessage });
  accepted(await management.setFundingWallet({ ...owned, address: wallet.address, signature }));
  accepted(await management.setPolicy({ ...owned, policy: { ...defaultPolicy, maxCostWei: 7n } }));
  const head = { name: 'guests', enabled: true };
  const { policyId } = accepted(await management.createPolicy({ ...owned, head, policy: defaultPolicy }));
  const changed = { ...owned, policyId, head, policy: { ...defaultPolicy, maxCostWei: 7n } };
  accepted(await management.replacePolicy(changed));
  accepted(await management.deletePolicy({ ...owned, policyId }));
  accepted(await management.registerSmartContract({ ...owned, name: 'token', address: contract, abi }));
  accepted(await management.updateSmartContract({ ...owned, address: contract, whitelistedMethods: ['mint'] }));
  accepted(await management.deleteSmartContract({ ...owned, address: contract }));

  const webhookUrl = 'http://127.0.0.1:1/hooks/path-that-lets-one-in?key=query-that-lets-one-in';
  const { webhookId } = accepted(await management.createWebhook({ ...owned, webhookUrl, requestType: 'POST' }));
  const { secret: oldSecret } = accepted(await management.readWebhookSecret({ ...owned, webhookId }));
  const { secret } = accepted(await management.rotateWebhookSecret({ ...owned, webhookId }));
  accepted(await management.updateWebhook({ ...owned, webhookId, active: false }));
  accepted(await management.deleteWebhook({ ...owned, webhookId }));
  const events = ['operation.failed'];
  const { notificationId } = accepted(await management.createNotification({ ...owned, url: webhookUrl, events }));
  const { secret: third } = accepted(await management.rotateNotificationSecret({ ...owned, notificationId }));
  accepted(await management.updateNotification({ ...owned, notificationId, active: false }));
  const { deliveryId } = accepted(await management.sendTestNotification({ ...owned, notificationId }));
  accepted(await management.redeliverNotification({ ...owned, deliveryId }));
  accepted(await management.deleteNotification({ ...owned, notificationId }));
  accepted(await management.updatePaymaster({ ...owned, name: 'Kiosk' }));
  accepted(await management.retirePaymaster({ ...owned, name: 'Kiosk' }));
  return [
    ...[
      authToken,
      byWallet.session,
      switched.session,
      byToken.session,
      apiKey,
      next.apiKey,
      oldSecret,
      secret,
      third,
      signature,
    ],
    ...[
      JSON.parse(ticketKey.secretJson ?? '{}').k,
      'path-that-lets-one-in',
      'query-that-lets-one-in',
      'burnEverything',
    ],
  ];
}

/** The log keeps the names that operations have had. */
function recordedAs(name: string): string {
  return coreOperations[name as keyof typeof coreOperations].recordedAs;
}

/** Those of the ledger, whose ledger `test/ledger` has, leave theirs there. */
const ofTheLedger = ['adjustTank', 'revertLedger', 'archiveLedger', 'releaseHold'];

test('every operation that changes something leaves an entry of who did what, and none of them a secret', async () => {
  const service = await startManagement();
  const secrets = await actAs(operator, () => doEverything(service));
  const log = await readLog(service);
  const changing = Object.entries(operationAudits).filter(([, audit]) => audit !== 'reads');
  const expected = changing.map(([name]) => recordedAs(name)).filter((name) => !ofTheLedger.includes(name));
  expect([...new Set(log.map(({ operation }) => operation))].sort()).toEqual(expected.sort());
  for (const entry of log) {
    expect(entry).toMatchObject({ actor_kind: 'operator', client: 'command line of ada' });
    expect(entry.account_id, entry.operation).not.toBeNull();
    expect(entry.before, entry.operation).not.toEqual(entry.after);
  }
  const text = JSON.stringify(log);
  for (const secret of secrets) expect(text).not.toContain(secret.slice(0, 40));
  const digests = await service.store.db.selectFrom('api_keys').select('digest').execute();
  for (const { digest } of digests) expect(text).not.toContain(digest);
});

test('an operation that reads writes nothing', async () => {
  const service = await startManagement();
  const { owned } = await newPaymaster(service.management);
  const before = await service.store.db.selectFrom('audit_log').selectAll().execute();
  const reading = Object.entries(operationAudits).filter(([, audit]) => audit === 'reads');
  const { store, management } = service;
  let written = 0;
  for (const [name] of reading) {
    const perform = (management as Readonly<Record<string, unknown>>)[name];
    if (typeof perform !== 'function' || name === 'previewPolicy' || name === 'readSession') continue;
    await perform({ ...owned, filter: {}, authToken: 'tf_', session: 'tfs_', webhookId: 'a', notificationId: 'a' });
    written += 1;
  }
  expect(written).toBeGreaterThan(10);
  expect(await store.db.selectFrom('audit_log').selectAll().execute()).toEqual(before);
});

describe('an entry', () => {
  test('tells what was and what is, of what changed alone', async () => {
    const service = await startManagement();
    const { owned } = await newPaymaster(service.management);
    const set = (maxCostWei: bigint) =>
      service.management.setPolicy({ ...owned, policy: { ...defaultPolicy, maxCostWei } });
    await set(7n);
    await set(8n);
    const entry = (await readLog(service)).at(-1);
    const object = `policy ${owned.paymasterId}`;
    expect(entry).toMatchObject({
      operation: 'setPolicy',
      account_id: owned.accountId,
      paymaster_id: owned.paymasterId,
      before: { [object]: { maxCostWei: '7' } },
      after: { [object]: { maxCostWei: '8' } },
    });
    expect(Object.keys(entry?.after[object])).toEqual(['maxCostWei']);
  });

  test('has at most 8 KB of a state, and says of longer values that they changed', async () => {
    const service = await startManagement();
    const { owned } = await newPaymaster(service.management);
    const senders = (first: number) =>
      Array.from({ length: 60 }, (_, index) => getAddress(`0x${(first + index).toString(16).padStart(40, '0')}`));
    const set = (first: number) =>
      service.management.setPolicy({
        ...owned,
        policy: {
          ...defaultPolicy,
          maxCostWei: BigInt(first),
          allowedSenders: senders(first),
          blockedSenders: senders(first + 100),
          tokens: { enabled: true, allowed: senders(first + 200) },
        },
      });
    accepted(await set(1_000));
    accepted(await set(2_000));
    const entry = (await readLog(service)).at(-1);
    for (const state of [entry?.state_before, entry?.state_after]) {
      expect(Buffer.byteLength(state ?? '')).toBeLessThan(8_192);
      expect(state).toMatch(/"allowedSenders":"\d+ bytes, SHA-256 /);
    }
    expect(entry?.before[`policy ${owned.paymasterId}`].maxCostWei).toBe('1000');
  });

  test('is there of no change that was refused, that failed, or that was none', async () => {
    const service = await startManagement();
    const { owned } = await newPaymaster(service.management);
    const { management } = service;
    const policy = { ...defaultPolicy, maxCostWei: 7n };
    accepted(await management.setPolicy({ ...owned, policy }));
    const before = await readLog(service);
    accepted(await management.setPolicy({ ...owned, policy }));
    expect((await management.deleteWebhook({ ...owned, webhookId: 'none' })).ok).toBe(false);
    expect(
      (await management.createPaymaster({ ...owned, name: 'Shop', type: 'HYBRID', chainId: 1337, version: '2.0.0' }))
        .ok,
    ).toBe(false);
    expect(await readLog(service)).toEqual(before);
  });

  test('is never changed, and never deleted', async () => {
    const service = await startManagement();
    await newAccount(service.management);
    const { store } = service;
    const change = store.transaction((trx) => trx.updateTable('audit_log').set({ operation: 'nothing' }).execute());
    await expect(change).rejects.toThrow('the audit log is never changed');
    const remove = store.transaction((trx) => trx.deleteFrom('audit_log').execute());
    await expect(remove).rejects.toThrow('the audit log is only pruned');
    expect(await readLog(service)).toHaveLength(1);
  });
});

test('a page has what was asked for, of one account alone, and goes on where it ended', async () => {
  const { management } = await startManagement();
  const { owned } = await newPaymaster(management);
  const { accountId, paymasterId } = owned;
  await newAccount(management, 'Eve');
  accepted(await management.setPolicy({ ...owned, policy: { ...defaultPolicy, maxCostWei: 7n } }));
  const { record } = accepted(await actAs(operator, () => management.createAuthToken({ accountId, name: 'ci' })));
  const list = async (filter: AuditLogFilter, page: { readonly cursor?: string; readonly limit?: number } = {}) =>
    accepted(await management.listAuditLog({ accountId, filter, ...page }));
  const operationsOf = async (filter: AuditLogFilter) => (await list(filter)).entries.map(({ operation }) => operation);
  expect(await operationsOf({})).toEqual(['issueAuthToken', 'setPolicy', 'createPaymaster', 'createAccount']);
  expect(await operationsOf({ who: 'operator' })).toEqual(['issueAuthToken']);
  expect(await operationsOf({ operation: 'setPolicy' })).toEqual(['setPolicy']);
  expect(await operationsOf({ object: paymasterId })).toEqual(['setPolicy', 'createPaymaster']);
  expect(await operationsOf({ object: record.authTokenId })).toEqual(['issueAuthToken']);
  expect(await operationsOf({ object: '%' })).toEqual([]);
  expect(await operationsOf({ until: startTime })).toEqual([]);
  expect(await operationsOf({ from: startTime })).toHaveLength(4);
  const first = await list({}, { limit: 3 });
  const rest = await list({}, { cursor: first.nextCursor ?? '', limit: 3 });
  expect([...first.entries, ...rest.entries]).toEqual((await list({})).entries);
  expect(rest.nextCursor).toBeUndefined();
  expect((await management.listAuditLog({ accountId, filter: {}, cursor: '-1' })).ok).toBe(false);
});

test('a page has fewer entries where they are long', async () => {
  const { management } = await startManagement();
  const { owned } = await newPaymaster(management);
  const { accountId } = owned;
  const senders = (first: number) =>
    Array.from({ length: 80 }, (_, index) => getAddress(`0x${(first + index).toString(16).padStart(40, '0')}`));
  for (let change = 0; change < 70; change += 1) {
    const policy = { ...defaultPolicy, allowedSenders: senders(change + 1), blockedSenders: senders(change + 1_000) };
    accepted(await management.setPolicy({ ...owned, policy }));
  }
  const sizes: number[] = [];
  const changes: string[] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const filter = { operation: 'setPolicy' };
    const page = accepted(await management.listAuditLog({ accountId, filter, limit: 200, ...omitAbsent({ cursor }) }));
    cursor = page.nextCursor;
    changes.push(...page.entries.map(({ entryId }) => entryId));
    sizes.push(page.entries.reduce((sum, { beforeJson, afterJson }) => sum + beforeJson.length + afterJson.length, 0));
  }
  expect(new Set(changes).size).toBe(70);
  expect(sizes.length).toBeGreaterThan(1);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(400_000);
});

test('what is older than is kept is pruned, and nothing else goes', async () => {
  const { management, store, clock } = await startManagement();
  await newAccount(management);
  clock.advance(86_400);
  await newAccount(management, 'Eve');
  const before = startTime + 1;
  while (!(await pruneAuditLog(store, before)));
  const left = await store.db.selectFrom('audit_log').select('changed_at').execute();
  expect(left).toEqual([{ changed_at: startTime + 86_400 }]);
  const remove = store.transaction((trx) => trx.deleteFrom('audit_log').execute());
  await expect(remove).rejects.toThrow('the audit log is only pruned');
});

describe('a change that was accepted before', () => {
  test.each([
    ['the authToken was revoked', 'revoke', 'UNAUTHENTICATED'],
    ['the authToken has expired', 'expire', 'UNAUTHENTICATED'],
    ['the account was suspended', 'suspend', 'UNAUTHENTICATED'],
    ['the authToken lacks the scope', 'lack', 'SCOPE_MISSING'],
    ['it is about another account', 'elsewhere', 'UNAUTHENTICATED'],
  ] as const)('is none where %s', async (_, how, reason) => {
    const service = await startManagement();
    const { management, clock } = service;
    const { owned } = await newPaymaster(management);
    const accountId = how === 'elsewhere' ? await newAccount(management, 'Eve') : owned.accountId;
    const expiresAt = Math.floor(clock.now() / 1_000) + 60;
    const scopes = how === 'lack' ? ['read', 'funds'] : ['read', 'manage', 'funds'];
    const { record } = accepted(await management.createAuthToken({ accountId, name: 'ci', expiresAt, scopes }));
    const { authTokenId } = record;
    if (how === 'revoke') await management.revokeAuthToken({ accountId, authTokenId });
    if (how === 'expire') clock.advance(60);
    if (how === 'suspend') await management.suspendAccount({ accountId, suspended: true });
    const before = await readLog(service);
    const actor: Actor = { kind: 'auth-token', accountId, credentialId: authTokenId };
    const policy = { ...defaultPolicy, maxCostWei: 7n };
    const answer = await actAs(actor, () => management.setPolicy({ ...owned, policy }));
    expect(answer).toMatchObject({ ok: false, refusal: { reason } });
    expect(await readLog(service)).toEqual(before);
    expect(accepted(await management.readPolicy(owned))).toMatchObject(defaultPolicy);
  });

  test('is none of the operator’s with the credential of an account', async () => {
    const service = await startManagement();
    const accountId = await newAccount(service.management);
    const { record } = accepted(await service.management.createAuthToken({ accountId, name: 'ci' }));
    const actor: Actor = { kind: 'auth-token', accountId, credentialId: record.authTokenId };
    const answer = await actAs(actor, () => service.management.linkWallet({ accountId, wallet: contract }));
    expect(answer).toMatchObject({ ok: false, refusal: { reason: 'UNAUTHENTICATED' } });
  });
});

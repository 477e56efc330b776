import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import type { Owned } from '../../core/domain/access/actor.ts';
import { defaultPolicy } from '../../core/domain/policy.ts';
import type { Result } from '../../core/domain/result/result.ts';
import type { Management } from '../../core/management/create-management.ts';
import { accepted, newPaymaster, startManagement } from '../support/core/start-management.ts';

const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const unknownId = '00000000-0000-4000-8000-000000000000';
const abi = '[{"type":"function","name":"f","inputs":[],"outputs":[],"stateMutability":"payable"}]';
const head = { name: 'Players', enabled: true };
const wallet = privateKeyToAccount(generatePrivateKey());

/** What one tenant has: a contract, a webhook with its secret, a named policy, and a funding message. */
type Tenant = { owned: Owned; webhookId: string; policyId: string; signature: string };

async function newTenant(management: Management): Promise<Tenant> {
  const { owned } = await newPaymaster(management);
  accepted(await management.registerSmartContract({ ...owned, name: 'C', address, abi, whitelistedMethods: ['f'] }));
  const webhook = { ...owned, webhookUrl: 'http://127.0.0.1:9/', requestType: 'GET' };
  const { webhookId } = accepted(await management.createWebhook(webhook));
  accepted(await management.setPolicy({ ...owned, policy: { ...defaultPolicy, sponsorAllCalls: true } }));
  const { policyId } = accepted(await management.createPolicy({ ...owned, head, policy: defaultPolicy }));
  const { fundingMessage } = accepted(await management.createFundingMessage(owned));
  return { owned, webhookId, policyId, signature: await wallet.signMessage({ message: fundingMessage }) };
}

async function stateOf(management: Management, { owned, webhookId }: Tenant): Promise<unknown> {
  return {
    paymasters: accepted(await management.listPaymasters(owned)),
    apiKeys: accepted(await management.listApiKeys(owned)),
    ticketKeys: accepted(await management.listTicketKeys(owned)),
    contracts: accepted(await management.listSmartContracts(owned)),
    webhooks: accepted(await management.listWebhooks(owned)),
    policy: accepted(await management.readPolicy(owned)),
    policies: accepted(await management.listPolicies(owned)),
    secret: accepted(await management.readWebhookSecret({ ...owned, webhookId })),
  };
}

/** Every call on what belongs to a paymaster, made in the name of `owned` for the things of `tenant`. */
const calls: [string, (management: Management, owned: Owned, tenant: Tenant) => Promise<Result<unknown>>][] = [
  ['listApiKeys', (management, owned) => management.listApiKeys(owned)],
  ['rotateApiKey', (management, owned) => management.rotateApiKey({ ...owned, graceSeconds: 0 })],
  ['endApiKey', (management, owned) => management.endApiKey({ ...owned, apiKeyId: unknownId })],
  ['createTicketKey', (management, owned) => management.createTicketKey({ ...owned, name: 'k', kind: 'HS256' })],
  ['listTicketKeys', (management, owned) => management.listTicketKeys(owned)],
  ['deleteTicketKey', (management, owned) => management.deleteTicketKey({ ...owned, ticketKeyId: unknownId })],
  [
    'registerSmartContract',
    (management, owned) => management.registerSmartContract({ ...owned, name: 'D', address, abi }),
  ],
  ['listSmartContracts', (management, owned) => management.listSmartContracts(owned)],
  [
    'updateSmartContract',
    (management, owned) => management.updateSmartContract({ ...owned, address, whitelistedMethods: [] }),
  ],
  ['deleteSmartContract', (management, owned) => management.deleteSmartContract({ ...owned, address })],
  [
    'createWebhook',
    (management, owned) => management.createWebhook({ ...owned, webhookUrl: 'http://127.0.0.1/', requestType: 'GET' }),
  ],
  ['listWebhooks', (management, owned) => management.listWebhooks(owned)],
  ['listWebhooks by id', (management, owned, { webhookId }) => management.listWebhooks({ ...owned, webhookId })],
  [
    'updateWebhook',
    (management, owned, { webhookId }) => management.updateWebhook({ ...owned, webhookId, active: false }),
  ],
  ['deleteWebhook', (management, owned, { webhookId }) => management.deleteWebhook({ ...owned, webhookId })],
  ['readWebhookSecret', (management, owned, { webhookId }) => management.readWebhookSecret({ ...owned, webhookId })],
  [
    'rotateWebhookSecret',
    (management, owned, { webhookId }) => management.rotateWebhookSecret({ ...owned, webhookId }),
  ],
  ['readPolicy', (management, owned) => management.readPolicy(owned)],
  ['setPolicy', (management, owned) => management.setPolicy({ ...owned, policy: defaultPolicy })],
  ['previewPolicy', (management, owned) => management.previewPolicy({ ...owned, policy: defaultPolicy })],
  ['createPolicy', (management, owned) => management.createPolicy({ ...owned, head, policy: defaultPolicy })],
  ['listPolicies', (management, owned) => management.listPolicies(owned)],
  ['readNamedPolicy', (management, owned, { policyId }) => management.readNamedPolicy({ ...owned, policyId })],
  [
    'replacePolicy',
    (management, owned, { policyId }) => management.replacePolicy({ ...owned, policyId, head, policy: defaultPolicy }),
  ],
  ['deletePolicy', (management, owned, { policyId }) => management.deletePolicy({ ...owned, policyId })],
  ['createFundingMessage', (management, owned) => management.createFundingMessage(owned)],
  [
    'setFundingWallet',
    (management, owned, { signature }) => management.setFundingWallet({ ...owned, signature, address: wallet.address }),
  ],
];

describe("another account's paymaster", () => {
  test.each(calls)('%s answers as for one that does not exist, and changes nothing', async (_, call) => {
    const { management } = await startManagement();
    const victim = await newTenant(management);
    const intruder = await newTenant(management);
    const before = await stateOf(management, victim);
    const foreign = await call(management, { ...intruder.owned, paymasterId: victim.owned.paymasterId }, victim);
    const unknown = await call(management, { ...intruder.owned, paymasterId: unknownId }, victim);
    const stranger = await call(management, { accountId: unknownId, paymasterId: victim.owned.paymasterId }, victim);
    const notFound = { ok: false, refusal: { reason: 'PAYMASTER_NOT_FOUND', message: 'Paymaster not found' } };
    expect([foreign, unknown, stranger]).toEqual([notFound, notFound, notFound]);
    expect(await stateOf(management, victim)).toEqual(before);
    const own = { ...victim.owned, signature: victim.signature, address: wallet.address };
    expect((await management.setFundingWallet(own)).ok, 'nor its funding message').toBe(true);
  });
});

describe("another paymaster's webhook under one's own paymaster", () => {
  const byId = calls.filter(([name]) => /webhook/i.test(name) && name !== 'createWebhook' && name !== 'listWebhooks');

  test.each(byId)('%s answers as for one that does not exist, and changes nothing', async (_, call) => {
    const { management } = await startManagement();
    const victim = await newTenant(management);
    const intruder = await newTenant(management);
    const before = await stateOf(management, victim);
    const foreign = await call(management, intruder.owned, victim);
    const unknown = await call(management, intruder.owned, { ...victim, webhookId: unknownId });
    expect(foreign).toEqual(unknown);
    expect(foreign.ok ? foreign.value : foreign.refusal.reason).toEqual(foreign.ok ? [] : 'WEBHOOK_NOT_FOUND');
    expect(await stateOf(management, victim)).toEqual(before);
  });
});

test('each account lists its own webhooks only, page by page, and those of one paymaster', async () => {
  const { management } = await startManagement();
  const first = await newTenant(management);
  const second = await newTenant(management);
  const { accountId } = first.owned;
  const other = accepted(
    await management.createPaymaster({ accountId, name: 'Other', type: 'HYBRID', chainId: 1337, version: '2.0.0' }),
  );
  const input = { accountId, paymasterId: other.paymasterId, webhookUrl: 'http://127.0.0.1:9/', requestType: 'GET' };
  const { webhookId } = accepted(await management.createWebhook(input));
  const idsOf = async (more: object) => {
    const { webhooks, nextCursor } = accepted(await management.listAccountWebhooks({ accountId, ...more }));
    return { ids: webhooks.map((webhook) => [webhook.paymasterId, webhook.webhookId]), nextCursor };
  };
  const own = [first.owned.paymasterId, first.webhookId];
  const others = [other.paymasterId, webhookId];
  expect(await idsOf({})).toEqual({ ids: [own, others], nextCursor: undefined });
  const { ids, nextCursor } = await idsOf({ limit: 1 });
  expect([ids, await idsOf({ limit: 1, cursor: nextCursor })]).toEqual([
    [own],
    { ids: [others], nextCursor: undefined },
  ]);
  expect(await idsOf({ paymasterId: other.paymasterId })).toEqual({ ids: [others], nextCursor: undefined });
  const foreign = await management.listAccountWebhooks({ accountId, paymasterId: second.owned.paymasterId });
  expect(foreign.ok ? undefined : foreign.refusal.reason).toBe('PAYMASTER_NOT_FOUND');
});

test('each account lists its own paymasters only', async () => {
  const { management } = await startManagement();
  const first = await newPaymaster(management);
  const second = await newPaymaster(management);
  expect(accepted(await management.listPaymasters(first.owned))).toEqual([first.paymaster]);
  expect(accepted(await management.listPaymasters(second.owned))).toEqual([second.paymaster]);
  expect(accepted(await management.listPaymasters({ accountId: unknownId }))).toEqual([]);
});

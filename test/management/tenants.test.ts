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

/** Operations on what belongs to a paymaster. */
type OfPaymaster = {
  [Name in keyof Management]: Parameters<Management[Name]> extends readonly [Owned] ? Name : never;
}[keyof Management];
type Inputs = {
  readonly [Name in OfPaymaster]: (tenant: Tenant) => Omit<Parameters<Management[Name]>[0], keyof Owned>;
};

const policy = defaultPolicy;
const nothing = () => ({});
const ofWebhook = ({ webhookId }: Tenant) => ({ webhookId });
const ofNotification = () => ({ notificationId: unknownId });
const ofPolicy = ({ policyId }: Tenant) => ({ policyId });

/** What each operation is given for the things of a tenant. The type asks for every operation. */
const inputs: Inputs = {
  updatePaymaster: () => ({ name: 'Other' }),
  retirePaymaster: () => ({ name: 'Kiosk' }),
  listApiKeys: nothing,
  createApiKey: () => ({ name: 'k' }),
  updateApiKey: () => ({ apiKeyId: unknownId, disabled: true }),
  rotateApiKey: () => ({ graceSeconds: 0 }),
  endApiKey: () => ({ apiKeyId: unknownId }),
  createTicketKey: () => ({ name: 'k', kind: 'HS256' }),
  listTicketKeys: nothing,
  deleteTicketKey: () => ({ ticketKeyId: unknownId }),
  registerSmartContract: () => ({ name: 'D', address, abi }),
  listSmartContracts: nothing,
  updateSmartContract: () => ({ address, whitelistedMethods: [] }),
  deleteSmartContract: () => ({ address }),
  createWebhook: () => ({ webhookUrl: 'http://127.0.0.1/', requestType: 'GET' }),
  listWebhooks: ofWebhook,
  updateWebhook: ({ webhookId }) => ({ webhookId, active: false }),
  deleteWebhook: ofWebhook,
  readWebhookSecret: ofWebhook,
  rotateWebhookSecret: ofWebhook,
  createNotification: () => ({ url: 'http://127.0.0.1/', events: ['operation.failed'] }),
  listNotifications: nothing,
  updateNotification: ofNotification,
  deleteNotification: ofNotification,
  readNotificationSecret: ofNotification,
  rotateNotificationSecret: ofNotification,
  listNotificationDeliveries: () => ({ filter: {} }),
  redeliverNotification: () => ({ deliveryId: unknownId }),
  sendTestNotification: ofNotification,
  readPolicy: nothing,
  setPolicy: () => ({ policy }),
  previewPolicy: () => ({ policy }),
  readPolicyUse: ofPolicy,
  createPolicy: () => ({ head, policy }),
  listPolicies: nothing,
  readNamedPolicy: ofPolicy,
  replacePolicy: ({ policyId }) => ({ policyId, head, policy }),
  deletePolicy: ofPolicy,
  createFundingMessage: nothing,
  setFundingWallet: ({ signature }) => ({ signature, address: wallet.address }),
};
const names = Object.keys(inputs) as OfPaymaster[]; // its own keys

/** An operation, called in the name of `owned` for the things of `tenant`. */
function call(management: Management, name: OfPaymaster, owned: Owned, tenant: Tenant): Promise<Result<unknown>> {
  const perform = management[name] as (input: object) => Promise<Result<unknown>>; // its own input
  return perform({ ...owned, ...inputs[name](tenant) });
}

describe("another account's paymaster", () => {
  test.each(names)('%s answers as for one that does not exist, and changes nothing', async (name) => {
    const { management } = await startManagement();
    const victim = await newTenant(management);
    const intruder = await newTenant(management);
    const before = await stateOf(management, victim);
    const foreign = await call(management, name, { ...intruder.owned, paymasterId: victim.owned.paymasterId }, victim);
    const unknown = await call(management, name, { ...intruder.owned, paymasterId: unknownId }, victim);
    const stranger = await call(
      management,
      name,
      { accountId: unknownId, paymasterId: victim.owned.paymasterId },
      victim,
    );
    const notFound = { ok: false, refusal: { reason: 'PAYMASTER_NOT_FOUND', message: 'Paymaster not found' } };
    expect([foreign, unknown, stranger]).toEqual([notFound, notFound, notFound]);
    expect(await stateOf(management, victim)).toEqual(before);
    const own = { ...victim.owned, signature: victim.signature, address: wallet.address };
    expect((await management.setFundingWallet(own)).ok, 'nor its funding message').toBe(true);
  });
});

describe("another paymaster's webhook under one's own paymaster", () => {
  const byId = names.filter((name) => /webhook/i.test(name) && name !== 'createWebhook');

  test.each(byId)('%s answers as for one that does not exist, and changes nothing', async (name) => {
    const { management } = await startManagement();
    const victim = await newTenant(management);
    const intruder = await newTenant(management);
    const before = await stateOf(management, victim);
    const foreign = await call(management, name, intruder.owned, victim);
    const unknown = await call(management, name, intruder.owned, { ...victim, webhookId: unknownId });
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

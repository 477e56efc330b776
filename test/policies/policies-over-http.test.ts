import { createPimlicoClient } from 'permissionless/clients/pimlico';
import { http } from 'viem';
import { createPaymasterClient, type UserOperation } from 'viem/account-abstraction';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createManagementClient, type ManagementClient } from '../../clients/sdk/create-management-client.ts';
import { createSponsorClient } from '../../clients/sdk/create-sponsor-client.ts';
import { accepted } from '../../server/accepted.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

const icon = 'data:image/svg+xml;utf8,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E';
const shown = { name: 'Players', description: 'First moves', author: 'Example Games', icon };

let service: RunningService;
let paymaster: DevPaymaster;
let owned: { readonly accountId: string; readonly paymasterId: string };
let client: ManagementClient;

beforeAll(async () => {
  service = await startService();
  const { accountId, authToken } = await service.issueAccount();
  paymaster = await service.fundedPaymaster(authToken, '0.7');
  owned = { accountId, paymasterId: paymaster.paymasterId };
  client = createManagementClient({ baseUrl: service.url, authToken, apiKey: paymaster.apiKey });
});
afterAll(() => service.close());

const newOperation = () =>
  nextOperation(service.devnet, newSmartAccount('0.7'), [targetCall(service.devnet, 'increment')]);

/** As clients of viem have it before its gas is known. */
async function clientOperation() {
  const sent: Readonly<Record<string, unknown>> = toRpcUserOperation(await newOperation());
  const { sender, nonce, factory, factoryData, callData, maxFeePerGas, maxPriorityFeePerGas, signature } = sent;
  const numbers = {
    nonce: big(nonce),
    maxFeePerGas: big(maxFeePerGas),
    maxPriorityFeePerGas: big(maxPriorityFeePerGas),
  };
  return { ...numbers, sender, factory, factoryData, callData, signature } as UserOperation<'0.7'>;
}
const big = (quantity: unknown) => BigInt(String(quantity));

test('a policy is made, read, replaced, previewed and deleted over the management interface', async () => {
  const created = await client.createPolicy({ ...shown, policy: { maxGasPerOperation: 2_000_000 } });
  expect(created).toMatchObject({ ...shown, enabled: true, policy: { maxGasPerOperation: 2_000_000 } });
  const { policyId } = created;
  expect(await client.listPolicies()).toEqual([created]);
  expect(await client.readNamedPolicy({ policyId })).toEqual(created);
  const operation = await newOperation();
  expect((await askSponsorship(paymaster.rpcUrl, operation, { policyId })).reason).toBeUndefined();
  const preview = await client.previewPolicy({ policyId, policy: { blockedSenders: [operation.sender] } });
  expect(preview.cutOff).toMatchObject([{ sender: operation.sender, reason: 'SENDER_BLOCKED' }]);
  const replaced = await client.replacePolicy({ policyId, name: 'Nobody', enabled: false, policy: {} });
  const { description: _, author: __, icon: ___, etag, ...rest } = created;
  // A named policy has one version, that of the whole.
  const { etag: ____, maxCostPerOperation: _____, ...policy } = await client.readPolicy();
  expect(replaced).toEqual({
    ...rest,
    name: 'Nobody',
    enabled: false,
    updatedAt: replaced.updatedAt,
    policy,
    etag: expect.not.stringMatching(etag ?? ''),
  });
  await client.deletePolicy({ policyId });
  expect(await client.listPolicies()).toEqual([]);
  await expect(client.readNamedPolicy({ policyId })).rejects.toMatchObject({
    status: 404,
    message: 'Policy not found',
  });
});

test.each([
  [{ name: 7 }, 'name must be a string'],
  [{ name: 'a', icon: 'https://logo.example' }, 'icon must be a data URI of an image with at most 16384 characters'],
  [{ name: 'a', enabled: 'yes' }, 'enabled must be a boolean value'],
  [{ name: 'a', policy: { limit: [] } }, 'policy.limit is not known. Did you mean policy.limits?'],
])('a policy that is sent as %j is refused with its field', async (body, message) => {
  const request = client.createPolicy({ policy: {}, ...body } as never);
  await expect(request).rejects.toMatchObject({ status: 400, message });
});

test('Pimlico’s client learns which policies would sponsor an operation, and nothing is left behind', async () => {
  const open = await client.createPolicy({ ...shown, policy: {} });
  const plain = await client.createPolicy({ name: 'Plain', policy: {} });
  const shut = await client.createPolicy({ name: 'Shut', policy: { allowedSenders: [] } });
  const never = { per: 'TOTAL', window: 'EVER', unit: 'OPERATIONS', max: '0' } as const;
  const used = await client.createPolicy({ name: 'Used up', policy: { limits: [never] } });
  const closed = await client.createPolicy({ name: 'Closed', enabled: false, policy: {} });
  const ticketed = await client.createPolicy({ name: 'With tickets', policy: { requireTicket: true } });
  const before = accepted(await service.core.listDecisions({ ...owned, filter: {} }));
  const held = async () => accepted(await service.core.readGasTank(owned)).held;
  const heldBefore = await held();
  const pimlico = createPimlicoClient({
    chain: service.devnet.client.chain,
    entryPoint: { address: paymaster.entryPoint, version: '0.7' },
    transport: http(paymaster.rpcUrl, { retryCount: 0 }),
  });
  const operation = await clientOperation();
  const sponsorshipPolicyIds = [ticketed, open, shut, plain, used, closed].map(({ policyId }) => policyId);
  const asked = { userOperation: operation, sponsorshipPolicyIds: [...sponsorshipPolicyIds, 'sp_other'] };
  expect(await pimlico.validateSponsorshipPolicies(asked)).toEqual([
    { sponsorshipPolicyId: open.policyId, data: shown },
    {
      sponsorshipPolicyId: plain.policyId,
      data: { name: 'Plain', author: paymaster.name, icon: null, description: null },
    },
  ]);
  const sponsor = createSponsorClient({ url: paymaster.rpcUrl });
  const validated = await sponsor.validateSponsorshipPolicies({
    userOperation: operation,
    entryPointAddress: paymaster.entryPoint,
    sponsorshipPolicyIds,
  });
  expect(validated.map(({ data }) => data.name)).toEqual([shown.name, 'Plain']);
  expect(accepted(await service.core.listDecisions({ ...owned, filter: {} }))).toEqual(before);
  expect(await held()).toBe(heldBefore);
  const many = Array.from({ length: 11 }, (_, index) => `sp_${index}`);
  const params = [toRpcUserOperation(await newOperation()), paymaster.entryPoint, many];
  expect((await askRpc(paymaster.rpcUrl, 'pm_validateSponsorshipPolicies', params)).code).toBe(-32602);
  // An id of another provider is signed for under the default policy, so it is valid.
  const { etag: _, ...defaultPolicy } = await client.readPolicy();
  await client.setPolicy({ policy: { ...defaultPolicy, ignoreForeignPolicyIds: true } });
  const foreign = ['sp_my_wallet', open.policyId];
  expect((await pimlico.validateSponsorshipPolicies({ ...asked, sponsorshipPolicyIds: foreign })).slice(0, 1)).toEqual([
    {
      sponsorshipPolicyId: 'sp_my_wallet',
      data: { name: 'Default policy', author: paymaster.name, icon: null, description: null },
    },
  ]);
  await client.deletePolicy({ policyId: plain.policyId });
  const deleted = [plain.policyId];
  expect(await pimlico.validateSponsorshipPolicies({ ...asked, sponsorshipPolicyIds: deleted })).toEqual([]);
  await client.setPolicy({ policy: defaultPolicy });
});

test('the stub names who sponsors, with the picture of the policy', async () => {
  const { policyId } = await client.createPolicy({ ...shown, name: 'With a picture', policy: {} });
  const bare = await client.createPolicy({ name: 'Without', policy: {} });
  const paymasterClient = createPaymasterClient({ transport: http(paymaster.rpcUrl, { retryCount: 0 }) });
  const sponsorOf = async (context: unknown) => {
    const operation = await clientOperation();
    const stub = await paymasterClient.getPaymasterStubData({
      ...operation,
      chainId: service.devnet.chainId,
      context,
      entryPointAddress: paymaster.entryPoint,
    });
    return stub.sponsor;
  };
  expect(await sponsorOf({ policyId })).toEqual({ name: shown.author, icon });
  expect(await sponsorOf({ policyId: bare.policyId })).toEqual({ name: paymaster.name });
  expect(await sponsorOf(undefined)).toEqual({ name: paymaster.name });
});

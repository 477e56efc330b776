import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DevPaymaster } from '../../clients/cli/dev/dev-file.ts';
import { createManagementClient, type ManagementClient } from '../../clients/sdk/create-management-client.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

const icon = 'data:image/svg+xml;utf8,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E';
const shown = { name: 'Players', description: 'First moves', author: 'Example Games', icon };

let service: RunningService;
let paymaster: DevPaymaster;
let client: ManagementClient;

beforeAll(async () => {
  service = await startService();
  const { authToken } = await service.issueAccount();
  paymaster = await service.fundedPaymaster(authToken, '0.7');
  client = createManagementClient({ baseUrl: service.url, authToken, apiKey: paymaster.apiKey });
});
afterAll(() => service.close());

const newOperation = () =>
  nextOperation(service.devnet, newSmartAccount('0.7'), [targetCall(service.devnet, 'increment')]);

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
  const { description: _, author: __, icon: ___, ...rest } = created;
  expect(replaced).toEqual({
    ...{ ...rest, name: 'Nobody', enabled: false, updatedAt: replaced.updatedAt },
    policy: await client.readPolicy(),
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
  [{ name: 'a', policy: { limit: [] } }, 'policy.limit is not known'],
])('a policy that is sent as %j is refused with its field', async (body, message) => {
  const request = client.createPolicy({ policy: {}, ...body } as never);
  await expect(request).rejects.toMatchObject({ status: 400, message });
});

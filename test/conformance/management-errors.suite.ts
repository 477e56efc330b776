import { beforeEach, describe, expect, test } from 'vitest';
import { unknownAuthToken } from '../support/interface/auth-token-form.ts';
import { type ManagementCall, type ManagementError, managementCalls } from '../support/interface/management-calls.ts';
import { sampleAddress, sampleContract } from '../support/interface/sample-contract.ts';
import type { HttpAnswer } from '../support/interface/send-http.ts';
import { callManagement, dataOf, newTenant, type Tenant } from '../support/interface/tenant.ts';
import type { RunningService } from '../support/service/running-service.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';
const unknownKey = 'abcdefghi.00000000-0000-4000-8000-000000000000';

function expectError(answer: HttpAnswer, [status, statusCode, message]: ManagementError): void {
  expect([answer.status, answer.json]).toEqual([status, { statusCode, message }]);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
}

/** Section 7 of the interface: every row with exact HTTP status, `statusCode` and message. */
export function describeManagementErrors(service: () => RunningService): void {
  let tenant: Tenant;
  beforeEach(async () => {
    tenant = await newTenant(service());
  });
  const target = () => ({ paymasterId: tenant.paymasterId, webhookId: unknownId });
  const sendAs = (call: ManagementCall, headers: Readonly<Record<string, string>>) => {
    const json = call.body?.(target());
    const request = { headers, json };
    return callManagement(service(), call.method, call.path(target()), request);
  };
  const send = (method: string, path: string, json: unknown) =>
    callManagement(service(), method, path, { headers: tenant.headers, json });
  const create = (fields: object) =>
    send('POST', '/paymaster', { name: 'a', type: 'HYBRID', chainId: 31_337, version: '2.0.0', ...fields });

  describe.each(managementCalls)('7 $name', (call) => {
    test('answers its 401 text when the headers are missing', async () => {
      expectError(await sendAs(call, {}), call.missing);
      expectError(await sendAs(call, { apiKey: tenant.apiKey }), call.missing);
      expectError(await sendAs(call, { ...tenant.headers, authToken: '' }), call.missing);
      if (!call.takesApiKey) return;
      expectError(await sendAs(call, { authToken: tenant.authToken }), call.missing);
      expectError(await sendAs(call, { ...tenant.headers, apiKey: '' }), call.missing);
    });

    test('answers an authToken that is not accepted as the interface says', async () => {
      for (const authToken of [unknownAuthToken, `${tenant.authToken}a`, 'nonsense', tenant.apiKey]) {
        expectError(await sendAs(call, { ...tenant.headers, authToken }), call.wrongAuthToken);
      }
    });

    // The paymaster list and creation take none.
    if (!call.takesApiKey) return;
    test('answers an apiKey that is not accepted as the interface says', async () => {
      const stranger = await newTenant(service());
      for (const apiKey of [unknownKey, stranger.apiKey, tenant.apiKey.toUpperCase(), tenant.authToken]) {
        expectError(await sendAs(call, { ...tenant.headers, apiKey }), call.wrongApiKey);
      }
    });
  });

  test('7 webhook update: active that is not a boolean is 400', async () => {
    const expected = [400, 400, 'active must be a boolean value'] as const;
    for (const active of ['true', 1, null, undefined]) {
      expectError(await send('PATCH', '/webhook', { webhookId: unknownId, active }), expected);
    }
  });

  test('7 webhook update and delete: an unknown webhookId is 404', async () => {
    const expected = [404, 404, 'Webhook not found'] as const;
    for (const webhookId of [unknownId, 'nonsense', '']) {
      expectError(await send('PATCH', '/webhook', { webhookId, active: true }), expected);
      expectError(await send('DELETE', '/webhook', { webhookId }), expected);
    }
  });

  test('7 webhook delete: a webhookId that is not a string is 400', async () => {
    const expected = [400, 400, 'webhookId must be a string'] as const;
    for (const webhookId of [1, null, undefined, [unknownId]]) {
      expectError(await send('DELETE', '/webhook', { webhookId }), expected);
    }
  });

  test('7 paymaster create: a name in use is 400', async () => {
    expectError(await create({ name: tenant.name }), [400, 400, 'paymaster_name_exists']);
  });

  test('7 paymaster create: a chain that is not supported is 400', async () => {
    expectError(await create({ chainId: 999_999 }), [400, 400, 'Chain ID not supported']);
  });

  test('7 smart contract create: an address in use is 400, in any spelling', async () => {
    dataOf(await send('POST', '/smart-contract', sampleContract));
    for (const address of [sampleAddress, sampleAddress.toLowerCase()]) {
      const answer = await send('POST', '/smart-contract', { ...sampleContract, name: 'another', address });
      expectError(answer, [400, 400, 'Smart contract address already exists']);
    }
  });

  test('7 smart contract update: whitelistedMethods that is not an array is 400', async () => {
    dataOf(await send('POST', '/smart-contract', sampleContract));
    for (const whitelistedMethods of ['transfer', null, undefined, { 0: 'transfer' }]) {
      const answer = await send('PATCH', '/smart-contract', { address: sampleAddress, whitelistedMethods });
      expectError(answer, [400, 400, 'whitelistedMethods must be an array']);
    }
  });

  test('7 smart contract update and delete: an address that is not registered is 404 with statusCode 400', async () => {
    const expected = [404, 400, 'Smart contract not found'] as const;
    const body = { address: sampleAddress, whitelistedMethods: [] };
    expectError(await send('PATCH', '/smart-contract', body), expected);
    expectError(await send('DELETE', '/smart-contract', body), expected);
  });
}

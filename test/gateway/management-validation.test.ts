import { describe, expect, test } from 'vitest';
import { maxSignatureLength } from '../../contract/limits.ts';
import { contract, paymasterId } from '../support/gateway/fake-core.ts';
import { bothHeaders, prefix, send, startTestGateway } from '../support/gateway/start-test-gateway.ts';

const paymaster = { name: 'shop', type: 'HYBRID', chainId: 1, version: '1' };
const smartContract = { name: 'token', address: contract.address, abi: '[]' };
const funding = { paymasterId, type: 'paymasterFundingId', signature: '0x', address: contract.address };

function without(body: object, field: string): unknown {
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== field));
}

const requiredFields: [string, string, object, string, string][] = [
  ['POST', '/webhook', { webhookUrl: 'https://a.example', requestType: 'GET' }, 'webhookUrl', 'a string'],
  ['POST', '/webhook', { webhookUrl: 'https://a.example', requestType: 'GET' }, 'requestType', 'a string'],
  ['PATCH', '/webhook', { webhookId: 'a', active: true }, 'webhookId', 'a string'],
  ['PATCH', '/webhook', { webhookId: 'a', active: true }, 'active', 'a boolean value'],
  ['DELETE', '/webhook', { webhookId: 'a' }, 'webhookId', 'a string'],
  ...(['name', 'type', 'version'] as const).map((field): [string, string, object, string, string] => [
    'POST',
    '/paymaster',
    paymaster,
    field,
    'a string',
  ]),
  ['POST', '/paymaster', paymaster, 'chainId', 'a number'],
  ...(['name', 'address', 'abi'] as const).map((field): [string, string, object, string, string] => [
    'POST',
    '/smart-contract',
    smartContract,
    field,
    'a string',
  ]),
  ['PATCH', '/smart-contract', { address: contract.address, whitelistedMethods: [] }, 'address', 'a string'],
  ['PATCH', '/smart-contract', { address: contract.address, whitelistedMethods: [] }, 'whitelistedMethods', 'an array'],
  ['DELETE', '/smart-contract', { address: contract.address }, 'address', 'a string'],
  ...(['paymasterId', 'type', 'signature', 'address'] as const).map(
    (field): [string, string, object, string, string] => ['PATCH', '/paymaster', funding, field, 'a string'],
  ),
];

describe('one text serves a missing field and one of the wrong type', () => {
  test.each(requiredFields)('%s %s %#', async (method, path, body, field, kind) => {
    const { url } = await startTestGateway();
    const expected = [400, { statusCode: 400, message: `${field} must be ${kind}` }];
    for (const json of [without(body, field), { ...body, [field]: null }, { ...body, [field]: { a: 1 } }]) {
      const answer = await send(`${url}${prefix}${path}`, method, { headers: bothHeaders, json });
      expect([answer.status, answer.body]).toStrictEqual(expected);
    }
  });
});

describe('values that no field may have', () => {
  test.each([
    ['POST', '/webhook', { webhookUrl: 'https://a.example', requestType: 'PUT' }, 'requestType must be GET or POST'],
    [
      'POST',
      '/webhook',
      { webhookUrl: 'a'.repeat(2049), requestType: 'GET' },
      'webhookUrl must be at most 2048 characters',
    ],
    ['POST', '/paymaster', { ...paymaster, type: 'OTHER' }, 'type must be HYBRID'],
    ['POST', '/paymaster', { ...paymaster, name: '  ' }, 'name must not be blank'],
    ['POST', '/paymaster', { ...paymaster, name: 'a'.repeat(101) }, 'name must be at most 100 characters'],
    ...[0, -1, 1.5, 2 ** 53, '1'].map(
      (chainId) => ['POST', '/paymaster', { ...paymaster, chainId }, 'chainId must be a number'] as const,
    ),
    ['POST', '/smart-contract', { ...smartContract, address: 'a'.repeat(65) }, 'address must be a valid address'],
    [
      'POST',
      '/smart-contract',
      { ...smartContract, whitelistedMethods: 'mint' },
      'whitelistedMethods must be an array',
    ],
    [
      'POST',
      '/smart-contract',
      { ...smartContract, whitelistedMethods: [1] },
      'whitelistedMethods must be an array of strings',
    ],
    ['PATCH', '/paymaster', { ...funding, type: 'HYBRID' }, 'type must be paymasterFundingId'],
    ['PATCH', '/paymaster', { ...funding, signature: 'a'.repeat(maxSignatureLength + 1) }, 'Invalid signature'],
    ['PATCH', '/webhook', { webhookId: 'a', active: 'true' }, 'active must be a boolean value'],
    ['POST', '/webhook', [], 'Request body must be a JSON object'],
    ['POST', '/webhook', 'text', 'Request body must be a JSON object'],
    ['POST', '/webhook', null, 'Request body must be a JSON object'],
  ] as const)('%s %s %#', async (method, path, json, message) => {
    const { url } = await startTestGateway();
    const answer = await send(`${url}${prefix}${path}`, method, { headers: bothHeaders, json });
    expect([answer.status, answer.body]).toStrictEqual([400, { statusCode: 400, message }]);
  });
});

describe('the first failing field is named, in the order of the interface', () => {
  test.each([
    ['POST', '/webhook', 'webhookUrl must be a string'],
    ['PATCH', '/webhook', 'webhookId must be a string'],
    ['DELETE', '/webhook', 'webhookId must be a string'],
    ['POST', '/paymaster', 'name must be a string'],
    ['POST', '/smart-contract', 'name must be a string'],
    ['PATCH', '/smart-contract', 'address must be a string'],
    ['PATCH', '/paymaster', 'paymasterId must be a string'],
    ['GET', '/webhook', 'webhookId must be a string'],
    ['GET', '/webhook?webhookId=a&webhookId=b', 'webhookId must be a string'],
  ])('%s %s with nothing in it', async (method, path, message) => {
    const { url } = await startTestGateway();
    const answer = await send(`${url}${prefix}${path}`, method, { headers: bothHeaders });
    expect([answer.status, answer.body]).toStrictEqual([400, { statusCode: 400, message }]);
  });
});

describe('webhook list: a body with GET', () => {
  test('is validated when it is there', async () => {
    const { url } = await startTestGateway();
    const list = (json: unknown) => send(`${url}${prefix}/webhook?webhookId=a`, 'GET', { headers: bothHeaders, json });
    expect((await list({ webhookUrl: '' })).status).toBe(200);
    const bad = await list({ webhookUrl: 5 });
    expect([bad.status, bad.body]).toStrictEqual([400, { statusCode: 400, message: 'webhookUrl must be a string' }]);
  });

  test('is not needed', async () => {
    const { url } = await startTestGateway();
    const answer = await send(`${url}${prefix}/webhook?webhookId=a`, 'GET', { headers: bothHeaders });
    expect(answer.status).toBe(200);
  });
});

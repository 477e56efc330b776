import { beforeEach, describe, expect, test } from 'vitest';
import { sampleAddress, sampleContract } from '../support/interface/sample-contract.ts';
import { sendHttp } from '../support/interface/send-http.ts';
import { callManagement, dataOf, newPaymaster, newTenant, type Tenant } from '../support/interface/tenant.ts';
import type { RunningService } from '../support/service/running-service.ts';

const paymaster = { name: 'a', type: 'HYBRID', chainId: 31_337, version: '2.0.0' };
const webhook = { webhookUrl: 'http://127.0.0.1:9/hook', requestType: 'POST' };
const valid = 'must be a valid URL';
const notReachable = 'webhookUrl cannot be reached by the service';
const sharedSelector = JSON.stringify(
  ['collate_propagate_storage(bytes16)', 'burn(uint256)'].map((signature) => {
    const [, name, type] = /^(\w+)\((\w+)\)$/.exec(signature) ?? [];
    const inputs = [{ name: '', type }];
    return { type: 'function', name, inputs, outputs: [], stateMutability: 'nonpayable' };
  }),
);

const refusedValues: readonly (readonly [string, string, object, string])[] = [
  ['POST', '/webhook', { ...webhook, requestType: 'PUT' }, 'requestType must be GET or POST'],
  ['POST', '/webhook', { ...webhook, requestType: 'get' }, 'requestType must be GET or POST'],
  ['POST', '/webhook', { ...webhook, webhookUrl: 'not a url' }, `webhookUrl ${valid}`],
  ['POST', '/webhook', { ...webhook, webhookUrl: '' }, `webhookUrl ${valid}`],
  ['POST', '/webhook', { ...webhook, webhookUrl: 'ftp://127.0.0.1/' }, `webhookUrl ${valid}`],
  ['POST', '/webhook', { ...webhook, webhookUrl: 'http://a:b@127.0.0.1/' }, `webhookUrl ${valid}`],
  ['POST', '/webhook', { ...webhook, webhookUrl: 'https://10.0.0.1/hook' }, notReachable],
  ['POST', '/webhook', { ...webhook, webhookUrl: 'http://169.254.169.254/latest' }, notReachable],
  ['POST', '/paymaster', { ...paymaster, type: 'hybrid' }, 'type must be HYBRID'],
  ['POST', '/paymaster', { ...paymaster, chainId: '31337' }, 'chainId must be a number'],
  ['POST', '/paymaster', { ...paymaster, version: '9.9.9' }, 'Paymaster version not supported'],
  ['POST', '/smart-contract', { ...sampleContract, address: '0x12' }, 'address must be a valid address'],
  [
    'POST',
    '/smart-contract',
    { ...sampleContract, address: sampleAddress.replace('aA', 'AA') },
    'address must be a valid address',
  ],
  ['POST', '/smart-contract', { ...sampleContract, abi: 'not JSON' }, 'abi must be a valid JSON ABI'],
  ['POST', '/smart-contract', { ...sampleContract, abi: '{}' }, 'abi must be a valid JSON ABI'],
  [
    'POST',
    '/smart-contract',
    { ...sampleContract, whitelistedMethods: ['transfer', 'mint', 'owner'] },
    'whitelistedMethods has methods that are not in the ABI: mint, owner',
  ],
  ['PATCH', '/smart-contract', { address: '0x12', whitelistedMethods: [] }, 'address must be a valid address'],
];

/** The first failing field names itself, in the order of the interface, whatever is wrong with the later ones. */
const firstFailing: readonly (readonly [string, string, object, string])[] = [
  ['POST', '/webhook', {}, 'webhookUrl must be a string'],
  ['POST', '/webhook', { webhookUrl: 'not a url' }, `webhookUrl ${valid}`],
  ['POST', '/webhook', { webhookUrl: 'not a url', requestType: 'PUT' }, `webhookUrl ${valid}`],
  ['PATCH', '/webhook', {}, 'webhookId must be a string'],
  ['POST', '/paymaster', {}, 'name must be a string'],
  ['POST', '/paymaster', { name: 'a', type: 5, chainId: 'b' }, 'type must be a string'],
  ['POST', '/paymaster', { name: 'a', type: 'OTHER' }, 'type must be HYBRID'],
  ['POST', '/smart-contract', {}, 'name must be a string'],
  ['POST', '/smart-contract', { name: 'a', address: '0x12' }, 'address must be a valid address'],
  ['POST', '/smart-contract', { name: 'a', address: sampleAddress }, 'abi must be a string'],
  [
    'POST',
    '/smart-contract',
    { ...sampleContract, abi: 'not JSON', whitelistedMethods: 'all' },
    'abi must be a valid JSON ABI',
  ],
  ['PATCH', '/smart-contract', {}, 'address must be a string'],
  ['PATCH', '/smart-contract', { address: '0x12' }, 'address must be a valid address'],
  ['DELETE', '/smart-contract', {}, 'address must be a string'],
  ['PATCH', '/paymaster', {}, 'paymasterId must be a string'],
  ['PATCH', '/paymaster', { paymasterId: 'a', type: 'HYBRID' }, 'type must be paymasterFundingId'],
];

/** Decision 2: how the management interface answers. */
export function describeManagementAnswers(service: () => RunningService): void {
  let tenant: Tenant;
  beforeEach(async () => {
    tenant = await newTenant(service());
  });
  const send = (method: string, path: string, json?: unknown) =>
    callManagement(service(), method, path, { headers: tenant.headers, json });

  describe('decision 2: validation', () => {
    test('401 is decided before the body is looked at', async () => {
      for (const text of ['{"broken', '[]', '']) {
        const answer = await callManagement(service(), 'POST', '/webhook', { text });
        expect(answer.status).toBe(401);
      }
    });

    test.each(refusedValues)('%s %s %j is 400 %s', async (method, path, json, message) => {
      const answer = await send(method, path, json);
      expect([answer.status, answer.json]).toEqual([400, { statusCode: 400, message }]);
    });

    test.each(firstFailing)('the first failing field of %s %s %j answers: %s', async (method, path, json, message) => {
      const answer = await send(method, path, json);
      expect([answer.status, answer.json]).toEqual([400, { statusCode: 400, message }]);
    });

    test('an ABI in which two functions share a selector is refused', async () => {
      const json = { name: 'clash', address: sampleAddress, abi: sharedSelector };
      const answer = await send('POST', '/smart-contract', json);
      expect([answer.status, answer.json]).toEqual([400, { statusCode: 400, message: 'abi must be a valid JSON ABI' }]);
    });
  });

  describe('decision 2: requests that are none', () => {
    test('malformed JSON is 400, too large is 413, both in the envelope', async () => {
      const malformed = await callManagement(service(), 'POST', '/webhook', { headers: tenant.headers, text: '{"a":' });
      expect([malformed.status, malformed.json]).toEqual([
        400,
        { statusCode: 400, message: 'Request body is not valid JSON' },
      ]);
      const large = await send('POST', '/webhook', { ...webhook, more: 'a'.repeat(65_536) });
      expect(large.status).toBe(413);
      expect(large.json).toEqual({ statusCode: 413, message: expect.any(String) });
    });

    test.each([
      ['GET', '/api/v2/public/sdk/nothing', 404],
      ['GET', '/nothing', 404],
      ['PUT', '/api/v2/public/sdk/webhook', 405],
      ['DELETE', '/api/v2/public/sdk/paymaster', 405],
    ])('%s %s is %i in the envelope, never HTML', async (method, path, status) => {
      const answer = await sendHttp(`${service().url}${path}`, { method, headers: tenant.headers });
      expect(answer.status).toBe(status);
      expect(answer.json).toEqual({ statusCode: status, message: expect.any(String) });
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    });

    test('the management side answers no CORS preflight', async () => {
      const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };
      const answer = await sendHttp(`${service().url}/api/v2/public/sdk/webhook`, { method: 'OPTIONS', headers });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    });
  });

  describe('decision 2: names and addresses', () => {
    test('a paymaster name is unique per account, not beyond it', async () => {
      const { authToken } = await service().issueAccount();
      expect(await newPaymaster(service(), authToken, { name: tenant.name })).toMatchObject({ name: tenant.name });
    });

    test('a contract name is unique per paymaster', async () => {
      dataOf(await send('POST', '/smart-contract', sampleContract));
      const twin = { ...sampleContract, address: service().devnet.target.address };
      const answer = await send('POST', '/smart-contract', twin);
      const message = 'Smart contract name already exists';
      expect([answer.status, answer.json]).toEqual([400, { statusCode: 400, message }]);
    });

    test('two paymasters can have the same contract under the same name', async () => {
      dataOf(await send('POST', '/smart-contract', sampleContract));
      const { apiKey } = await newPaymaster(service(), tenant.authToken);
      const request = { headers: { ...tenant.headers, apiKey }, json: sampleContract };
      dataOf(await callManagement(service(), 'POST', '/smart-contract', request));
    });

    test('addresses compare without case and come back checksummed', async () => {
      dataOf(await send('POST', '/smart-contract', { ...sampleContract, address: sampleAddress.toLowerCase() }));
      const upperCase = `0x${sampleAddress.slice(2).toUpperCase()}`;
      const updated = await send('PATCH', '/smart-contract', { address: upperCase, whitelistedMethods: [] });
      expect(dataOf(updated)).toMatchObject({ address: sampleAddress, whitelistedMethods: [] });
      dataOf(await send('DELETE', '/smart-contract', { address: sampleAddress.toLowerCase() }));
    });

    test('a full signature whitelists one overload and is kept as it was given', async () => {
      const whitelistedMethods = ['transfer(address)'];
      dataOf(await send('POST', '/smart-contract', { ...sampleContract, whitelistedMethods }));
      expect(dataOf(await send('GET', '/smart-contract'))).toMatchObject([{ whitelistedMethods }]);
    });
  });

  describe('decision 2: endpoint 2', () => {
    test('a body is validated where there is one', async () => {
      const answer = await send('GET', '/webhook?webhookId=a', { webhookUrl: 5 });
      const message = 'webhookUrl must be a string';
      expect([answer.status, answer.json]).toEqual([400, { statusCode: 400, message }]);
    });

    test('an unknown webhookId gives an empty list', async () => {
      expect(dataOf(await send('GET', '/webhook?webhookId=00000000-0000-4000-8000-000000000000'))).toEqual([]);
    });

    test('the query must have a webhookId', async () => {
      const answer = await send('GET', '/webhook');
      const message = 'webhookId must be a string';
      expect([answer.status, answer.json]).toEqual([400, { statusCode: 400, message }]);
    });
  });
}

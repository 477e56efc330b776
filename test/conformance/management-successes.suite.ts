import { beforeEach, describe, expect, test } from 'vitest';
import { sampleAbi, sampleAddress, sampleContract } from '../support/interface/sample-contract.ts';
import type { HttpAnswer } from '../support/interface/send-http.ts';
import { callManagement, dataOf, newTenant, type Tenant } from '../support/interface/tenant.ts';
import type { RunningService } from '../support/service/running-service.ts';
import { expectFields } from './expect-fields.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const webhookUrl = 'http://127.0.0.1:9/hook';

/** The envelope of a success: these keys, no others. */
function expectEnvelope(answer: HttpAnswer, message: string, data: 'with data' | 'without data'): void {
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.json).toMatchObject({ statusCode: 200, message });
  const keys = data === 'with data' ? ['data', 'message', 'statusCode'] : ['message', 'statusCode'];
  expect(Object.keys(answer.json as object).sort()).toEqual(keys);
}

/** Section 4 of the interface: the success of every call. */
export function describeManagementSuccesses(service: () => RunningService): void {
  let tenant: Tenant;
  beforeEach(async () => {
    tenant = await newTenant(service());
  });
  const send = (method: string, path: string, json?: unknown) =>
    callManagement(service(), method, path, { headers: tenant.headers, json });
  const createWebhook = async (requestType = 'POST') =>
    dataOf(await send('POST', '/webhook', { webhookUrl, requestType })) as { webhookId: string };

  describe('4.1 webhooks', () => {
    test.each(['GET', 'POST'])('1 POST webhook creates one of type %s and answers id, URL and type', async (type) => {
      const answer = await send('POST', '/webhook', { webhookUrl, requestType: type });
      expectEnvelope(answer, 'Webhook created', 'with data');
      const data = dataOf(answer);
      expectFields(
        data,
        { webhookId: 'string', webhookUrl: 'string', requestType: 'string' },
        { active: 'boolean', etag: 'string' },
      );
      expect(data).toMatchObject({ webhookId: expect.stringMatching(uuid), webhookUrl, requestType: type });
    });

    test('2 GET webhook, with webhookId in the query and a body, answers a list with that webhook', async () => {
      const { webhookId } = await createWebhook();
      await createWebhook('GET');
      const answer = await send('GET', `/webhook?webhookId=${webhookId}`, { webhookUrl: '' });
      expectEnvelope(answer, 'Webhook list fetched', 'with data');
      const data = dataOf(answer) as unknown[];
      expect(data).toHaveLength(1);
      expectFields(
        data[0],
        {
          webhookId: 'string',
          webhookUrl: 'string',
          requestType: 'string',
        },
        { active: 'boolean', etag: 'string' },
      );
      expect(data).toMatchObject([{ webhookId, webhookUrl, requestType: 'POST', active: true }]);
    });

    test('2 GET webhook without a body is served too', async () => {
      const { webhookId } = await createWebhook();
      const answer = await send('GET', `/webhook?webhookId=${webhookId}`);
      expect(dataOf(answer)).toMatchObject([{ webhookId, webhookUrl, requestType: 'POST', active: true }]);
    });

    test('3 PATCH webhook sets active and answers without data', async () => {
      const { webhookId } = await createWebhook();
      for (const active of [false, true]) {
        expectEnvelope(await send('PATCH', '/webhook', { webhookId, active }), 'Webhook updated', 'without data');
        const [listed] = dataOf(await send('GET', `/webhook?webhookId=${webhookId}`)) as unknown[];
        expect(listed).toMatchObject({ webhookId, active });
      }
    });

    test('4 DELETE webhook removes it and answers without data', async () => {
      const { webhookId } = await createWebhook();
      expectEnvelope(await send('DELETE', '/webhook', { webhookId }), 'Webhook deleted', 'without data');
      expect(dataOf(await send('GET', `/webhook?webhookId=${webhookId}`))).toEqual([]);
    });
  });

  describe('4.2 paymasters', () => {
    test('5 GET paymaster lists all of the account with the authToken alone', async () => {
      const headers = { authToken: tenant.authToken };
      const answer = await callManagement(service(), 'GET', '/paymaster', { headers });
      expectEnvelope(answer, 'DApp list fetched', 'with data');
      const data = dataOf(answer) as unknown[];
      expectFields(
        data[0],
        { name: 'string', chainId: 'number', apiKey: 'string' },
        { paymasterId: 'string', version: 'string', contract: 'object', etag: 'string' },
      );
      const { name, apiKey, paymasterId } = tenant;
      const { chainId, entryPoints } = service().devnet;
      const contract = { entryPointVersion: '0.7', entryPoint: entryPoints['0.7'] };
      expect(data).toMatchObject([{ name, chainId, apiKey, paymasterId, version: '2.0.0', contract }]);
    });

    test('6 POST paymaster registers one and answers name, chain id and a working apiKey', async () => {
      const json = { name: 'My DApp', type: 'HYBRID', chainId: service().devnet.chainId, version: '1.0.0' };
      const headers = { authToken: tenant.authToken };
      const answer = await callManagement(service(), 'POST', '/paymaster', { headers, json });
      expectEnvelope(answer, 'DApp registered successfully', 'with data');
      const data = dataOf(answer) as { apiKey: string; paymasterId: string };
      expectFields(
        data,
        { name: 'string', chainId: 'number', apiKey: 'string' },
        { paymasterId: 'string', version: 'string', contract: 'object', etag: 'string' },
      );
      expect(data).toMatchObject({ name: 'My DApp', chainId: json.chainId });
      const withKey = { headers: { ...headers, apiKey: data.apiKey } };
      expect(dataOf(await callManagement(service(), 'GET', '/smart-contract', withKey))).toEqual([]);
    });
  });

  describe('4.3 smart contracts', () => {
    const contractFields = {
      name: 'string',
      address: 'string',
      abi: 'string',
      whitelistedMethods: 'string[]',
      methods: 'string[]',
    } as const;

    test('7 POST smart-contract registers one', async () => {
      const answer = await send('POST', '/smart-contract', sampleContract);
      expect(answer.json).toMatchObject({ statusCode: 200, message: 'Smart contract registered successfully' });
      expect(answer.status).toBe(200);
    });

    test('7 whitelistedMethods is optional', async () => {
      const { whitelistedMethods: _, ...plain } = sampleContract;
      dataOf(await send('POST', '/smart-contract', plain));
      expect(dataOf(await send('GET', '/smart-contract'))).toMatchObject([{ whitelistedMethods: [] }]);
    });

    test('8 GET smart-contract lists them with abi as registered and the names of their methods', async () => {
      dataOf(await send('POST', '/smart-contract', sampleContract));
      const answer = await send('GET', '/smart-contract');
      expectEnvelope(answer, 'Smart contract list fetched', 'with data');
      const data = dataOf(answer) as unknown[];
      expectFields(data[0], contractFields, { etag: 'string' });
      expect(data).toMatchObject([{ ...sampleContract, methods: ['transfer', 'buy'] }]);
    });

    test('9 PATCH smart-contract replaces whitelistedMethods and answers the contract', async () => {
      dataOf(await send('POST', '/smart-contract', sampleContract));
      const change = { address: sampleAddress, whitelistedMethods: ['buy'] };
      const answer = await send('PATCH', '/smart-contract', change);
      expectEnvelope(answer, 'Smart contract updated', 'with data');
      const data = dataOf(answer);
      expectFields(data, contractFields, { etag: 'string' });
      const { name } = sampleContract;
      expect(data).toMatchObject({ name, abi: sampleAbi, ...change, methods: ['transfer', 'buy'] });
      expect(dataOf(await send('GET', '/smart-contract'))).toEqual([data]);
    });

    test('10 DELETE smart-contract removes it', async () => {
      dataOf(await send('POST', '/smart-contract', sampleContract));
      const answer = await send('DELETE', '/smart-contract', { address: sampleAddress });
      expect([answer.status, answer.json]).toEqual([200, { statusCode: 200, message: 'Smart contract deleted' }]);
      expect(dataOf(await send('GET', '/smart-contract'))).toEqual([]);
    });
  });
}

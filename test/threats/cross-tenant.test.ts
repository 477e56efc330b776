import { beforeAll, describe, expect, test } from 'vitest';
import { type ManagementCall, managementCalls } from '../support/interface/management-calls.ts';
import { callRpc, newOperation, sponsored } from '../support/interface/rpc-calls.ts';
import { sampleAddress, sampleContract } from '../support/interface/sample-contract.ts';
import { callManagement, dataOf, listEverything, newTenant, type Tenant } from '../support/interface/tenant.ts';
import { useService } from '../support/interface/use-service.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';
const unknownKey = 'abcdefghi.00000000-0000-4000-8000-000000000000';

/** Threat 4: every call, made by one account for the things of another, is answered as if there were no such thing. */
describe('cross-tenant access over HTTP', () => {
  const service = useService();
  let own: Tenant;
  let foreign: Tenant;
  let webhooks: { own: string; foreign: string; deleted: string };

  const createWebhook = async ({ headers }: Tenant) => {
    const json = { webhookUrl: 'http://127.0.0.1:9/hook', requestType: 'POST' };
    const answer = await callManagement(service(), 'POST', '/webhook', { headers, json });
    return (dataOf(answer) as { webhookId: string }).webhookId;
  };
  beforeAll(async () => {
    own = await newTenant(service());
    foreign = await newTenant(service());
    const request = { headers: foreign.headers, json: sampleContract };
    dataOf(await callManagement(service(), 'POST', '/smart-contract', request));
    webhooks = {
      own: await createWebhook(own),
      foreign: await createWebhook(foreign),
      deleted: await createWebhook(own),
    };
    const json = { webhookId: webhooks.deleted };
    dataOf(await callManagement(service(), 'DELETE', '/webhook', { headers: own.headers, json }));
  });

  /** What a stranger sees of a call: status, headers that could tell something, and the exact bytes. */
  const seen = async (call: ManagementCall, headers: Tenant['headers'], target: object) => {
    const named = { paymasterId: own.paymasterId, webhookId: webhooks.own, ...target };
    const json = call.body?.(named);
    const answer = await callManagement(service(), call.method, call.path(named), {
      headers,
      json,
    });
    return { status: answer.status, type: answer.headers['content-type'], text: answer.text };
  };

  describe.each(managementCalls.filter(({ takesApiKey }) => takesApiKey))('$name', (call) => {
    test('with a foreign apiKey is answered as with an unknown one, and changes nothing', async () => {
      const before = await listEverything(service(), foreign);
      const target = { paymasterId: foreign.paymasterId, webhookId: webhooks.foreign };
      const withForeign = await seen(call, { authToken: own.authToken, apiKey: foreign.apiKey }, target);
      const withUnknown = await seen(call, { authToken: own.authToken, apiKey: unknownKey }, target);
      expect(withForeign).toEqual(withUnknown);
      expect([401, 404]).toContain(withForeign.status);
      expect(await listEverything(service(), foreign)).toEqual(before);
    });

    test('with a foreign authToken and the own apiKey is answered as with an unknown pair', async () => {
      const swapped = await seen(call, { authToken: foreign.authToken, apiKey: own.apiKey }, {});
      const unknown = await seen(call, { authToken: foreign.authToken, apiKey: unknownKey }, {});
      expect(swapped).toEqual(unknown);
    });
  });

  const byWebhook = managementCalls.filter(({ name }) => /^webhook (?:get|update|delete)$/.test(name));
  test.each(byWebhook)('$name: a foreign, a deleted and an unknown webhookId are answered alike', async (call) => {
    const before = await listEverything(service(), foreign);
    const answers = [
      await seen(call, own.headers, { webhookId: webhooks.foreign }),
      await seen(call, own.headers, { webhookId: webhooks.deleted }),
      await seen(call, own.headers, { webhookId: unknownId }),
    ];
    expect(answers).toEqual([answers[0], answers[0], answers[0]]);
    expect(await listEverything(service(), foreign)).toEqual(before);
  });

  test.each([
    ['GET', 'secret'],
    ['POST', 'secret'],
    ['POST', 'test'],
    ['GET', 'answers'],
  ])('%s webhook %s: a foreign, a deleted and an unknown id are answered alike', async (method, what) => {
    const answers = [];
    for (const webhookId of [webhooks.foreign, webhooks.deleted, unknownId]) {
      const { headers } = own;
      const { status, text } = await callManagement(service(), method, `/webhook/${webhookId}/${what}`, { headers });
      answers.push({ status, text });
    }
    const notFound = { status: 404, text: '{"statusCode":404,"message":"Webhook not found"}' };
    expect(answers).toEqual([notFound, notFound, notFound]);
  });

  const byPaymaster = managementCalls.filter(({ name }) => name.startsWith('funding'));
  test.each(byPaymaster)('$name: a foreign and an unknown paymasterId are answered alike', async (call) => {
    const toForeign = await seen(call, own.headers, { paymasterId: foreign.paymasterId });
    expect(toForeign).toEqual(await seen(call, own.headers, { paymasterId: unknownId }));
    expect(toForeign.status).toBe(404);
  });

  test('smart contract update and delete: a contract of another account is as unknown as any', async () => {
    const update = managementCalls.filter(({ name }) => /^smart contract (?:update|delete)$/.test(name));
    for (const call of update) {
      const foreignContract = await seen(call, own.headers, {});
      expect([foreignContract.status, foreignContract.text]).toEqual([
        404,
        '{"statusCode":400,"message":"Smart contract not found"}',
      ]);
    }
    expect(
      dataOf(await callManagement(service(), 'GET', '/smart-contract', { headers: foreign.headers })),
    ).toMatchObject([{ address: sampleAddress }]);
  });

  test('paymaster list and create reach the caller’s account only', async () => {
    const name = foreign.name;
    const json = { name, type: 'HYBRID', chainId: service().devnet.chainId, version: '2.0.0' };
    const headers = { authToken: own.authToken };
    dataOf(await callManagement(service(), 'POST', '/paymaster', { headers, json }));
    const listed = dataOf(await callManagement(service(), 'GET', '/paymaster', { headers }));
    expect(JSON.stringify(listed)).not.toContain(foreign.apiKey);
    expect(JSON.stringify(listed)).not.toContain(foreign.paymasterId);
  });

  test('RPC: an unknown key and a key of another chain are answered alike but for the decision’s id', async () => {
    const params = [await newOperation(service().devnet, '0.7'), sponsored];
    const texts = [];
    for (const address of [
      service().rpcUrl(unknownKey),
      service().rpcUrl(own.apiKey).replace('/31337/', '/1/'),
      service().rpcUrl(unknownKey).replace('/31337/', '/1/'),
    ]) {
      const { status, text } = await callRpc(address, params);
      texts.push([status, text.replace(/"decisionId":"[^"]+"/, '')]);
    }
    expect(texts).toEqual([texts[0], texts[0], texts[0]]);
    expect(texts[0]?.[0]).toBe(401);
  });

  test('after all of it the owner’s calls still work', async () => {
    for (const call of managementCalls.filter(({ name }) => !/delete|wallet|paymaster create/.test(name))) {
      if (call.name === 'smart contract update') continue;
      expect([call.name, (await seen(call, own.headers, {})).status]).toEqual([call.name, 200]);
    }
  });
});

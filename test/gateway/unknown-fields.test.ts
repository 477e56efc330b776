import { managementPrefix, type Operation } from '@tollfree/contract/operation';
import { operationList } from '@tollfree/contract/operations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { contract, paymasterId } from '../support/gateway/fake-core.ts';
import { bothHeaders, openTestGateway, send } from '../support/gateway/start-test-gateway.ts';

let gateway: Awaited<ReturnType<typeof openTestGateway>>;
beforeAll(async () => {
  gateway = await openTestGateway();
});
afterAll(() => gateway.close());

async function ask(method: string, path: string, json?: unknown): Promise<[number, unknown]> {
  const { status, body } = await send(`${gateway.url}${managementPrefix}${path}`, method, {
    headers: bothHeaders,
    json,
  });
  return [status, (body as { message: unknown }).message];
}

const pathOf = ({ path }: Operation) =>
  path
    .replace(':address', contract.address)
    .replace(':userOperationHash', `0x${'0'.repeat(64)}`)
    .replace(/:\w+/g, 'a');
const own = operationList.filter(({ ignoresUnknown, credentials }) => !ignoresUnknown && credentials !== 'none');

test.each(own.filter(({ body }) => body !== undefined).map((one) => [one.name, one] as const))(
  '%s refuses a field that it does not have',
  async (_, operation) => {
    const [status, message] = await ask(operation.method, pathOf(operation), { xyzzy: true });
    expect([status, message]).toEqual([400, expect.stringMatching(/^xyzzy is not known\. The known fields are \w+/)]);
  },
);

test.each(own.map((one) => [one.name, one] as const))(
  '%s refuses a query parameter that it does not have',
  async (_, operation) => {
    const [status, message] = await ask(operation.method, `${pathOf(operation)}?xyzzy=1`);
    expect([status, message]).toEqual([
      400,
      expect.stringMatching(/^xyzzy is not known\. (The known|There are no) fields/),
    ]);
  },
);

describe('what was meant is named', () => {
  const keys = '/paymaster/a/api-key';
  test.each([
    [
      'POST',
      `${keys}/create`,
      { name: 'web', origins: ['https://a.example'] },
      'origins is not known. Did you mean rules.origins?',
    ],
    [
      'POST',
      `${keys}/create`,
      { name: 'web', rules: { limit: [] } },
      'rules.limit is not known. Did you mean rules.limits?',
    ],
    ['PATCH', keys, { apiKeyId: 'a', disable: true }, 'disable is not known. Did you mean disabled?'],
    ['POST', '/auth-token', { name: 'ci', scope: ['read'] }, 'scope is not known. Did you mean scopes?'],
    ['POST', '/auth-token', { name: 'ci', expiresIn: 60 }, 'expiresIn is not known. Did you mean expiresAt?'],
    ['POST', '/policies', { name: 'p', policy: {}, limits: [] }, 'limits is not known. Did you mean policy.limits?'],
    [
      'POST',
      '/policies',
      { name: 'p', policy: { limit: [] } },
      'policy.limit is not known. Did you mean policy.limits?',
    ],
    ['POST', '/budgets', { nmae: 'b', maxUsd: '1', window: 'DAY' }, 'nmae is not known. Did you mean name?'],
    [
      'POST',
      '/notification',
      { url: 'https://a.example', events: ['tank.low'], tankLow: { threshold: '1' } },
      'tankLow.threshold is not known. Did you mean tankLow.thresholdWei?',
    ],
    ['GET', '/decision?stauts=landed', undefined, 'stauts is not known. Did you mean status?'],
    ['PUT', '/policy?dryRun=true', {}, 'dryRun is not known. There are no fields here.'],
  ])('%s %s %#', async (method, path, json, message) => {
    expect(await ask(method, path, json)).toEqual([400, message]);
  });

  test('a long name is not compared, and shown in part', async () => {
    const [status, message] = await ask('PUT', '/policy', { ['<'.repeat(50_000)]: 1 });
    expect([status, message]).toEqual([400, expect.stringMatching(/^\?{50} is not known\. The known fields are/)]);
  });
});

describe('the calls of the interface', () => {
  // The fields that programs published for this interface send, and the examples of its documentation.
  const webhook = { webhookUrl: 'https://a.example', requestType: 'POST' };
  const token = { name: 'token', address: contract.address, abi: '[]', whitelistedMethods: ['transfer'] };
  const calls: readonly (readonly [string, string, object])[] = [
    ['POST', '/webhook', webhook],
    ['PATCH', '/webhook', { webhookId: 'a', active: true }],
    ['DELETE', '/webhook', { webhookId: 'a' }],
    ['POST', '/paymaster', { name: 'shop', type: 'HYBRID', chainId: 1, version: '1' }],
    ['POST', '/smart-contract', token],
    ['PATCH', '/smart-contract', { address: contract.address, whitelistedMethods: ['transfer'] }],
    ['DELETE', '/smart-contract', { address: contract.address }],
    ['PATCH', '/paymaster', { paymasterId, type: 'paymasterFundingId', signature: '0x', address: contract.address }],
  ];

  test.each(calls)(
    '%s %s is answered alike with fields and parameters that the interface does not list',
    async (method, path, body) => {
      const answer = await ask(method, path, body);
      expect(await ask(method, `${path}?_=1`, { ...body, note: 'mine', organizationId: 'a' })).toEqual(answer);
      expect(answer[1]).not.toMatch(/ must | is not known/);
    },
  );

  test.each([
    [
      'POST',
      '/smart-contract',
      { ...token, whitelistedMethods: undefined, whitelistedMethod: ['transfer'] },
      'whitelistedMethod is not known. Did you mean whitelistedMethods?',
    ],
    [
      'PATCH',
      '/webhook',
      { webhookId: 'a', active: true, webhookurl: 'https://a.example' },
      'webhookurl is not known. Did you mean webhookUrl?',
    ],
    ['POST', '/webhook', { ...webhook, pay: 'DATA', payLoad: 'DATA' }, 'payLoad is not known. Did you mean payload?'],
  ])('%s %s refuses what is likely a misspelled field', async (method, path, body, message) => {
    expect(await ask(method, path, body)).toEqual([400, message]);
  });
});

test('every object of a request refuses unknown fields', () => {
  const lenient = operationList.flatMap(({ name, body, query }) =>
    [body, query].flatMap((schema) =>
      schema === undefined ? [] : openObjects(schema).map((path) => `${name} ${path}`),
    ),
  );
  expect(lenient).toEqual([]);
});

/** The positions of objects in a schema that take unknown fields. */
function openObjects(schema: z.ZodType, path = ''): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return openObjects(schema.unwrap() as z.ZodType, path);
  if (schema instanceof z.ZodArray) return openObjects(schema.element as z.ZodType, `${path}[]`);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => openObjects(one as z.ZodType, path));
  if (!(schema instanceof z.ZodObject)) return [];
  const inside = Object.entries(schema.shape).flatMap(([name, field]) =>
    openObjects(field as z.ZodType, `${path}.${name}`),
  );
  return schema.def.catchall instanceof z.ZodNever ? inside : [path, ...inside];
}

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { policyFileSchemaText } from '../../contract/openapi/openapi-rpc.ts';
import { PolicyFileSchema } from '../../contract/policy-file.ts';
import { startTestGateway } from '../support/gateway/start-test-gateway.ts';
import { sendHttp } from '../support/interface/send-http.ts';

const committed = readFileSync(new URL('../../contract/schemas/policy.json', import.meta.url), 'utf8');

test('the schema that editors get is the one of the contract, and every gateway serves it', async () => {
  expect(committed).toBe(policyFileSchemaText());
  const { url } = await startTestGateway();
  const answer = await sendHttp(`${url}/schemas/policy.json`, { method: 'GET' });
  expect([answer.status, answer.text]).toEqual([200, committed]);
});

describe('editors and the program agree on', () => {
  const schema = z.fromJSONSchema(JSON.parse(committed));
  const limit = { per: 'SENDER', window: 'DAY', unit: 'OPERATIONS', max: '5' };

  test.each([
    { policy: {} },
    { $schema: 'https://gas.example.org/schemas/policy.json', paymasterId: 'a', policy: {}, policies: [] },
    { policy: { limits: [limit], tokens: {}, maxCostPerOperation: { usd: '0.5' } } },
    { policy: {}, policies: [{ name: 'A', description: 'B', enabled: false, policy: { limits: [limit] } }] },
    {},
    [],
    { policy: {}, polices: [] },
    { policy: { limit: [] } },
    { policy: { limits: [{ ...limit, maximum: '6' }] } },
    { policy: { limits: [{ ...limit, per: 'sender' }] } },
    { policy: { maxFeePerGas: 7 } },
    { policy: { maxFeePerGas: '07' } },
    { policy: { blockedSenders: ['0x12'] } },
    { policy: { pauses: [{ days: ['MON'], from: '24:00', until: '06:00' }] } },
    { policy: {}, policies: [{ policy: {} }] },
    { policy: {}, policies: [{ name: 'A', policyId: 'tfp_1', policy: {} }] },
    { policy: {}, policies: Array.from({ length: 51 }, (_, index) => ({ name: `${index}`, policy: {} })) },
  ])('%j', (file) => {
    expect(schema.safeParse(file).success).toBe(PolicyFileSchema.safeParse(file).success);
  });
});

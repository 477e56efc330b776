import { beforeAll, describe, expect, test } from 'vitest';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { managementCalls } from '../support/interface/management-calls.ts';
import {
  callRpc,
  newOperation,
  type Rpc,
  refusalOf,
  resultOf,
  smartAccountInfo,
  sponsored,
} from '../support/interface/rpc-calls.ts';
import { sampleContract } from '../support/interface/sample-contract.ts';
import { callManagement, dataOf, listEverything, newTenant, type Tenant } from '../support/interface/tenant.ts';
import { useService } from '../support/interface/use-service.ts';
import { isLongRun } from '../support/run/rows-of-run.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

function nested(depth: number): Json {
  return depth === 0 ? 1 : [nested(depth - 1)];
}

/** One value of every JSON type, some of them extreme. */
const anyValues: readonly (readonly [string, Json | undefined])[] = [
  ['missing', undefined],
  ['null', null],
  ['a boolean', true],
  ['a number', 1],
  ['a negative number', -1],
  ['a fraction', 0.5],
  ['a number beyond 2^53', 2 ** 60],
  ['an empty text', ''],
  ['a blank text', ' '],
  ['a text with a zero byte', 'a\u0000b'],
  ['a text with half a character', '\ud800'],
  ['a long text', 'a'.repeat(4_000)],
  ['a text of 65 KiB', 'a'.repeat(65 * 1024)],
  ['an empty list', []],
  ['a list of lists', [[]]],
  ['a list of numbers', [1]],
  ['an empty object', {}],
  ['an object that poses as a text', { toString: 'a', length: 1 }],
  ['__proto__', JSON.parse('{"__proto__":{"a":1}}')],
  ['20 lists in each other', nested(20)],
  ['40 lists in each other', nested(40)],
];

/** What a field of a management call takes, so that these values are left out. */
const takes: Readonly<Record<string, (value: unknown) => boolean>> = {
  active: (value) => typeof value === 'boolean',
  whitelistedMethods: (value) => Array.isArray(value) && value.length === 0,
};
const optional = new Set(['smart contract create whitelistedMethods']);

/** Texts of the catalogue: the field's own rule, or one of the fixed ones. */
const fixedTexts =
  /^(?:Webhook not found|Smart contract not found|Paymaster not found|Invalid signature|Chain ID not supported|Paymaster version not supported|Request body is (?:too large|nested too deeply))$/;

/** A third of the values in `npm test`, another third for the next field; all in a long run. */
function valuesOfRun<Value>(values: readonly Value[], nth: number): readonly Value[] {
  return values.filter((_, at) => isLongRun || at % 3 === nth % 3);
}

type BadField = { readonly call: (typeof managementCalls)[number]; readonly field: string };
const bodyFields: readonly BadField[] = managementCalls.flatMap((call) =>
  Object.keys(call.body?.({ paymasterId: '', webhookId: '' }) ?? {}).map((field) => ({ call, field })),
);

/** Every field of every call with every kind of wrong value: a text of the catalogue, and nothing has changed. */
describe('bad input to the management interface', () => {
  const service = useService();
  let tenant: Tenant;
  let target: { paymasterId: string; webhookId: string };
  beforeAll(async () => {
    tenant = await newTenant(service());
    const { headers, paymasterId } = tenant;
    dataOf(await callManagement(service(), 'POST', '/smart-contract', { headers, json: sampleContract }));
    const json = { webhookUrl: 'http://127.0.0.1:9/hook', requestType: 'POST' };
    const created = dataOf(await callManagement(service(), 'POST', '/webhook', { headers, json }));
    target = { paymasterId, webhookId: (created as { webhookId: string }).webhookId };
  });

  test.each(bodyFields.map(({ call, field }, nth) => [call.name, field, call, nth] as const))(
    '%s: %s',
    async (name, field, call, nth) => {
      const before = await listEverything(service(), tenant);
      for (const [kind, value] of valuesOfRun(anyValues, nth)) {
        if (takes[field]?.(value) || (value === undefined && optional.has(`${name} ${field}`))) continue;
        const json = { ...call.body?.(target), [field]: value };
        if (name === 'webhook get' && typeof value === 'string' && value.length < 2_048) continue;
        const answer = await callManagement(service(), call.method, call.path(target), {
          headers: tenant.headers,
          json,
        });
        const { statusCode, message, ...more } = answer.json as { statusCode: number; message: string };
        const inCatalogue = fixedTexts.test(message) || message.startsWith(`${field} `);
        expect([kind, message, inCatalogue, more]).toEqual([kind, message, true, {}]);
        expect([kind, [400, 404, 413].includes(answer.status)]).toEqual([kind, true]);
        expect([400, 404, 413]).toContain(statusCode);
        // Missing and of another type share one text; the rest is the field's business.
        const mustBe = new RegExp(`^${field} must be (?:a string|a number|a boolean value|an array)$`);
        if (value === undefined || value === null) expect(message).toMatch(mustBe);
      }
      expect(await listEverything(service(), tenant)).toEqual(before);
    },
  );

  test.each(managementCalls.filter(({ body }) => body !== undefined).map((call) => [call.name, call] as const))(
    '%s: a body that is no object',
    async (name, call) => {
      const before = await listEverything(service(), tenant);
      for (const text of ['null', '[]', '5', '"a"', 'true', '{', '{"a":}', 'undefined', ' ', '{"a":1}{}', '\u0000']) {
        const answer = await callManagement(service(), call.method, call.path(target), {
          headers: tenant.headers,
          text,
        });
        expect([name, text, answer.status]).toEqual([name, text, 400]);
        expect(Object.keys(answer.json as object).sort()).toEqual(['message', 'statusCode']);
      }
      expect(await listEverything(service(), tenant)).toEqual(before);
    },
  );
});

const methods = ['pm_getFeeQuoteOrData', 'pm_sponsorUserOperation'] as const;
/** Fields of the operation, with what they take next to their own kind of text. */
const byteFields = ['sender', 'callData', 'factory', 'factoryData', 'signature'];
const quantityFields = [
  'nonce',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
];
const neverText: readonly (readonly [string, Json])[] = anyValues.flatMap(([kind, value]) =>
  value === undefined || value === null || typeof value === 'string' || kind === '40 lists in each other'
    ? []
    : [[kind, value]],
);
const wrongText = ['nonsense', '0x0g', '0', '-0x1', '0x123456789', `0x${'ff'.repeat(40)}`, '\ud800', 'a'.repeat(4_000)];

/** The RPC answers `-32602` and names the field, whatever is wrong with it. */
describe('bad input to the RPC', () => {
  const service = useService();
  let paymaster: DevPaymaster;
  let operation: Readonly<Record<string, unknown>>;
  let tenant: Tenant;
  beforeAll(async () => {
    const { accountId, authToken } = await service().issueAccount();
    paymaster = await service().fundedPaymaster(authToken, '0.7');
    const { apiKey, paymasterId, name } = paymaster;
    tenant = { accountId, authToken, apiKey, paymasterId, name, headers: { authToken, apiKey } };
    operation = await newOperation(service().devnet, '0.7');
  });
  const expectNamed = async (method: string, params: readonly unknown[], field: string, kind: string) => {
    const answer = await callRpc(paymaster.rpcUrl, params, method);
    expect([kind, ...refusalOf(answer)]).toEqual([kind, 400, -32602, 'INVALID_PARAMS']);
    const { message = '' } = (answer.json as Rpc).error ?? {};
    expect([kind, message, message.includes(field)]).toEqual([kind, message, true]);
    expect(message.length).toBeLessThan(400);
  };

  describe.each(methods)('%s', (method) => {
    test.each(byteFields.map((field, nth) => [field, nth] as const))('operation.%s', async (field, nth) => {
      const before = await listEverything(service(), tenant);
      const texts = wrongText.filter(
        (text) => field === 'sender' || field === 'factory' || text !== `0x${'ff'.repeat(40)}`,
      );
      const all = [...neverText, ...texts.map((text) => [text.slice(0, 20), text] as const)];
      for (const [kind, value] of valuesOfRun(all, nth)) {
        await expectNamed(method, [{ ...operation, [field]: value }, sponsored], field, kind);
      }
      expect(await listEverything(service(), tenant)).toEqual(before);
    });

    test.each(quantityFields.map((field, nth) => [field, nth] as const))('operation.%s', async (field, nth) => {
      const texts = wrongText.filter((text) => text !== '0' && text !== '0x123456789');
      const values = neverText.filter(([kind]) => kind !== 'a number' && kind !== 'a number beyond 2^53');
      const all = [...values, ...texts.map((text) => [text.slice(0, 20), text] as const)];
      for (const [kind, value] of valuesOfRun(all, nth)) {
        await expectNamed(method, [{ ...operation, [field]: value }, sponsored], field, kind);
      }
    });

    test.each(['sender', 'nonce', 'callData', 'maxFeePerGas', 'maxPriorityFeePerGas'])(
      'operation.%s must be there',
      async (field) => {
        for (const value of [undefined, null]) {
          await expectNamed(method, [{ ...operation, [field]: value }, sponsored], field, String(value));
        }
      },
    );

    test.each<[string, (value: Json) => object, (value: Json) => boolean]>([
      ['mode', (mode) => ({ mode }), () => false],
      ['calculateGasLimits', (value) => ({ calculateGasLimits: value }), (value) => typeof value === 'boolean'],
      ['expiryDuration', (value) => ({ expiryDuration: value }), (value) => typeof value === 'number'],
      ['sponsorshipInfo', (value) => ({ sponsorshipInfo: value }), () => false],
      ['webhookData', (webhookData) => ({ sponsorshipInfo: { webhookData, smartAccountInfo } }), isPlainObject],
      ['smartAccountInfo', (value) => ({ sponsorshipInfo: { smartAccountInfo: value } }), () => false],
      ['name', (name) => ({ sponsorshipInfo: { smartAccountInfo: { name, version: '1.0.0' } } }), () => false],
      ['version', (version) => ({ sponsorshipInfo: { smartAccountInfo: { name: 'SAFE', version } } }), () => false],
      ['tokenInfo', (tokenInfo) => ({ mode: 'ERC20', tokenInfo }), isPlainObject],
      ['preferredToken', (value) => ({ mode: 'ERC20', tokenInfo: { preferredToken: value } }), () => false],
      ['feeTokenAddress', (value) => ({ mode: 'ERC20', tokenInfo: { feeTokenAddress: value } }), () => false],
      ['tokenList', (value) => ({ mode: 'ERC20', tokenInfo: { tokenList: value } }), isEmptyList],
    ])('params[1] %s', async (field, context, isTaken) => {
      for (const [kind, value] of neverText.filter(([, value]) => !isTaken(value))) {
        await expectNamed(method, [operation, { ...sponsored, ...context(value) }], field, kind);
      }
    });

    test('deeper than 32 is refused before anything else', async () => {
      const sponsorshipInfo = { smartAccountInfo, webhookData: { deep: nested(40) } };
      const answer = await callRpc(paymaster.rpcUrl, [operation, { ...sponsored, sponsorshipInfo }], method);
      expect([answer.status, (answer.json as Rpc).error?.code]).toEqual([400, -32600]);
    });

    test('and what is right is still served', async () => {
      resultOf(await callRpc(paymaster.rpcUrl, [operation, sponsored], method));
    });
  });
});

function isPlainObject(value: Json): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmptyList(value: Json): boolean {
  return Array.isArray(value) && value.length === 0;
}

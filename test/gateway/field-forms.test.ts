import { documentedMethods } from '@tollfree/contract/openapi/documented-methods';
import * as example from '@tollfree/contract/openapi/rpc-examples';
import fc from 'fast-check';
import { type Address, getAddress, type Hex, hexToBigInt } from 'viem';
import { expect, test } from 'vitest';
import type { Core } from '../../core/domain/core.ts';
import { refuse } from '../../core/domain/result/result.ts';
import type { RawUserOperation } from '../../core/domain/user-operation.ts';
import { readUserOperation } from '../../core/sponsorship/identify/read-user-operation.ts';
import { createOutageLog } from '../../gateway/core-unavailable.ts';
import { createRpcServer } from '../../gateway/rpc/rpc-server.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';

/** How clients send the value of a field: all these mean the same. */
type Form = (value: string) => unknown;
const numbers: readonly Form[] = [
  (hex) => hex,
  (hex) => `0x000${hex.slice(2)}`,
  (hex) => hexToBigInt(hex as Hex).toString(),
  (hex) => (hexToBigInt(hex as Hex) > Number.MAX_SAFE_INTEGER ? hex : Number(hex)),
];
const texts: readonly Form[] = [(hex) => hex, (hex) => `0x${hex.slice(2).toUpperCase()}`, (hex) => hex.toLowerCase()];
const addresses: readonly Form[] = [...texts, (hex) => getAddress(hex.toLowerCase() as Address)];
const empty = [undefined, null, '', '0x'];
const emptyNumbers = [...empty, '0x0', '0x000', '0', 0];

const quantities = ['nonce', 'callGasLimit', 'verificationGasLimit', 'preVerificationGas', 'maxFeePerGas'];
const chains = numbers.map((form) => form(example.chainId));

/** Fields without content in the format of 0.6 and 0.7, whichever the EntryPoint has. */
const emptyFields = fc.record({
  initCode: fc.constantFrom(...empty),
  factory: fc.constantFrom(...empty),
  factoryData: fc.constantFrom(...empty),
  paymasterAndData: fc.constantFrom(...empty),
  paymaster: fc.constantFrom(...empty),
  paymasterData: fc.constantFrom(...empty),
  paymasterVerificationGasLimit: fc.constantFrom(...empty),
  paymasterPostOpGasLimit: fc.constantFrom(...empty),
});

function formsOf(field: string, value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== 'string') return fc.constant(value);
  if (quantities.includes(field) || field === 'maxPriorityFeePerGas') {
    return fc.constantFrom(...numbers.map((form) => form(value)));
  }
  if (value === '0x') return fc.constantFrom(...empty);
  return fc.constantFrom(...(field === 'sender' ? addresses : texts).map((form) => form(value)));
}

/** Params of a documented method with each value in any of its forms. */
function inAnyForm(value: unknown, key = ''): fc.Arbitrary<unknown> {
  if (value === example.chainId) return fc.constantFrom(...chains);
  if (Array.isArray(value)) return fc.tuple(...value.map((item) => inAnyForm(item)));
  if (typeof value !== 'object' || value === null) return fc.constant(value);
  const isOperation = 'callData' in value;
  const fields = Object.entries(value).map(([name, sent]) => [
    name,
    isOperation ? formsOf(name, sent) : inAnyForm(sent, name),
  ]);
  const inForms = fc.record(Object.fromEntries(fields));
  return isOperation && key !== 'params'
    ? fc.tuple(inForms, emptyFields).map(([own, none]) => ({ ...none, ...own }))
    : inForms;
}

/** What the core is asked for, with the operation as the core reads it. */
async function askedOf(method: string, params: unknown, version: '0.6' | '0.7'): Promise<unknown> {
  const asked: unknown[] = [];
  const core = new Proxy({} as Core, {
    get: (_, operation) => async (request: { readonly userOperation?: RawUserOperation }) => {
      const { userOperation, ...rest } = request;
      const read = userOperation && readOrFail(userOperation, version);
      asked.push(operation, { ...rest, read });
      return refuse({ reason: 'RATE_LIMITED', message: 'asked' });
    },
  });
  const server = createRpcServer(core, silentLogger, createOutageLog(silentLogger, { now: () => 0 }));
  const context = { requestId: '1', chainId: Number(example.chainId), apiKey: 'key', clientAddress: '', from: {} };
  const sent = JSON.parse(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const { jsonText, reason } = await server(sent, context);
  expect([undefined, 'RATE_LIMITED'], jsonText).toContain(reason);
  return asked;
}

function readOrFail(raw: RawUserOperation, version: '0.6' | '0.7'): unknown {
  const fees = { maxFeePerGas: '0', maxPriorityFeePerGas: '0' };
  const read = readUserOperation('callData' in raw ? raw : { ...fees, ...raw }, version);
  if (!read.ok && 'callData' in raw) throw new Error(read.refusal.message);
  return read;
}

test.each(documentedMethods.map(({ method, example: params }, index) => ({ method, params, index })))(
  '$method reads every field in all its forms alike',
  async ({ method, params }) => {
    for (const version of ['0.6', '0.7'] as const) {
      const expected = await askedOf(method, params, version);
      await fc.assert(
        fc.asyncProperty(inAnyForm(params), async (sent) => {
          expect(await askedOf(method, sent, version)).toEqual(expected);
        }),
        { numRuns: 50 },
      );
    }
  },
);

const raw: RawUserOperation = {
  sender: example.operation.sender,
  nonce: '0x0',
  callData: '0x',
  maxFeePerGas: '1',
  maxPriorityFeePerGas: '1',
};

test.each([
  ['0.6', 'paymasterVerificationGasLimit'],
  ['0.6', 'paymasterPostOpGasLimit'],
] as const)('an operation of EntryPoint %s may carry an empty %s', (version, field) => {
  for (const none of emptyNumbers) {
    const sent = none === undefined || none === null ? raw : { ...raw, [field]: String(none) };
    expect(readUserOperation(sent, version)).toEqual(readUserOperation(raw, version));
  }
});

test('empty call data is call data, and missing call data is named', () => {
  const { callData: _, ...without } = raw;
  expect(readUserOperation({ ...raw, callData: '' }, '0.7')).toEqual(readUserOperation(raw, '0.7'));
  expect(readUserOperation(without, '0.7')).toMatchObject({ ok: false, refusal: { field: 'callData' } });
});

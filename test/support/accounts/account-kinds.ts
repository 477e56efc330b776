import {
  type AbiFunction,
  type Address,
  concatHex,
  decodeAbiParameters,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  type Hex,
  numberToHex,
  parseAbi,
  parseAbiItem,
  parseAbiParameters,
  size,
  slice,
} from 'viem';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';

/** A call in full, as an account would make it. */
export type FullCall = { readonly target: Address; readonly value: bigint; readonly data: Hex };

/**
 * One method of an account kind, described by the contract's own signature and encoded by viem: what the decoders are
 * held against. `args` puts calls into the method's arguments, `calls` takes them out again (`undefined` when the
 * arguments are not calls the account would make).
 */
export type AccountMethod = {
  readonly account: string;
  readonly version: string;
  readonly entryPointVersion: EntryPointVersion;
  readonly method: string;
  readonly maxCalls: number;
  readonly carriesValue: boolean;
  encode(calls: readonly FullCall[]): Hex;
  /** The calls in call data that is canonical; `undefined` for any other. */
  decodeCanonical(callData: Hex): readonly FullCall[] | undefined;
};

type Shape = {
  readonly signature: string;
  readonly maxCalls: number;
  readonly carriesValue: boolean;
  args(calls: readonly FullCall[]): readonly unknown[];
  calls(args: readonly unknown[]): readonly FullCall[] | undefined;
};

const single: Omit<Shape, 'signature'> = {
  maxCalls: 1,
  carriesValue: true,
  args: (calls) => calls.slice(0, 1).flatMap(({ target, value, data }) => [target, value, data]),
  calls: (args) => {
    const [target, value, data] = args as [Address, bigint, Hex];
    return [{ target, value, data }];
  },
};

function zip(targets: readonly Address[], values: readonly bigint[], data: readonly Hex[]): FullCall[] | undefined {
  if (targets.length === 0 || values.length !== targets.length || data.length !== targets.length) return undefined;
  return targets.map((target, index) => ({ target, value: values[index] ?? 0n, data: data[index] ?? '0x' }));
}

const lists: Omit<Shape, 'signature'> = {
  maxCalls: 100,
  carriesValue: true,
  args: (calls) => [calls.map(({ target }) => target), calls.map(({ value }) => value), calls.map(({ data }) => data)],
  calls: (args) => zip(...(args as [Address[], bigint[], Hex[]])),
};

const listsWithOptionalValues: Omit<Shape, 'signature'> = {
  ...lists,
  calls: (args) => {
    const [targets, values, data] = args as [Address[], bigint[], Hex[]];
    return zip(targets, values.length === 0 ? targets.map(() => 0n) : values, data);
  },
};

const listsWithoutValues: Omit<Shape, 'signature'> = {
  maxCalls: 100,
  carriesValue: false,
  args: (calls) => [calls.map(({ target }) => target), calls.map(({ data }) => data)],
  calls: (args) => {
    const [targets, data] = args as [Address[], Hex[]];
    return zip(
      targets,
      targets.map(() => 0n),
      data,
    );
  },
};

const tuples: Omit<Shape, 'signature'> = {
  maxCalls: 100,
  carriesValue: true,
  args: (calls) => [calls],
  calls: (args) => {
    const [calls] = args as [{ target: Address; value: bigint; data: Hex }[]];
    return calls.length === 0 ? undefined : calls;
  },
};

/** ERC-7579 `execute(bytes32 mode, bytes executionCalldata)`. */
const executionTuples = parseAbiParameters('(address target, uint256 value, bytes data)[]');

function callsOfExecution(args: readonly unknown[]): readonly FullCall[] | undefined {
  const [mode, execution] = args as [Hex, Hex];
  if (!/^0x0[01]0[01]0{60}$/.test(mode)) return undefined;
  if (mode.startsWith('0x00')) {
    if (size(execution) < 52) return undefined;
    const [target, value] = [slice(execution, 0, 20), BigInt(slice(execution, 20, 52))];
    return [{ target, value, data: size(execution) === 52 ? '0x' : slice(execution, 52) }];
  }
  const [calls] = decodeAbiParameters(executionTuples, execution);
  return calls.length > 0 && encodeAbiParameters(executionTuples, [calls]) === execution ? calls : undefined;
}

const executionSingle: Omit<Shape, 'signature'> = {
  maxCalls: 1,
  carriesValue: true,
  args: (calls) => [
    `0x${'00'.repeat(32)}`,
    concatHex(calls.slice(0, 1).flatMap(({ target, value, data }) => [target, numberToHex(value, { size: 32 }), data])),
  ],
  calls: callsOfExecution,
};

const executionBatch: Omit<Shape, 'signature'> = {
  maxCalls: 100,
  carriesValue: true,
  args: (calls) => [`0x01${'00'.repeat(31)}`, encodeAbiParameters(executionTuples, [calls])],
  calls: callsOfExecution,
};

/** Safe's packed MultiSend. */
export const multiSendAddress: Address = '0x9641d764fc13c8b624c04430c7356c1c7c8102e2';
const multiSendAbi = parseAbi(['function multiSend(bytes transactions)']);

export function encodeMultiSend(calls: readonly FullCall[], operation = 0): Hex {
  const transactions = calls.map(({ target, value, data }) =>
    encodePacked(
      ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
      [operation, target, value, BigInt(size(data)), data],
    ),
  );
  return encodeFunctionData({ abi: multiSendAbi, args: [concatHex(transactions)] });
}

function callsOfMultiSend(data: Hex): readonly FullCall[] | undefined {
  const [transactions] = decodeFunctionData({ abi: multiSendAbi, data }).args;
  if (encodeFunctionData({ abi: multiSendAbi, args: [transactions] }) !== data) return undefined;
  const calls: FullCall[] = [];
  let rest = transactions.slice(2);
  while (rest.length > 0) {
    const [, target, value, length] = /^00(.{40})(.{64})(.{64})/.exec(rest) ?? [];
    if (target === undefined || BigInt(`0x${length}`) * 2n > BigInt(rest.length - 170)) return undefined;
    const end = 170 + Number(`0x${length}`) * 2;
    calls.push({ target: `0x${target}`, value: BigInt(`0x${value}`), data: `0x${rest.slice(170, end)}` });
    rest = rest.slice(end);
  }
  return calls.length > 0 ? calls : undefined;
}

function callsOfSafe(args: readonly unknown[]): readonly FullCall[] | undefined {
  const [target, value, data, operation] = args as [Address, bigint, Hex, number];
  if (operation === 0) return [{ target, value, data }];
  const multiSend = [multiSendAddress, '0x38869bf66a61cf6bdb996a6ae40d5853fd43b526'].includes(target.toLowerCase());
  return operation === 1 && multiSend ? callsOfMultiSend(data) : undefined;
}

const safeSingle: Omit<Shape, 'signature'> = {
  ...single,
  args: (calls) => [...single.args(calls), 0],
  calls: callsOfSafe,
};

const safeBatch: Omit<Shape, 'signature'> = {
  maxCalls: 100,
  carriesValue: true,
  args: (calls) => [multiSendAddress, 0n, encodeMultiSend(calls), 1],
  calls: callsOfSafe,
};

const kernelSingle: Omit<Shape, 'signature'> = {
  ...safeSingle,
  calls: (args) => (args[3] === 0 ? single.calls(args) : undefined),
};

function method(account: string, version: string, entryPointVersion: EntryPointVersion, shape: Shape): AccountMethod {
  const item = parseAbiItem(shape.signature as 'function f(uint256)') as AbiFunction;
  const encodeArgs = (args: readonly unknown[]) => encodeFunctionData({ abi: [item], args });
  return {
    account,
    version,
    entryPointVersion,
    method: item.name,
    maxCalls: shape.maxCalls,
    carriesValue: shape.carriesValue,
    encode: (calls) => encodeArgs(shape.args(calls)),
    decodeCanonical(callData) {
      try {
        const args = decodeFunctionData({ abi: [item], data: callData }).args ?? [];
        return encodeArgs(args) === callData ? shape.calls(args) : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

const threeLists = (name: string) => `function ${name}(address[] dest, uint256[] value, bytes[] func)`;
const twoLists = 'function executeBatch(address[] dest, bytes[] func)';
const tupleBatch = 'function executeBatch((address target, uint256 value, bytes data)[] calls)';
const withOperation = (name: string) => `function ${name}(address to, uint256 value, bytes data, uint8 operation)`;
const erc7579Execute = 'function execute(bytes32 mode, bytes executionCalldata)';
const one = (name: string) => `function ${name}(address dest, uint256 value, bytes func)`;

export const accountMethods: readonly AccountMethod[] = [
  method('BICONOMY', '2.0.0', '0.6', { signature: one('execute_ncC'), ...single }),
  method('BICONOMY', '2.0.0', '0.6', { signature: one('execute'), ...single }),
  method('BICONOMY', '2.0.0', '0.6', { signature: threeLists('executeBatch_y6U'), ...lists }),
  method('BICONOMY', '2.0.0', '0.6', { signature: threeLists('executeBatch'), ...lists }),
  method('BICONOMY', '1.0.0', '0.6', { signature: one('executeCall'), ...single }),
  method('BICONOMY', '1.0.0', '0.6', { signature: one('executeCall_s1m'), ...single }),
  method('BICONOMY', '1.0.0', '0.6', { signature: threeLists('executeBatchCall'), ...lists }),
  method('BICONOMY', '1.0.0', '0.6', { signature: threeLists('executeBatchCall_4by'), ...lists }),
  method('INFINITISM', '1.0.0', '0.6', { signature: one('execute'), ...single }),
  method('INFINITISM', '1.0.0', '0.6', { signature: twoLists, ...listsWithoutValues }),
  method('INFINITISM', '1.0.0', '0.7', { signature: one('execute'), ...single }),
  method('INFINITISM', '1.0.0', '0.7', { signature: threeLists('executeBatch'), ...listsWithOptionalValues }),
  method('INFINITISM', '1.0.0', '0.8', { signature: one('execute'), ...single }),
  method('INFINITISM', '1.0.0', '0.8', { signature: tupleBatch, ...tuples }),
  method('SIMPLE_7702', '1.0.0', '0.8', { signature: one('execute'), ...single }),
  method('SIMPLE_7702', '1.0.0', '0.8', { signature: tupleBatch, ...tuples }),
  ...(['0.6', '0.7'] as const).flatMap((entryPoint) =>
    ['executeUserOp', 'executeUserOpWithErrorString'].flatMap((name) => [
      method('SAFE', '1.4.1', entryPoint, { signature: withOperation(name), ...safeSingle }),
      method('SAFE', '1.4.1', entryPoint, { signature: withOperation(name), ...safeBatch }),
    ]),
  ),
  method('KERNEL', '2.4', '0.6', { signature: withOperation('execute'), ...kernelSingle }),
  method('KERNEL', '2.4', '0.6', { signature: tupleBatch, ...tuples }),
  ...(
    [
      ['KERNEL', '3.1', '0.7'],
      ['NEXUS', '1.0.0', '0.7'],
      ['BICONOMY', '2.0.0', '0.7'],
      ['BICONOMY', '1.0.0', '0.7'],
      ['ERC7579', '1.0.0', '0.7'],
      ['ERC7579', '1.0.0', '0.8'],
    ] as const
  ).flatMap(([account, version, entryPoint]) => [
    method(account, version, entryPoint, { signature: erc7579Execute, ...executionSingle }),
    method(account, version, entryPoint, { signature: erc7579Execute, ...executionBatch }),
  ]),
  ...(
    [
      ['1.1.0', '0.6'],
      ['2.0.0', '0.7'],
    ] as const
  ).flatMap(([version, entryPoint]) => [
    method('LIGHT_ACCOUNT', version, entryPoint, { signature: one('execute'), ...single }),
    method('LIGHT_ACCOUNT', version, entryPoint, { signature: twoLists, ...listsWithoutValues }),
    method('LIGHT_ACCOUNT', version, entryPoint, { signature: threeLists('executeBatch'), ...lists }),
  ]),
  method('COINBASE_SMART_WALLET', '1.0.0', '0.6', { signature: one('execute'), ...single }),
  method('COINBASE_SMART_WALLET', '1.0.0', '0.6', { signature: tupleBatch, ...tuples }),
];

/** What a decoder should make of a call. */
export function seenAs({ target, value, data }: FullCall) {
  return { target: target.toLowerCase(), value, ...(data === '0x' ? {} : { selector: data.slice(0, 10) }) };
}

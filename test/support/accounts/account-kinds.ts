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
  zeroAddress,
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

/** `executeUserOp` with a call of the account itself behind its selector. */
const executeUserOpSelector: Hex = '0x8dd7712f';

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
/** That of 1.5.0, which calls the account itself where there is no target. */
const multiSend150: Address = '0x218543288004CD07832472D464648173c77D7eB7';
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
  if (operation !== 1) return undefined;
  const multiSend = [multiSendAddress, '0x38869bf66a61cf6bdb996a6ae40d5853fd43b526'].includes(target.toLowerCase());
  if (multiSend) return callsOfMultiSend(data);
  const isLater = [multiSend150, '0xA83c336B20401Af773B6219BA5027174338D1836'].includes(target);
  const calls = isLater ? callsOfMultiSend(data) : undefined;
  return calls && withTargets(calls);
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

const safe150Batch = {
  ...safeBatch,
  args: (calls: readonly FullCall[]) => [multiSend150, 0n, encodeMultiSend(calls), 1],
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

const oneTuple: Omit<Shape, 'signature'> = {
  maxCalls: 1,
  carriesValue: true,
  args: (calls) => calls.slice(0, 1).map(({ target, value, data }) => ({ target, value, callData: data })),
  calls: (args) => {
    const [{ target, value, callData }] = args as [{ target: Address; value: bigint; callData: Hex }];
    return [{ target, value, data: callData }];
  },
};

/** Accounts that call themselves where there is no target. */
function withTargets(calls: readonly FullCall[]): readonly FullCall[] | undefined {
  return calls.some(({ target }) => target === zeroAddress) ? undefined : calls;
}

/** Ambire's account skips calls without a target. */
const ambireBatch: Omit<Shape, 'signature'> = {
  ...tuples,
  args: (calls) => [calls.map(({ target, ...rest }) => ({ to: target, ...rest }))],
  calls: (args) => {
    const [calls] = args as [{ to: Address; value: bigint; data: Hex }[]];
    return calls.length === 0 ? undefined : withTargets(calls.map(({ to, ...rest }) => ({ target: to, ...rest })));
  },
};

const opDataMode: Hex = `0x01000000000078210001${'00'.repeat(22)}`;
const tuplesAndOpData = parseAbiParameters('(address target, uint256 value, bytes data)[], bytes opData');

const callsOfErc7821 =
  (takesOpData: (opData: Hex) => boolean) =>
  (args: readonly unknown[]): readonly FullCall[] | undefined => {
    const [mode, execution] = args as [Hex, Hex];
    if (mode === opDataMode && BigInt(slice(execution, 0, 32)) === 64n) {
      const [calls, opData] = decodeAbiParameters(tuplesAndOpData, execution);
      const canonical = encodeAbiParameters(tuplesAndOpData, [calls, opData]) === execution;
      return canonical && calls.length > 0 && takesOpData(opData) ? withTargets(calls) : undefined;
    }
    if (mode !== opDataMode && mode !== `0x01${'00'.repeat(31)}`) return undefined;
    const [calls] = decodeAbiParameters(executionTuples, execution);
    const canonical = encodeAbiParameters(executionTuples, [calls]) === execution;
    return canonical && calls.length > 0 ? withTargets(calls) : undefined;
  };

const erc7821Batch: Omit<Shape, 'signature'> = {
  ...executionBatch,
  calls: callsOfErc7821((opData) => opData === '0x'),
};

const erc7821BatchWithOpData = (opData: Hex): Omit<Shape, 'signature'> => ({
  ...erc7821Batch,
  args: (calls) => [opDataMode, encodeAbiParameters(tuplesAndOpData, [calls, opData])],
});
const erc7821AnyOpData: Omit<Shape, 'signature'> = { ...erc7821Batch, calls: callsOfErc7821(() => true) };
const erc7821AnyOpDataGiven = { ...erc7821AnyOpData, args: erc7821BatchWithOpData(`0x${'5a'.repeat(70)}`).args };

/** An account's method, called behind the selector of `executeUserOp`. */
function behindExecuteUserOp(inner: AccountMethod): AccountMethod {
  return {
    ...inner,
    method: `executeUserOp ${inner.method}`,
    encode: (calls) => concatHex([executeUserOpSelector, inner.encode(calls)]),
    decodeCanonical: (callData) =>
      callData.startsWith(executeUserOpSelector) && size(callData) > 4
        ? inner.decodeCanonical(slice(callData, 4))
        : undefined,
  };
}

const batchedCall = parseAbiParameters([
  'BatchedCall batchedCall',
  'struct BatchedCall { Call[] calls; bool revertOnFailure; }',
  'struct Call { address target; uint256 value; bytes data; }',
]);

function calibur(entryPointVersion: EntryPointVersion): AccountMethod {
  return {
    account: 'CALIBUR',
    version: '1.0.0',
    entryPointVersion,
    method: 'executeUserOp',
    maxCalls: 100,
    carriesValue: true,
    encode: (calls) =>
      concatHex([executeUserOpSelector, encodeAbiParameters(batchedCall, [{ calls, revertOnFailure: true }])]),
    decodeCanonical(callData) {
      try {
        const [batch] = decodeAbiParameters(batchedCall, slice(callData, 4));
        const encoded = concatHex([executeUserOpSelector, encodeAbiParameters(batchedCall, [batch])]);
        return encoded === callData && batch.calls.length > 0 ? withTargets(batch.calls) : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

/** What the launchpad of Safe7579 is asked for. */
export const safe7579Setup = {
  singleton: '0x29fcB43b46531BcA003ddC8FCB67FFE91900C762',
  launchpad: '0x7579011aB74c46090561ea277Ba79D510c6C00ff',
  adapter: '0x7579EE8307284F293B1927136486880611F20002',
} as const;
export const setupSafe =
  'function setupSafe((address singleton, address[] owners, uint256 threshold, address setupTo, bytes setupData, address safe7579, (address module, bytes initData)[] validators, bytes callData) initData)';
const initSafe7579 = parseAbi([
  'struct ModuleInit { address module; bytes initData; }',
  'function initSafe7579(address safe7579, ModuleInit[] executors, ModuleInit[] fallbacks, ModuleInit[] hooks, address[] attesters, uint8 threshold)',
]);
export type ModuleInit = { readonly module: Address; readonly initData: Hex };

export function encodeInitSafe7579(
  over: { adapter?: Address } & Partial<Record<'executors' | 'fallbacks' | 'hooks', readonly ModuleInit[]>> = {},
): Hex {
  const { adapter = safe7579Setup.adapter, executors = [], fallbacks = [], hooks = [] } = over;
  const attesters: readonly Address[] = [`0x${'77'.repeat(20)}`];
  return encodeFunctionData({ abi: initSafe7579, args: [adapter, executors, fallbacks, hooks, attesters, 1] });
}

export type InitData = {
  readonly singleton: Address;
  readonly owners: readonly Address[];
  readonly threshold: bigint;
  readonly setupTo: Address;
  readonly setupData: Hex;
  readonly safe7579: Address;
  readonly validators: readonly ModuleInit[];
  readonly callData: Hex;
};

/** A setup with nothing in it but calls. */
export function initDataWith(callData: Hex): InitData {
  const { singleton, launchpad, adapter } = safe7579Setup;
  const owners: readonly Address[] = [`0x${'66'.repeat(20)}`];
  const setup = { setupTo: launchpad, setupData: encodeInitSafe7579(), safe7579: adapter };
  return { singleton, owners, threshold: 1n, ...setup, validators: [], callData };
}

const executeItem = parseAbi(['function execute(bytes32 mode, bytes executionCalldata)']);
const setupSafeAnd: Omit<Shape, 'signature'> = {
  ...executionBatch,
  args: (calls) => [
    initDataWith(encodeFunctionData({ abi: executeItem, args: executionBatch.args(calls) as [Hex, Hex] })),
  ],
  calls: callsOfSetup,
};

function callsOfSetup(args: readonly unknown[]): readonly FullCall[] | undefined {
  const [initData] = args as [InitData];
  const { singleton, setupTo, setupData, safe7579, validators, callData } = initData;
  const known = ['0x41675C099F32341bf84BFc5382aF534df5C7461a', safe7579Setup.singleton];
  if (!known.includes(singleton) || setupTo !== safe7579Setup.launchpad || safe7579 !== safe7579Setup.adapter)
    return undefined;
  const setup = decodeFunctionData({ abi: initSafe7579, data: setupData });
  if (encodeFunctionData({ abi: initSafe7579, args: setup.args }) !== setupData) return undefined;
  const [adapter, executors, fallbacks, hooks] = setup.args;
  if (adapter !== safe7579Setup.adapter || executors.length + fallbacks.length + hooks.length > 0) return undefined;
  const executed = decodeFunctionData({ abi: executeItem, data: callData });
  if (encodeFunctionData({ abi: executeItem, args: executed.args }) !== callData) return undefined;
  const calls = callsOfExecution(executed.args);
  return (
    calls && [...validators.map(({ module }) => ({ target: module, value: 0n, data: '0x6d61fe70' as const })), ...calls]
  );
}

const threeLists = (name: string) => `function ${name}(address[] dest, uint256[] value, bytes[] func)`;
const twoLists = 'function executeBatch(address[] dest, bytes[] func)';
const tupleSingle = 'function execute((address target, uint256 value, bytes callData) execution)';
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
  method('INFINITISM', '1.0.0', '0.9', { signature: one('execute'), ...single }),
  method('INFINITISM', '1.0.0', '0.9', { signature: tupleBatch, ...tuples }),
  method('SIMPLE_7702', '1.0.0', '0.9', { signature: one('execute'), ...single }),
  method('SIMPLE_7702', '1.0.0', '0.9', { signature: tupleBatch, ...tuples }),
  ...(
    [
      ['SOLADY', '1.0.0', '0.6'],
      ['SOLADY', '1.0.0', '0.7'],
      ['SOLADY', '1.0.0', '0.8'],
      ['SOLADY', '1.0.0', '0.9'],
      ['MODULAR_ACCOUNT', '1.0.0', '0.6'],
      ['MODULAR_ACCOUNT', '2.0.0', '0.7'],
      ['CIRCLE', '1.0.0', '0.7'],
    ] as const
  ).flatMap(([account, version, entryPoint]) => [
    method(account, version, entryPoint, { signature: one('execute'), ...single }),
    method(account, version, entryPoint, { signature: tupleBatch, ...tuples }),
  ]),
  method('METAMASK', '1.0.0', '0.7', { signature: tupleSingle, ...oneTuple }),
  behindExecuteUserOp(method('MODULAR_ACCOUNT', '2.0.0', '0.7', { signature: one('execute'), ...single })),
  behindExecuteUserOp(method('MODULAR_ACCOUNT', '2.0.0', '0.7', { signature: tupleBatch, ...tuples })),
  ...(
    [
      ['KERNEL', '3.1', '0.7'],
      ['NEXUS', '1.0.0', '0.7'],
      ['BICONOMY', '2.0.0', '0.7'],
      ['BICONOMY', '1.0.0', '0.7'],
      ['SAFE_7579', '1.0.0', '0.7'],
    ] as const
  ).flatMap(([account, version, entryPoint]) => [
    behindExecuteUserOp(method(account, version, entryPoint, { signature: erc7579Execute, ...executionSingle })),
    behindExecuteUserOp(method(account, version, entryPoint, { signature: erc7579Execute, ...executionBatch })),
  ]),
  ...(['0.7', '0.8', '0.9'] as const).flatMap((entryPoint) => [
    method('ERC7821', '1.0.0', entryPoint, { signature: erc7579Execute, ...erc7821Batch }),
    method('ERC7821', '1.0.0', entryPoint, { signature: erc7579Execute, ...erc7821BatchWithOpData('0x') }),
    method('ERC7821_OP_DATA', '1.0.0', entryPoint, { signature: erc7579Execute, ...erc7821AnyOpData }),
    method('ERC7821_OP_DATA', '1.0.0', entryPoint, { signature: erc7579Execute, ...erc7821AnyOpDataGiven }),
    ...(entryPoint === '0.9' ? [] : [calibur(entryPoint)]),
  ]),
  method('SAFE_7579', '1.0.0', '0.7', { signature: setupSafe, ...setupSafeAnd }),
  ...(
    [
      ['1.4.1', '0.6', safeBatch],
      ['1.4.1', '0.7', safeBatch],
      ['1.4.1', '0.9', safeBatch],
      ['1.5.0', '0.7', safe150Batch],
      ['1.5.0', '0.9', safe150Batch],
    ] as const
  ).flatMap(([version, entryPoint, batch]) =>
    ['executeUserOp', 'executeUserOpWithErrorString'].flatMap((name) => [
      method('SAFE', version, entryPoint, { signature: withOperation(name), ...safeSingle }),
      method('SAFE', version, entryPoint, { signature: withOperation(name), ...batch }),
    ]),
  ),
  method('AMBIRE', '1.0.0', '0.7', {
    signature: 'function executeBySender((address to, uint256 value, bytes data)[] calls)',
    ...ambireBatch,
  }),
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
      ['ERC7579', '1.0.0', '0.9'],
      ['METAMASK', '1.0.0', '0.7'],
      ['SAFE_7579', '1.0.0', '0.7'],
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
  ...(['0.6', '0.7'] as const).flatMap((entryPoint) => [
    method('THIRDWEB', '1.0.0', entryPoint, { signature: one('execute'), ...single }),
    method('THIRDWEB', '1.0.0', entryPoint, { signature: threeLists('executeBatch'), ...lists }),
  ]),
  method('COINBASE_SMART_WALLET', '1.0.0', '0.6', { signature: one('execute'), ...single }),
  method('COINBASE_SMART_WALLET', '1.0.0', '0.6', { signature: tupleBatch, ...tuples }),
];

/** What a decoder should make of a call. */
export function seenAs({ target, value, data }: FullCall) {
  return { target: target.toLowerCase(), value, data, ...(data.length < 10 ? {} : { selector: data.slice(0, 10) }) };
}

import {
  type AbiFunction,
  type Address,
  concatHex,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  parseAbiItem,
} from 'viem';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';

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
  readonly mostCalls: number;
  readonly carriesValue: boolean;
  encode(calls: readonly FullCall[]): Hex;
  /** The calls in call data that is canonical; `undefined` for any other. */
  decodeCanonical(callData: Hex): readonly FullCall[] | undefined;
};

type Shape = {
  readonly signature: string;
  readonly mostCalls: number;
  readonly carriesValue: boolean;
  args(calls: readonly FullCall[]): readonly unknown[];
  calls(args: readonly unknown[]): readonly FullCall[] | undefined;
};

const single: Omit<Shape, 'signature'> = {
  mostCalls: 1,
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
  mostCalls: 100,
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
  mostCalls: 100,
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
  mostCalls: 100,
  carriesValue: true,
  args: (calls) => [calls],
  calls: (args) => {
    const [calls] = args as [{ target: Address; value: bigint; data: Hex }[]];
    return calls.length === 0 ? undefined : calls;
  },
};

function method(account: string, version: string, entryPointVersion: EntryPointVersion, shape: Shape): AccountMethod {
  const item = parseAbiItem(shape.signature as 'function f(uint256)') as AbiFunction;
  const encodeArgs = (args: readonly unknown[]) => encodeFunctionData({ abi: [item], args });
  return {
    account,
    version,
    entryPointVersion,
    method: item.name,
    mostCalls: shape.mostCalls,
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
  method('INFINITISM', '1.0.0', '0.6', {
    signature: 'function executeBatch(address[] dest, bytes[] func)',
    ...listsWithoutValues,
  }),
  method('INFINITISM', '1.0.0', '0.7', { signature: one('execute'), ...single }),
  method('INFINITISM', '1.0.0', '0.7', { signature: threeLists('executeBatch'), ...listsWithOptionalValues }),
  method('INFINITISM', '1.0.0', '0.8', { signature: one('execute'), ...single }),
  method('INFINITISM', '1.0.0', '0.8', {
    signature: 'function executeBatch((address target, uint256 value, bytes data)[] calls)',
    ...tuples,
  }),
];

/** What a decoder should make of a call. */
export function seenAs({ target, value, data }: FullCall) {
  return { target: target.toLowerCase(), value, ...(data === '0x' ? {} : { selector: data.slice(0, 10) }) };
}

/** A word of call data, by its place after the selector. */
export function replaceWord(callData: Hex, index: number, word: bigint): Hex {
  const at = 10 + index * 64;
  return `${callData.slice(0, at)}${word.toString(16).padStart(64, '0')}${callData.slice(at + 64)}` as Hex;
}

export function appendData(callData: Hex, ...more: readonly Hex[]): Hex {
  return concatHex([callData, ...more]);
}

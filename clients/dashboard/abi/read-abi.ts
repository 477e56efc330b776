import { type AbiFunction, decodeFunctionData, type Hex, toFunctionSelector, toFunctionSignature } from 'viem';

type ReadAbi =
  | { readonly ok: true; readonly abi: string; readonly methods: readonly Method[] }
  | { readonly ok: false; readonly problem: string };

/** Reads an ABI in its usual forms: the JSON array, or a compiler's artifact with an `abi`. */
export function readAbi(text: string): ReadAbi {
  const abi = findAbi(text);
  if (abi === undefined) {
    return { ok: false, problem: 'This is not an ABI. Paste the JSON array, or the file that your compiler wrote.' };
  }
  try {
    const methods = abi.filter(isFunction).map(methodOf);
    if (methods.length === 0) return { ok: false, problem: 'This ABI has no functions.' };
    return { ok: true, abi: JSON.stringify(abi), methods: methods.toSorted((one, other) => order(one) - order(other)) };
  } catch {
    return { ok: false, problem: 'A function of this ABI has a type that Solidity does not know.' };
  }
}

function findAbi(text: string): unknown[] | undefined {
  try {
    const json: unknown = JSON.parse(text);
    if (Array.isArray(json)) return json;
    const inside = typeof json === 'object' && json !== null && 'abi' in json ? json.abi : undefined;
    return Array.isArray(inside) ? inside : undefined;
  } catch {
    return undefined;
  }
}

/** Whitelistable methods come first. */
function order({ whyNot }: Method): number {
  return whyNot === undefined ? 0 : 1;
}

function isFunction(item: unknown): item is AbiFunction {
  if (typeof item !== 'object' || item === null || !('type' in item) || item.type !== 'function') return false;
  return 'name' in item && typeof item.name === 'string' && 'inputs' in item && Array.isArray(item.inputs);
}

type Argument = { readonly name: string; readonly type: string; readonly value: string };

/** Decodes the arguments of call data by an ABI; undefined if it does not match. */
export function decodeCall(abi: string, data: string): readonly Argument[] | undefined {
  try {
    const functions = (JSON.parse(abi) as readonly AbiFunction[]).filter(({ type }) => type === 'function');
    const { functionName, args = [] } = decodeFunctionData({ abi: functions, data: data as Hex });
    const found = functions.find(({ name, inputs }) => name === functionName && inputs.length === args.length);
    return args.map((value, index) => ({
      name: found?.inputs[index]?.name || String(index),
      type: found?.inputs[index]?.type ?? '',
      value: textOf(value),
    }));
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each));
}

/** A function of an ABI, in the form of whitelist entries. */
export type Method = {
  readonly name: string;
  /** Name and types, such as `transfer(address,uint256)`: one overload. */
  readonly signature: string;
  readonly selector: string;
  readonly item: AbiFunction;
  /** Why it cannot be whitelisted; undefined where it can. */
  readonly whyNot: string | undefined;
};

function methodOf(item: AbiFunction): Method {
  const reads = item.stateMutability === 'view' || item.stateMutability === 'pure';
  return {
    name: item.name,
    signature: toFunctionSignature(item),
    selector: toFunctionSelector(item),
    item,
    whyNot: reads ? 'View methods cost no gas, so there is nothing to sponsor.' : undefined,
  };
}

/** Whether a whitelist includes a method: by its signature, or by its name, which includes every overload. */
export function isWhitelisted(whitelist: readonly string[], { name, signature }: Method): boolean {
  return whitelist.includes(signature) || whitelist.includes(name);
}

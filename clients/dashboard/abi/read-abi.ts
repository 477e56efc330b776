import type { AbiFunction } from 'viem';
import { type Method, methodOf } from './method-of.ts';

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

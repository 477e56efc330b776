import { type AbiFunction, decodeFunctionData, type Hex } from 'viem';

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

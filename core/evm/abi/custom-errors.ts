import { type Hex, keccak256, slice, stringToBytes } from 'viem';
import { canonicalAbiTypes } from './canonical-abi-type.ts';

/** A parameter of a custom error, as the JSON ABI has it. */
export type ErrorParameter = { readonly type: string; readonly components?: readonly ErrorParameter[] };

/** A custom error of an ABI: `signature` is canonical, `Refused(address)`; `selector` is lower case. */
export type CustomError = {
  readonly name: string;
  readonly signature: string;
  readonly selector: Hex;
  readonly inputs: readonly ErrorParameter[];
};

/** The custom errors of an ABI that was checked when it was registered (`parseAbi`). */
export function readCustomErrors(abi: string): readonly CustomError[] {
  const items: unknown = JSON.parse(abi);
  return Array.isArray(items) ? items.flatMap((item) => readCustomError(item) ?? []) : [];
}

function readCustomError(item: unknown): CustomError | undefined {
  if (typeof item !== 'object' || item === null || !('type' in item) || item.type !== 'error') return undefined;
  if (!('name' in item) || typeof item.name !== 'string') return undefined;
  const inputs = 'inputs' in item ? item.inputs : [];
  const types = canonicalAbiTypes(inputs);
  if (types === undefined) return undefined;
  const signature = `${item.name}${types}`;
  const selector = slice(keccak256(stringToBytes(signature)), 0, 4);
  return { name: item.name, signature, selector, inputs: readParameters(inputs) };
}

/** Keeps of each parameter what decoding needs. */
function readParameters(inputs: unknown): readonly ErrorParameter[] {
  if (!Array.isArray(inputs)) return [];
  return inputs.map((input: { type: string; components?: unknown }) =>
    input.components === undefined
      ? { type: input.type }
      : { type: input.type, components: readParameters(input.components) },
  );
}

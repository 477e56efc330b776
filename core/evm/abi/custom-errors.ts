import { type Hex, keccak256, slice, stringToBytes } from 'viem';
import { canonicalAbiTypes } from './canonical-abi-type.ts';

/** A parameter of a custom error, as in the JSON ABI. */
export type ErrorParameter = { readonly type: string; readonly components?: readonly ErrorParameter[] };

/** A custom error of an ABI: `signature` is canonical, `Refused(address)`; `selector` is lower case. */
export type CustomError = {
  readonly name: string;
  readonly signature: string;
  readonly selector: Hex;
  /** Absent when there are more than `maxErrorParameters`: the error is then shown by name only. */
  readonly inputs?: readonly ErrorParameter[];
};

/**
 * Most parameters of an error, components of tuples included, whose arguments are decoded. Revert data has room for half as
 * many words (`maxRevertBytes`), but an ABI can declare tens of thousands, and every decoding would visit them all.
 */
const maxErrorParameters = 64;

/** The custom errors of an ABI that was checked at registration (`parseAbi`). */
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
  const named = { name: item.name, selector };
  // A signature that long is no more useful than the selector.
  if (countParameters(inputs) > maxErrorParameters) return { ...named, signature: `${item.name}(…) ${selector}` };
  return { ...named, signature, inputs: readParameters(inputs) };
}

/** Counts parameters and their components. Stops above the limit. */
function countParameters(inputs: unknown): number {
  if (!Array.isArray(inputs)) return 0;
  let count = inputs.length;
  for (const { components } of inputs as readonly { components?: unknown }[]) {
    if (count > maxErrorParameters) break;
    count += countParameters(components);
  }
  return count;
}

/** Keeps only what decoding needs of each parameter. */
function readParameters(inputs: unknown): readonly ErrorParameter[] {
  if (!Array.isArray(inputs)) return [];
  return inputs.map((input: { type: string; components?: unknown }) =>
    input.components === undefined
      ? { type: input.type }
      : { type: input.type, components: readParameters(input.components) },
  );
}

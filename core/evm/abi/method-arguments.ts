import { maxMethodParameters } from '@tollfree/contract/limits';
import { type Argument, readArguments } from './argument-type.ts';
import { type AbiFunction, countParameters, stateChangingItems } from './parse-abi.ts';

/** The parameters of a method, or why they cannot be read (the end of a sentence that begins with the method). */
export type ReadParameters = (selector: AbiFunction['selector']) => readonly Argument[] | string;

/**
 * Reads the parameters of the state-changing functions that `parseAbi` found in an ABI. The parameters of each method are
 * read once and kept.
 */
export function methodArguments(abi: string, functions: readonly AbiFunction[]): ReadParameters {
  const items = stateChangingItems(abi);
  const inputs = new Map(functions.map(({ selector }, index) => [selector, items[index]?.inputs]));
  const known = new Map<string, readonly Argument[] | string>();
  return (selector) => {
    const read = known.get(selector) ?? readParameters(inputs.get(selector));
    known.set(selector, read);
    return read;
  };
}

/** Applies the limit also to ABIs registered before it existed. */
function readParameters(inputs: unknown): readonly Argument[] | string {
  if (countParameters(inputs) > maxMethodParameters) return `has more than ${maxMethodParameters} parameters`;
  return readArguments(inputs) ?? 'has types that no compiler encodes';
}

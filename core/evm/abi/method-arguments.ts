import { type Argument, readArguments } from './argument-type.ts';
import { canonicalAbiTypes } from './canonical-abi-type.ts';

type JsonItem = { readonly type?: string; readonly name?: string; readonly inputs?: unknown };

/**
 * Finds the parameters of methods, by their signatures, in an ABI that was checked when it was registered (`parseAbi`).
 * Nothing for a method that is not there, or whose types no compiler can encode.
 */
export function methodArguments(abi: string): (signature: string) => readonly Argument[] | undefined {
  const items = JSON.parse(abi) as readonly JsonItem[];
  return (signature) => {
    const name = signature.slice(0, signature.indexOf('('));
    const item = items.find(
      ({ type = 'function', name: own, inputs = [] }) =>
        type === 'function' && own === name && `${name}${canonicalAbiTypes(inputs)}` === signature,
    );
    return item && readArguments(item.inputs);
  };
}

import { type AbiFunction, toFunctionSelector, toFunctionSignature } from 'viem';

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

/** Reads a function of an ABI. */
export function methodOf(item: AbiFunction): Method {
  const reads = item.stateMutability === 'view' || item.stateMutability === 'pure';
  return {
    name: item.name,
    signature: toFunctionSignature(item),
    selector: toFunctionSelector(item),
    item,
    whyNot: reads ? 'View methods cost no gas, so there is nothing to sponsor.' : undefined,
  };
}

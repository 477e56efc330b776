import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
} from 'viem';

type Args<Functions extends Abi, Name extends ContractFunctionName<Functions>> = ContractFunctionArgs<
  Functions,
  'pure' | 'view' | 'nonpayable' | 'payable',
  Name
>;

/**
 * The arguments of a call of this one function in canonical encoding; undefined for any other bytes. Only for functions
 * without arrays of dynamic items, which cost more to decode than they have bytes.
 */
export function readExactly<const Functions extends Abi, Name extends ContractFunctionName<Functions>>(
  functions: Functions,
  functionName: Name,
  data: Hex,
): Args<Functions, Name> | undefined {
  const abi: Abi = functions;
  try {
    const { functionName: called, args } = decodeFunctionData({ abi, data });
    if (
      called !== functionName ||
      encodeFunctionData({ abi, functionName: called, args }).toLowerCase() !== data.toLowerCase()
    ) {
      return undefined;
    }
    return args as Args<Functions, Name>; // the ABI has only this function
  } catch {
    return undefined;
  }
}

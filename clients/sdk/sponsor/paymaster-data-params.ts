import type { GetPaymasterDataParameters, GetPaymasterStubDataParameters } from 'viem/account-abstraction';
import { toWireUserOperation } from './user-operation-request.ts';
import { chainIdHex } from './wire-fields.ts';

/** Params of both ERC-7677 methods, with only the API's fields of the operation. */
export function paymasterDataParams(
  parameters: GetPaymasterStubDataParameters | GetPaymasterDataParameters,
): readonly unknown[] {
  const { chainId, entryPointAddress, context, ...userOperation } = parameters;
  return [toWireUserOperation(userOperation), entryPointAddress, chainIdHex(chainId), context];
}

import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { PaymasterDataParams } from '@tollfree/contract/rpc/paymaster-context';
import type { PaymasterDataRequest } from '../../core/domain/paymaster-data.ts';
import type { Result } from '../../core/domain/result/result.ts';
import { checkChainId } from './check-chain-id.ts';
import { paymasterContext } from './paymaster-context.ts';
import type { UncountedAddress } from './rpc-method.ts';
import { rawUserOperation } from './sponsorship-request.ts';

/** The parsed params of an ERC-7677 method in the core's form. */
export function paymasterDataRequest(
  [userOperation, entryPoint, chainId, context]: PaymasterDataParams,
  { chainId: ownChainId, apiKey, clientAddress, arrival, bearer }: UncountedAddress,
): Result<PaymasterDataRequest> {
  const foreign = checkChainId(chainId, ownChainId);
  if (foreign !== undefined) {
    return { ok: false, refusal: foreign };
  }
  const request: PaymasterDataRequest = {
    apiKey,
    chainId: ownChainId,
    ...omitAbsent({ clientAddress, arrival }),
    userOperation: rawUserOperation(userOperation),
    context: paymasterContext(context, bearer),
    entryPoint,
  };
  return { ok: true, value: request };
}

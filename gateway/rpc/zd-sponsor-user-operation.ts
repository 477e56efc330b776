import {
  type ZdSponsorUserOperationParams,
  zdSponsorUserOperation,
} from '@tollfree/contract/rpc/pm-sponsor-user-operation';
import { checkChainId } from './check-chain-id.ts';
import { sponsorUserOperationByEntryPointMethod } from './pm-sponsor-user-operation-by-entry-point.ts';
import type { RpcMethod } from './rpc-method.ts';

export const zdSponsorUserOperationMethod: RpcMethod<ZdSponsorUserOperationParams> = {
  method: zdSponsorUserOperation.method,
  params: zdSponsorUserOperation.params,
  paramCount: 1,
  async handle(core, [{ chainId, userOp, entryPointAddress, gasTokenData }], address) {
    const foreign = checkChainId(String(chainId), address.chainId);
    if (foreign !== undefined) {
      return { ok: false, refusal: { ...foreign, field: 'params[0].chainId' } };
    }
    const context = gasTokenData == null ? {} : { token: gasTokenData.tokenAddress };
    return sponsorUserOperationByEntryPointMethod.handle(core, [userOp, entryPointAddress, context], address);
  },
};

import {
  type TollfreeRelayUserOperationParams,
  tollfreeRelayUserOperation,
} from '@tollfree/contract/rpc/tollfree-relay';
import { paymasterDataRequest } from './paymaster-data-request.ts';
import type { RpcMethod } from './rpc-method.ts';

export const relayUserOperationMethod: RpcMethod<TollfreeRelayUserOperationParams> = {
  method: tollfreeRelayUserOperation.method,
  params: tollfreeRelayUserOperation.params,
  paramCount: 4,
  async handle(core, params, address) {
    const request = paymasterDataRequest(params, address);
    if (!request.ok) return request;
    const result = await core.relayUserOperation(request.value);
    if (!result.ok) return result;
    const { userOperationHash, decisionId } = result.value;
    return { ok: true, value: { jsonText: JSON.stringify(userOperationHash), decisionId } };
  },
};

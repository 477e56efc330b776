import {
  type TollfreeSendAuthorizationParams,
  tollfreeSendAuthorization,
} from '@tollfree/contract/rpc/tollfree-send-authorization';
import { paymasterDataRequest } from './paymaster-data-request.ts';
import type { RpcMethod } from './rpc-method.ts';

export const sendAuthorizationMethod: RpcMethod<TollfreeSendAuthorizationParams> = {
  method: tollfreeSendAuthorization.method,
  params: tollfreeSendAuthorization.params,
  paramCount: 4,
  async handle(core, [eip7702Auth, ...rest], address) {
    const request = paymasterDataRequest([{ eip7702Auth }, ...rest], address);
    if (!request.ok) return request;
    const result = await core.sendAuthorization(request.value);
    if (!result.ok) return result;
    const { userOperationHash, decisionId } = result.value;
    return { ok: true, value: { jsonText: JSON.stringify(userOperationHash), decisionId } };
  },
};

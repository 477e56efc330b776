import { tollfreePrepareRelay, tollfreeRelayUserOperation } from '@tollfree/contract/rpc/tollfree-relay';
import {
  type TollfreeSendAuthorizationParams,
  tollfreeSendAuthorization,
} from '@tollfree/contract/rpc/tollfree-send-authorization';
import { numberToHex } from 'viem';
import { paymasterDataMethod, paymasterDataRequest } from './paymaster-data-request.ts';
import type { RpcMethod } from './rpc-response.ts';

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

export const prepareRelayMethod = paymasterDataMethod(
  tollfreePrepareRelay,
  (core, request) => core.prepareRelay(request),
  ({ decisionId, callGasLimit, verificationGasLimit, preVerificationGas }) => {
    const terms = {
      maxFeePerGas: '0x0',
      maxPriorityFeePerGas: '0x0',
      callGasLimit: numberToHex(callGasLimit),
      verificationGasLimit: numberToHex(verificationGasLimit),
      preVerificationGas: numberToHex(preVerificationGas),
    };
    return { jsonText: JSON.stringify(terms), decisionId };
  },
);

export const relayUserOperationMethod = paymasterDataMethod(
  tollfreeRelayUserOperation,
  (core, request) => core.relayUserOperation(request),
  ({ userOperationHash, decisionId }) => ({ jsonText: JSON.stringify(userOperationHash), decisionId }),
);

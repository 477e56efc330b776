import { tollfreePrepareRelay, tollfreeRelayUserOperation } from '@tollfree/contract/rpc/tollfree-relay';
import { numberToHex } from 'viem';
import { paymasterDataMethod } from './paymaster-data-request.ts';

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

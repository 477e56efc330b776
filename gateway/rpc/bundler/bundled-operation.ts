import { omitAbsent } from '@tollfree/contract/omit-absent';
import {
  type BundledOperationParams,
  type EthEstimateUserOperationGasParams,
  ethEstimateUserOperationGas,
  ethSendUserOperation,
} from '@tollfree/contract/rpc/bundler-methods';
import { numberToHex } from 'viem';
import type { SentUserOperation } from '../../../core/domain/bundling.ts';
import type { Core } from '../../../core/domain/core.ts';
import type { Result } from '../../../core/domain/result/result.ts';
import type { GasLimits } from '../../../core/domain/user-operation.ts';
import { jsonObject } from '../json/json-text.ts';
import { hexJson } from '../json/paymaster-fields-json.ts';
import { paymasterDataRequest } from '../paymaster-data-request.ts';
import type { RpcMethod, UncountedAddress } from '../rpc-method.ts';
import { rawUserOperation } from '../sponsorship-request.ts';

export const sendUserOperationMethod: RpcMethod<BundledOperationParams> = {
  method: ethSendUserOperation.method,
  params: ethSendUserOperation.params,
  paramCount: 2,
  async handle(core, [userOperation, entryPoint], asking) {
    const { apiKey, chainId, clientAddress, arrival } = asking;
    const sent = isUnpaid(userOperation)
      ? await relay(core, [userOperation, entryPoint], asking)
      : await core.sendUserOperation({
          ...{ apiKey, chainId, clientAddress, arrival, entryPoint },
          userOperation: rawUserOperation(userOperation),
        });
    if (!sent.ok) return sent;
    const { userOperationHash, decisionId } = sent.value;
    return { ok: true, value: { jsonText: `"${userOperationHash}"`, ...omitAbsent({ decisionId }) } };
  },
};

/**
 * No bundler would accept such an operation for its fees: it is sent to be relayed, as with `tollfree_relayUserOperation`.
 */
function isUnpaid(operation: BundledOperationParams[0]): boolean {
  const { paymaster, paymasterAndData, maxFeePerGas, maxPriorityFeePerGas } = operation;
  const isNone = (given: string | number | null | undefined) => given == null || /^(0x)?0*$/.test(String(given));
  return (
    [paymaster, paymasterAndData, maxPriorityFeePerGas].every(isNone) && maxFeePerGas != null && isNone(maxFeePerGas)
  );
}

async function relay(
  core: Core,
  [userOperation, entryPoint]: BundledOperationParams,
  asking: UncountedAddress,
): Promise<Result<SentUserOperation>> {
  const request = paymasterDataRequest([userOperation, entryPoint, numberToHex(asking.chainId), undefined], asking);
  return request.ok ? core.relayUserOperation(request.value) : request;
}

export const estimateUserOperationGasMethod: RpcMethod<EthEstimateUserOperationGasParams> = {
  method: ethEstimateUserOperationGas.method,
  params: ethEstimateUserOperationGas.params,
  paramCount: 3,
  async handle(core, [userOperation, entryPoint, override], { apiKey, chainId, clientAddress, arrival }) {
    const stateOverrideJson = override == null ? undefined : JSON.stringify(override);
    const estimated = await core.estimateUserOperationGas({
      ...{ apiKey, chainId, clientAddress, arrival, entryPoint, userOperation: rawUserOperation(userOperation) },
      ...omitAbsent({ stateOverrideJson }),
    });
    return estimated.ok ? { ok: true, value: { jsonText: limitsJson(estimated.value) } } : estimated;
  },
};

function limitsJson(limits: Partial<GasLimits>): string {
  const fields = Object.entries(limits).map(([name, limit]) => [name, hexJson(limit)]);
  return jsonObject(Object.fromEntries(fields));
}

import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { BundledOperationParams } from '@tollfree/contract/rpc/bundler/bundled-operation';
import {
  type EthEstimateUserOperationGasParams,
  ethEstimateUserOperationGas,
} from '@tollfree/contract/rpc/bundler/eth-estimate-user-operation-gas';
import { ethSendUserOperation } from '@tollfree/contract/rpc/bundler/eth-send-user-operation';
import type { GasLimits } from '../../../core/domain/user-operation.ts';
import { jsonObject } from '../json/json-text.ts';
import { hexJson } from '../json/paymaster-fields-json.ts';
import type { RpcMethod } from '../rpc-method.ts';
import { rawUserOperation } from '../sponsorship-request.ts';

export const sendUserOperationMethod: RpcMethod<BundledOperationParams> = {
  method: ethSendUserOperation.method,
  params: ethSendUserOperation.params,
  paramCount: 2,
  async handle(core, [userOperation, entryPoint], { apiKey, chainId, clientAddress, arrival }) {
    const request = { apiKey, chainId, clientAddress, arrival, entryPoint };
    const sent = await core.sendUserOperation({ ...request, userOperation: rawUserOperation(userOperation) });
    if (!sent.ok) return sent;
    const { userOperationHash, decisionId } = sent.value;
    return { ok: true, value: { jsonText: `"${userOperationHash}"`, ...omitAbsent({ decisionId }) } };
  },
};

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

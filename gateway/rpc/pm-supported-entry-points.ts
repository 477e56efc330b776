import {
  type PmSupportedEntryPointsParams,
  pmSupportedEntryPoints,
} from '@tollfree/contract/rpc/pm-supported-entry-points';
import type { RpcMethod } from './rpc-method.ts';

export const supportedEntryPointsMethod: RpcMethod<PmSupportedEntryPointsParams> = {
  method: pmSupportedEntryPoints.method,
  params: pmSupportedEntryPoints.params,
  paramCount: 0,
  async handle(core, _params, { apiKey, chainId, arrival }) {
    const result = await core.listEntryPoints({ apiKey, chainId, arrival });
    return result.ok ? { ok: true, value: { jsonText: JSON.stringify(result.value) } } : result;
  },
};

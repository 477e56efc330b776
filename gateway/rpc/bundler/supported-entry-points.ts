import { ethSupportedEntryPoints } from '@tollfree/contract/rpc/bundler-methods';
import type { NoParams } from '@tollfree/contract/rpc/chain-reference';
import type { RpcMethod } from '../rpc-method.ts';

export const bundlerEntryPointsMethod: RpcMethod<NoParams> = {
  method: ethSupportedEntryPoints.method,
  params: ethSupportedEntryPoints.params,
  paramCount: 0,
  async handle(core, _params, { apiKey, chainId, clientAddress, arrival }) {
    const found = await core.listBundlerEntryPoints({ apiKey, chainId, clientAddress, arrival });
    return found.ok ? { ok: true, value: { jsonText: JSON.stringify(found.value) } } : found;
  },
};

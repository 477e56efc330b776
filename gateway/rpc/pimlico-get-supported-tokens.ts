import { type PimlicoGetSupportedTokensParams, pimlicoGetSupportedTokens } from '@tollfree/contract/rpc/pimlico-tokens';
import type { RpcMethod } from './rpc-method.ts';

export const getSupportedTokensMethod: RpcMethod<PimlicoGetSupportedTokensParams> = {
  method: pimlicoGetSupportedTokens.method,
  params: pimlicoGetSupportedTokens.params,
  paramCount: 0,
  async handle(core, _params, { apiKey, chainId, arrival }) {
    const result = await core.listSupportedTokens({ apiKey, chainId, arrival });
    if (!result.ok) {
      return result;
    }
    const tokens = result.value.map(({ symbol, decimals, address }) => ({
      name: symbol,
      symbol,
      decimals,
      token: address,
    }));
    return { ok: true, value: { jsonText: JSON.stringify(tokens) } };
  },
};

import { ethSupportedEntryPoints } from '@tollfree/contract/rpc/bundler-methods';
import { type EthChainIdParams, ethChainId, type PmChainIdParams, pmChainId } from '@tollfree/contract/rpc/chain-id';
import type { NoParams } from '@tollfree/contract/rpc/chain-reference';
import { numberToHex } from 'viem';
import type { RpcMethod } from './rpc-response.ts';

/**
 * Asks the core although the address contains the answer: only the core knows whether the chain is served and the apiKey
 * valid.
 */
const answerChainId: RpcMethod<EthChainIdParams | PmChainIdParams>['handle'] = async (
  core,
  _params,
  { apiKey, chainId, arrival },
) => {
  const known = await core.listEntryPoints({ apiKey, chainId, arrival });
  return known.ok ? { ok: true, value: { jsonText: JSON.stringify(numberToHex(chainId)) } } : known;
};

export const ethChainIdMethod: RpcMethod<EthChainIdParams> = {
  method: ethChainId.method,
  params: ethChainId.params,
  paramCount: 0,
  handle: answerChainId,
};

export const pmChainIdMethod: RpcMethod<PmChainIdParams> = {
  method: pmChainId.method,
  params: pmChainId.params,
  paramCount: 0,
  handle: answerChainId,
};

export const bundlerEntryPointsMethod: RpcMethod<NoParams> = {
  method: ethSupportedEntryPoints.method,
  params: ethSupportedEntryPoints.params,
  paramCount: 0,
  async handle(core, _params, { apiKey, chainId, clientAddress, arrival }) {
    const found = await core.listBundlerEntryPoints({ apiKey, chainId, clientAddress, arrival });
    return found.ok ? { ok: true, value: { jsonText: JSON.stringify(found.value) } } : found;
  },
};

import { type Address, getAddress } from 'viem';
import type { BundlerRequest } from '../domain/bundling.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { BundlingParts } from './bundling-parts.ts';
import { inBundlerTurn, openBundler } from './open-bundler.ts';
import { refuseByReply, refuseUnavailable } from './reply-refusals.ts';

/**
 * `eth_supportedEntryPoints`: what the bundler supports of what can be sent here. The paymaster's own EntryPoint is always the
 * first, as `pm_supportedEntryPoints` answers it: without it nothing would be of use.
 */
export async function listBundlerEntryPoints(
  parts: BundlingParts,
  request: BundlerRequest,
): Promise<Result<readonly Address[]>> {
  const opened = await openBundler(parts, request);
  if (!opened.ok) return opened;
  const { chain, contract, bundler, expose } = opened.value;
  return inBundlerTurn(parts, opened.value, request, async () => {
    const reply = await bundler.ask({ method: 'eth_supportedEntryPoints', params: [] });
    if (reply.kind !== 'result') return refuseByReply(reply);
    if (!Array.isArray(reply.result)) return refuseUnavailable('gave an answer that is not valid');
    const theirs = new Set(reply.result.map((address) => String(address).toLowerCase()));
    const own = getAddress(contract.location.entryPoint);
    if (!theirs.has(own.toLowerCase())) {
      return refuse({
        reason: 'ENTRY_POINT_NOT_SUPPORTED',
        message: `The bundler of this chain does not support the paymaster's EntryPoint ${own}.`,
      });
    }
    const others =
      expose === 'ANY' ? Object.values(chain.config.entryPoints).map((address) => getAddress(address)) : [];
    return accept([...new Set([own, ...others.filter((address) => theirs.has(address.toLowerCase()))])]);
  });
}

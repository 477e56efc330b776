import type { BundlerRequest, OperationView } from '../domain/bundling.ts';
import { accept, type Result } from '../domain/result/result.ts';
import type { BundlingParts } from './bundling-parts.ts';
import { inBundlerTurn, openBundler } from './open-bundler.ts';
import { readHash } from './read-hash.ts';
import { refuseByReply, refuseUnavailable } from './reply-refusals.ts';

const methods = {
  operation: 'eth_getUserOperationByHash',
  receipt: 'eth_getUserOperationReceipt',
} as const satisfies Record<OperationView, string>;

/** `eth_getUserOperationByHash` and `eth_getUserOperationReceipt`, in the bundler's own words: `null` or an object. */
export async function lookUpUserOperation(
  parts: BundlingParts,
  request: BundlerRequest & { readonly view: OperationView; readonly userOperationHash: string },
): Promise<Result<{ readonly json: string }>> {
  const opened = await openBundler(parts, request);
  if (!opened.ok) return opened;
  const hash = readHash(request.userOperationHash);
  if (!hash.ok) return hash;
  return inBundlerTurn(parts, opened.value, request, async () => {
    const reply = await opened.value.bundler.ask({ method: methods[request.view], params: [hash.value] });
    if (reply.kind !== 'result') return refuseByReply(reply);
    const { result, json } = reply;
    if (result === null) return accept({ json });
    if (typeof result !== 'object' || Array.isArray(result))
      return refuseUnavailable('gave an answer that is not valid');
    return isOfAnother(result, hash.value) ? refuseUnavailable('answered about another operation') : accept({ json });
  });
}

/** A receipt names its operation. */
function isOfAnother(result: object, hash: string): boolean {
  const named = (result as Record<string, unknown>).userOpHash;
  return named !== undefined && String(named).toLowerCase() !== hash;
}

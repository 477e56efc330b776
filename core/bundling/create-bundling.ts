import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Address, getAddress } from 'viem';
import type { BundlerRequest, OperationView } from '../domain/bundling.ts';
import type { BundlerOperations } from '../domain/operations/bundler-operations.ts';
import type { RefusalReason } from '../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import { createPriceQuestion } from './ask-for-prices.ts';
import type { BundlerCallOutcome, BundlingParts } from './bundling-parts.ts';
import { estimateUserOperationGas } from './estimate-user-operation-gas.ts';
import { inBundlerTurn, openBundler } from './open-bundler.ts';
import { quoteGasPrices } from './quote-gas-prices.ts';
import { readHash } from './read-hash.ts';
import { readUserOperationStatus } from './read-user-operation-status.ts';
import { refuseByReply, refuseUnavailable } from './reply-refusals.ts';
import { sendUserOperation } from './send-user-operation.ts';

const methods = {
  operation: 'eth_getUserOperationByHash',
  receipt: 'eth_getUserOperationReceipt',
} as const satisfies Record<OperationView, string>;

/** `eth_getUserOperationByHash` and `eth_getUserOperationReceipt`, with the bundler's own answer: `null` or an object. */
async function lookUpUserOperation(
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

const outcomes: Partial<Record<RefusalReason, BundlerCallOutcome>> = {
  BUNDLER_REFUSED: 'refused',
  BUNDLER_UNAVAILABLE: 'unavailable',
};

/** The bundler side of `Core`. */
export function createBundling(given: BundlingParts): BundlerOperations {
  const parts = { ...given, askForPrices: createPriceQuestion(given.clock) };

  function noted<Request extends { readonly chainId: number }, T>(
    name: keyof BundlerOperations,
    perform: (all: typeof parts, request: Request) => Promise<Result<T>>,
  ): (request: Request) => Promise<Result<T>> {
    return async (request) => {
      const result = await perform(parts, request);
      const outcome = result.ok ? 'answered' : (outcomes[result.refusal.reason] ?? 'denied');
      parts.noteCall(request.chainId, name, outcome);
      if (!result.ok) {
        const { reason, decisionId } = result.refusal;
        parts.logger.info(
          { operation: name, chainId: request.chainId, reason, ...omitAbsent({ decisionId }) },
          'Refused',
        );
      }
      return result;
    };
  }

  return {
    sendUserOperation: noted('sendUserOperation', sendUserOperation),
    estimateUserOperationGas: noted('estimateUserOperationGas', estimateUserOperationGas),
    lookUpUserOperation: noted('lookUpUserOperation', lookUpUserOperation),
    readUserOperationStatus: noted('readUserOperationStatus', readUserOperationStatus),
    quoteGasPrices: noted('quoteGasPrices', quoteGasPrices),
    listBundlerEntryPoints: noted('listBundlerEntryPoints', listBundlerEntryPoints),
  };
}

/**
 * `eth_supportedEntryPoints`: the EntryPoints that both the bundler and this service support. The paymaster's own EntryPoint
 * is always first, as in `pm_supportedEntryPoints`: without it nothing would work.
 */
async function listBundlerEntryPoints(
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

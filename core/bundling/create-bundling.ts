import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { BundlerOperations } from '../domain/operations/bundler-operations.ts';
import type { RefusalReason } from '../domain/result/refusal.ts';
import type { Result } from '../domain/result/result.ts';
import { createPriceQuestion } from './ask-for-prices.ts';
import type { BundlerCallOutcome, BundlingParts } from './bundling-parts.ts';
import { estimateUserOperationGas } from './estimate-user-operation-gas.ts';
import { listBundlerEntryPoints } from './list-bundler-entry-points.ts';
import { lookUpUserOperation } from './look-up-user-operation.ts';
import { quoteGasPrices } from './quote-gas-prices.ts';
import { readUserOperationStatus } from './read-user-operation-status.ts';
import { sendUserOperation } from './send-user-operation.ts';

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

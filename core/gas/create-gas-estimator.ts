import type { ChainConfig } from '../domain/core-config.ts';
import { accept } from '../domain/result/result.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { createCircuitBreaker } from '../node/rpc/circuit-breaker.ts';
import { machineTimes, type Times } from '../node/rpc/create-endpoint.ts';
import type { QuestionNote } from '../node/rpc/observed-endpoint.ts';
import { type BundlerAnswer, createBundlerQuestion } from './ask-bundler.ts';
import { overEstimatesOf } from './compare-limits.ts';
import { createNodeEstimator } from './create-node-estimator.ts';
import type { EstimationRequest, GasEstimate, GasEstimator } from './estimator.ts';
import { createChainFees } from './fees/fee-models.ts';
import { createBundlerLimitsJudge } from './judge-bundler-limits.ts';
import { createOperationCheck } from './simulation/check-operation-runs.ts';
import { createEstimationContext } from './simulation/estimation-context.ts';

type Chain = { readonly client: ChainClient; readonly config: ChainConfig };

/**
 * Reports when the bundler's limits were useless several times in a row, with the reason, and when they are usable again.
 */
export type BundlerNotes = { rests(cause: unknown): void; returns(): void };

/** Estimates only with the chain's nodes. */
export function createOwnEstimator(options: Chain): GasEstimator {
  const { client, config } = options;
  const context = createEstimationContext(client, config);
  return createNodeEstimator(context, {
    fees: createChainFees(options),
    revertingOperations: config.allowRevertingOperations === true ? 'allowed' : 'refused',
    overEstimates: overEstimatesOf(config),
  });
}

/**
 * Estimates with the chain's nodes, and asks the configured bundler, if any, at the same time. The bundler is a third party:
 * its limits are used if they are good (see `createBundlerLimitsJudge`), and nothing else of its answer. After three useless
 * answers in a row it is paused for a while. It is not asked for operations that may revert, since bundlers do not estimate
 * those.
 */
export function createGasEstimator(
  options: Chain & {
    readonly times?: Times;
    readonly bundlerNotes?: BundlerNotes | undefined;
    readonly noteBundlerTimes?: QuestionNote | undefined;
  },
): GasEstimator {
  const { config, bundlerNotes, noteBundlerTimes, times = machineTimes } = options;
  const { bundler, callTimeoutMs, allowRevertingOperations, eip7702Marker = 'as-sent' } = config;
  const own = createOwnEstimator(options);
  if (bundler === undefined) return own;
  const question = { bundlerUrl: bundler.url, callTimeoutMs, eip7702Marker };
  const askBundler = createBundlerQuestion(question, times, noteBundlerTimes);
  const judge = createBundlerLimitsJudge(config, createOperationCheck(options));
  const breaker = createCircuitBreaker({
    clock: times.clock,
    onRest: bundlerNotes?.rests,
    onReturn: bundlerNotes?.returns,
  });

  async function improve(request: EstimationRequest, own: GasEstimate, asked: Promise<BundlerAnswer>) {
    const answer = await asked;
    const verdict = answer.kind === 'limits' ? await judge(request, own, answer.limits) : answer;
    if (verdict.kind === 'useless') breaker.failed(verdict.cause);
    else breaker.succeeded();
    return verdict.kind === 'limits' ? { ...own, limits: verdict.limits, ownLimits: own.limits } : own;
  }

  return {
    async estimate(request) {
      const isAsked = allowRevertingOperations !== true && request.mayRevert !== true && !breaker.rests();
      const asked = isAsked ? askBundler(request) : undefined;
      const estimated = await own.estimate(request);
      if (!estimated.ok) return estimated;
      if (asked !== undefined) return accept(await improve(request, estimated.value, asked));
      if (request.mayRevert !== true && breaker.takeTrial())
        void improve(request, estimated.value, askBundler(request));
      return estimated;
    },
  };
}

import { maxBigint } from '../base/values/integers.ts';
import type { ChainConfig } from '../domain/core-config.ts';
import { accept } from '../domain/result/result.ts';
import type { GasLimits } from '../domain/user-operation.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { createCircuitBreaker } from '../node/rpc/circuit-breaker.ts';
import { machineTimes, type QuestionNote, type Times } from '../node/rpc/create-endpoint.ts';
import { type BundlerAnswer, type BundlerLimits, createBundlerQuestion } from './ask-bundler.ts';
import { type Bounds, boundsOf, findExcess, overPreVerificationGas } from './compare-limits.ts';
import { createNodeEstimator } from './create-node-estimator.ts';
import type { EstimationRequest, GasEstimate, GasEstimator } from './estimator.ts';
import { createChainFees } from './fees/fee-models.ts';
import { gasScheduleOf } from './gas-schedule.ts';
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
    overEstimate: overPreVerificationGas(config),
  });
}

/**
 * Estimates with the chain's nodes, and asks the first configured bundler, if any, at the same time. The bundler is a third party:
 * its limits are used if they are good (see `judgeBundlerLimits`), and nothing else of its answer. After three useless
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
  const bundlerUrl = bundler?.asksForLimits === true ? bundler.urls[0] : undefined;
  if (bundlerUrl === undefined) return own;
  const question = { bundlerUrl, callTimeoutMs, eip7702Marker };
  const askBundler = createBundlerQuestion(question, times, noteBundlerTimes);
  const breaker = createCircuitBreaker({
    clock: times.clock,
    onRest: bundlerNotes?.rests,
    onReturn: bundlerNotes?.returns,
  });

  async function improve(request: EstimationRequest, own: GasEstimate, asked: Promise<BundlerAnswer>) {
    const answer = await asked;
    const bounds = boundsOf(config, gasScheduleOf(options.client), request.operation.entryPointVersion);
    const verdict = answer.kind === 'limits' ? judgeBundlerLimits(request, own, answer.limits, bounds) : answer;
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

/**
 * A lower share of our own `preVerificationGas`, in basis points, does not cover the work: no other bundler would accept it.
 */
const minPreVerificationGasShare = 5_000n;

/** The limits to return instead of our own, or why the bundler's are of no use. */
type JudgedLimits =
  | { readonly kind: 'limits'; readonly limits: GasLimits }
  | { readonly kind: 'useless'; readonly cause: Error };

/**
 * Takes a bundler's limits if they are within the bounds for callers' limits. Of a limit that the operation spends, the higher
 * one is taken: ours was tried in the simulation that found it, so nothing has to be simulated again. Of `preVerificationGas`,
 * which is charged in full, the bundler's. The paymaster's own limits stay ours.
 */
export function judgeBundlerLimits(
  request: Pick<EstimationRequest, 'callGasAllowance'>,
  own: GasEstimate,
  given: BundlerLimits,
  bounds: Bounds,
): JudgedLimits {
  const limits: GasLimits = {
    ...own.limits,
    callGasLimit: maxBigint(given.callGasLimit + request.callGasAllowance, own.limits.callGasLimit),
    verificationGasLimit: maxBigint(given.verificationGasLimit, own.limits.verificationGasLimit),
    preVerificationGas: given.preVerificationGas,
  };
  const excess = findExcess(limits, own, bounds);
  if (excess !== undefined) {
    const { field, asked, max } = excess;
    return useless(
      `The bundler's ${field} of ${asked} is above the maximum of ${max} derived from the service's own estimate.`,
    );
  }
  const least = (own.limits.preVerificationGas * minPreVerificationGasShare) / 10_000n;
  if (limits.preVerificationGas >= least) return { kind: 'limits', limits };
  return useless(`The bundler's preVerificationGas of ${limits.preVerificationGas} is below ${least}.`);
}

function useless(message: string): JudgedLimits {
  return { kind: 'useless', cause: new Error(message) };
}

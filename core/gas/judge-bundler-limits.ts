import type { ChainConfig } from '../domain/core-config.ts';
import type { GasLimits } from '../domain/user-operation.ts';
import type { BundlerAnswer, BundlerLimits } from './ask-bundler.ts';
import { defaultOverEstimates, findExcess, overEstimatesOf } from './compare-limits.ts';
import type { EstimationRequest, GasEstimate } from './estimator.ts';
import type { OperationCheck } from './simulation/check-operation-runs.ts';

/**
 * Gas by which a bundler's limit may exceed our own estimate, in addition to a quarter of it. Where bundlers are named,
 * callers may request more verification gas. An estimate does not need it, and it would push an operation over the
 * operator's caps.
 */
const { allowance } = defaultOverEstimates;
/**
 * A lower share of our own `preVerificationGas`, in basis points, does not cover the work: no other bundler would accept it.
 */
const minPreVerificationGasShare = 5_000n;

/** The EntryPoint's code for a failing payment, as for a quote before its tokens are approved. */
const paymentFails = 'AA50';

/** The limits to return instead of our own, or why they are not good. */
type JudgedLimits =
  | { readonly kind: 'limits'; readonly limits: GasLimits }
  | Exclude<BundlerAnswer, { readonly kind: 'limits' }>;

type BundlerLimitsJudge = (request: EstimationRequest, own: GasEstimate, given: BundlerLimits) => Promise<JudgedLimits>;

/**
 * A bundler's limits are good if they are within the bounds for callers' limits and the operation runs with them in a
 * simulation on our own nodes, both with and without the room added for what cannot be estimated yet. The paymaster's own
 * limits stay ours.
 */
export function createBundlerLimitsJudge(config: ChainConfig, check: OperationCheck): BundlerLimitsJudge {
  const overEstimates = { ...overEstimatesOf(config), allowance };
  return async (request, own, given) => {
    const limits: GasLimits = { ...own.limits, ...given, callGasLimit: given.callGasLimit + request.callGasAllowance };
    const excess = findExcess(limits, own, overEstimates);
    if (excess !== undefined) {
      const { field, asked, max } = excess;
      return useless(
        `The bundler's ${field} of ${asked} is above the maximum of ${max} derived from our own estimate.`,
      );
    }
    const least = (own.limits.preVerificationGas * minPreVerificationGasShare) / 10_000n;
    if (limits.preVerificationGas < least) {
      return useless(`The bundler's preVerificationGas of ${limits.preVerificationGas} is below ${least}.`);
    }
    const operation = { ...request.operation, gas: { ...limits, callGasLimit: given.callGasLimit } };
    const tried = await check.simulate({ ...request, operation });
    if (tried.ok && tried.value.success) return { kind: 'limits', limits };
    if (tried.ok) return useless("The operation's call reverts with the bundler's limits but not with ours.");
    // The node is unavailable, or the failure has another cause than the limits.
    const isLimits = tried.refusal.reason === 'ESTIMATION_FAILED' && tried.refusal.details?.aaCode !== paymentFails;
    return isLimits ? useless("The operation fails with the bundler's limits but not with ours.") : { kind: 'refused' };
  };
}

function useless(message: string) {
  return { kind: 'useless', cause: new Error(message) } as const;
}

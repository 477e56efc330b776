import type { ChainConfig } from '../domain/core-config.ts';
import type { GasLimits } from '../domain/user-operation.ts';
import type { BundlerAnswer, BundlerLimits } from './ask-bundler.ts';
import { defaultOverEstimates, findExcess, overEstimatesOf } from './compare-limits.ts';
import type { EstimationRequest, GasEstimate } from './estimator.ts';
import type { OperationCheck } from './simulation/check-operation-runs.ts';

/**
 * Gas that a bundler's limit may be above our own estimate's on top of the quarter. Where bundlers are named, callers may ask
 * for more verification gas: an estimate does not need it, and it would carry an operation over the operator's caps.
 */
const { allowance } = defaultOverEstimates;
/** Less than this part of our own `preVerificationGas`, in basis points, is not for its work: no other bundler takes it. */
const minPreVerificationGasShare = 5_000n;

/** The EntryPoint's code for a payment that fails: of a quote before its tokens are approved. */
const paymentFails = 'AA50';

/** The limits to hand out instead of our own, or why these are not good. */
type JudgedLimits =
  | { readonly kind: 'limits'; readonly limits: GasLimits }
  | Exclude<BundlerAnswer, { readonly kind: 'limits' }>;

type BundlerLimitsJudge = (request: EstimationRequest, own: GasEstimate, given: BundlerLimits) => Promise<JudgedLimits>;

/**
 * A bundler's limits are good when they are within the bounds of what callers may give, and the operation runs with
 * them in a simulation on our own nodes: with them, and without the room that is added for what cannot be seen yet. The
 * paymaster's own limits stay ours.
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
    // The node is away, or it is not the limits that it fails for.
    const isLimits = tried.refusal.reason === 'ESTIMATION_FAILED' && tried.refusal.details?.aaCode !== paymentFails;
    return isLimits ? useless("The operation fails with the bundler's limits but not with ours.") : { kind: 'refused' };
  };
}

function useless(message: string) {
  return { kind: 'useless', cause: new Error(message) } as const;
}

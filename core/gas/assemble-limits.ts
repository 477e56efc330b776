import { maxBigint } from '../base/values/integers.ts';
import type { GasLimits } from '../domain/user-operation.ts';
import { entryPointOf } from '../evm/entry-point/entry-points.ts';
import { countPreVerificationGas } from './fees/pre-verification-gas.ts';
import type { Measured } from './measure-request.ts';
import type { Counting } from './node-estimator-context.ts';
import { withLimits } from './simulation/estimation-context.ts';
import {
  addMargin,
  callMarginBasisPoints,
  postOpMarginBasisPoints,
  unmeasuredPostOpGas,
  verificationMarginBasisPoints,
} from './simulation/estimation-limits.ts';

/** Limits to hand out, and the most `preVerificationGas` that is signed, without what a layer 2 charges for data. */
type Assembled = { readonly limits: GasLimits; readonly maxPreVerificationGas: bigint };

/** The limits to hand out for what was measured, with margins; `CallGasProbe` makes the same to try them. */
export function assembleLimits(
  { request, verification, measurement: { probed }, paymasterGas }: Measured,
  forData: bigint,
  { schedule, overEstimate, model }: Counting,
): Assembled {
  const { isPacked } = entryPointOf(request.operation.entryPointVersion);
  // A call that reverts has no smallest limit to search for; what it burns until then is all it needs.
  const needs = probed.executed ? probed.executionLimit : probed.executionUsed;
  const call = addMargin(needs, callMarginBasisPoints) + request.callGasAllowance;
  const postOp = addMargin(probed.postOpLimit, postOpMarginBasisPoints);
  const unmeasuredPostOp = probed.hasPostOp && !probed.charged ? unmeasuredPostOpGas(schedule) : 0n;
  const limits: GasLimits = {
    callGasLimit: maxBigint(call, schedule.valueCall),
    verificationGasLimit: maxBigint(
      addMargin(verification.limit, verificationMarginBasisPoints),
      isPacked ? 0n : maxBigint(postOp, unmeasuredPostOp),
    ),
    paymasterVerificationGasLimit: paymasterGas.paymasterVerificationGasLimit,
    paymasterPostOpGasLimit: isPacked ? maxBigint(postOp, paymasterGas.paymasterPostOpGasLimit) : 0n,
    preVerificationGas: 0n,
  };
  const used = { validation: verification.used, execution: probed.executionUsed, postOp: probed.postOpLimit };
  const unused = model.chargesGasLimit === true ? unusedLimits(limits, used) : 0n;
  const { needed, most } = countPreVerificationGas(withLimits(request, limits), {
    schedule,
    meteredGas: verification.used + probed.executionUsed,
    overEstimate,
    unmeteredGas: unused + (model.extraOverhead ?? 0n),
  });
  return { limits: { ...limits, preVerificationGas: needed + forData }, maxPreVerificationGas: most };
}

/** What was measured of an operation: gas that validation, call and `postOp` use. */
type UsedGas = { readonly validation: bigint; readonly execution: bigint; readonly postOp: bigint };

/**
 * What a chain that charges the gas limit of a transaction takes for limits that are not used (Monad), where they are our own
 * for what was measured. A bundler sends all limits, and a 63rd of those that the EntryPoint wants to have left when it calls
 * the account (AA95).
 *
 * Limits of a caller above our own do not count: nothing makes a bundler send the gas of a verification limit, and one that
 * bundles its own operations would be paid for gas that it leaves out.
 */
function unusedLimits(own: GasLimits, used: UsedGas): bigint {
  const called = own.callGasLimit + own.paymasterPostOpGasLimit;
  const limits = called + own.verificationGasLimit + own.paymasterVerificationGasLimit;
  const unused = limits - used.validation - used.execution - used.postOp;
  return (unused > 0n ? unused : 0n) + (called + 62n) / 63n;
}

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

/** Limits to return, and the most `preVerificationGas` that is signed, excluding the data fee of a layer 2. */
type Assembled = { readonly limits: GasLimits; readonly maxPreVerificationGas: bigint };

/** Turns measurements into limits with margins; `CallGasProbe` computes the same to try them. */
export function assembleLimits(
  { request, verification, measurement: { probed }, paymasterGas }: Measured,
  forData: bigint,
  { schedule, overEstimate, model }: Counting,
): Assembled {
  const { isPacked } = entryPointOf(request.operation.entryPointVersion);
  // A reverting call has no smallest limit to search for; it needs what it burns until then.
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

/** Measured gas of an operation: what validation, call and `postOp` use. */
type UsedGas = { readonly validation: bigint; readonly execution: bigint; readonly postOp: bigint };

/**
 * The charge for unused gas on a chain that charges a transaction's gas limit (Monad), for our own limits. A bundler sends
 * all limits, plus the 63rd that the EntryPoint requires to be left when it calls the account (AA95).
 *
 * A caller's limits above our own do not count: nothing forces a bundler to send the gas of a verification limit, and one
 * that bundles its own operations would be paid for gas that it leaves out.
 */
function unusedLimits(own: GasLimits, used: UsedGas): bigint {
  const called = own.callGasLimit + own.paymasterPostOpGasLimit;
  const limits = called + own.verificationGasLimit + own.paymasterVerificationGasLimit;
  const unused = limits - used.validation - used.execution - used.postOp;
  return (unused > 0n ? unused : 0n) + (called + 62n) / 63n;
}

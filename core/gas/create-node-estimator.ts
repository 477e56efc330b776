import { omitAbsent } from '@tollfree/contract/omit-absent';
import { maxBigint } from '../base/values/integers.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { GasLimits } from '../domain/user-operation.ts';
import { entryPointOf } from '../evm/entry-point/entry-points.ts';
import { nodeGasExceeded } from '../node/node-error.ts';
import { findShortLimits } from './compare-limits.ts';
import {
  type Counting,
  countingOf,
  type GasEstimate,
  type GasEstimator,
  type GivenTrial,
  type NodeEstimatorContext,
  type NodeEstimatorOptions,
} from './estimator.ts';
import { dataGas } from './fees/data-fee.ts';
import { countPreVerificationGas } from './fees/pre-verification-gas.ts';
import { type GasSchedule, gasScheduleOf, gasSchedules } from './gas-schedule.ts';
import { type Measured, measureRequest, raiseLimit } from './measure-request.ts';
import { checkGasValues } from './simulation/check-operation-runs.ts';
import {
  addMargin,
  callMarginBasisPoints,
  type EstimationContext,
  limitRaises,
  postOpMarginBasisPoints,
  type SimulatedOperation,
  unmeasuredPostOpGas,
  verificationMarginBasisPoints,
  withEstimationSignature,
  withLimits,
} from './simulation/estimation-context.ts';
import { type Handling, type Measurement, measureOperation } from './simulation/measure-operation.ts';

/**
 * Estimates with one node in one round trip: one `eth_call` searches the limits and has the EntryPoint simulate the
 * operation with them. If the account is to be read, a small parallel call reads its storage. Further calls are made only if
 * a paymaster limit is too low, the EntryPoint rejects the limits, the operation waits for others of its account, or it is
 * too heavy for a single call.
 */
export function createNodeEstimator(estimation: EstimationContext, options: NodeEstimatorOptions = {}): GasEstimator {
  return {
    async estimate(given) {
      const inRange = checkGasValues(given.operation);
      if (!inRange.ok) return inRange;
      const code = await estimation.findCode(given.entryPoint, given.operation.entryPointVersion);
      if (!code.ok) return code;
      const schedule = gasScheduleOf(estimation.client);
      const context: NodeEstimatorContext = { ...estimation, options, code: code.value, schedule };
      const measured = await measureRequest(context, {
        ...given,
        operation: withEstimationSignature(given.operation),
        callGasAllowance: priceAllowance(given.callGasAllowance, schedule),
      });
      return measured.ok ? confirm(context, measured.value) : measured;
    },
  };
}

/** An approval added by the client writes one new slot, which a later fork charges more for. */
function priceAllowance(allowance: bigint, { newSlot }: GasSchedule): bigint {
  return allowance === 0n ? 0n : allowance + newSlot - gasSchedules.prague.newSlot;
}

/** Has the EntryPoint simulate the operation with the limits, raising those that are too low. */
async function confirm(context: NodeEstimatorContext, measured: Measured): Promise<Result<GasEstimate>> {
  const { request, dataFee, account, measurement } = measured;
  const { operation } = request;
  const forData = dataGas(dataFee, operation);
  if (!forData.ok) return forData;
  const { maxPreVerificationGas, ...assembled } = assembleLimits(measured, forData.value, countingOf(context));
  let { limits } = assembled;
  const estimate = (): Result<GasEstimate> =>
    accept({
      limits,
      maxPreVerificationGas,
      givenSuffice: measurement.settled,
      dataFee,
      dataGas: forData.value,
      nonce: operation.nonce,
      answers: measurement.answers,
      ...omitAbsent({ account, given: readGiven(measurement) }),
    });
  if (measurement.settled) return estimate();
  let handling = triedAlready(measurement, limits);
  for (let raises = 0; ; raises += 1) {
    const tried =
      handling === undefined ? await simulateHandling(context, withLimits(request, limits)) : accept(handling);
    if (!tried.ok) return tried;
    if (tried.value.taken) return estimate();
    const { refusal, shortLimit } = tried.value;
    // The estimate does not check whether the account has the tokens; their gas is included.
    const lacksTokens = refusal.details?.aaCode === 'AA50' && !measurement.probed.charged;
    if (lacksTokens) return estimate();
    if (shortLimit === undefined || raises === limitRaises) return refuse(refusal);
    limits = raiseLimit(limits, shortLimit);
    handling = undefined;
  }
}

/**
 * The EntryPoint's answer from the same call, if it used these limits. That trial's `preVerificationGas` does not include
 * the data fee of a layer 2. This limit is charged in full at any value, so it cannot decide whether the prefund suffices.
 */
function triedAlready({ own }: Measurement, limits: GasLimits): Handling | undefined {
  if (own === undefined || findShortLimits(limits, own.limits).length > 0) return undefined;
  return findShortLimits(own.limits, limits).length > 0 ? undefined : own.handling;
}

function readGiven({ given, probed }: Measurement): GivenTrial | undefined {
  if (given === undefined || probed.given === undefined) return undefined;
  return { handling: given.handling, call: probed.given };
}

/** Runs the operation through the EntryPoint's `simulateHandleOp` in a separate call. */
async function simulateHandling(
  context: NodeEstimatorContext,
  simulated: SimulatedOperation,
): Promise<Result<Handling>> {
  const given = simulated.operation.gas;
  const plan = { alone: true, executionCeiling: 0n, searchRounds: 0n, postOpRounds: 0n, given } as const;
  const tried = await measureOperation(context, simulated, context.code, plan);
  if (!tried.ok) return tried;
  return tried.value.given === undefined ? refuse(nodeGasExceeded) : accept(tried.value.given.handling);
}

/** Limits to return, and the most `preVerificationGas` that is signed, excluding the data fee of a layer 2. */
type Assembled = { readonly limits: GasLimits; readonly maxPreVerificationGas: bigint };

/** Turns measurements into limits with margins; `CallGasProbe` computes the same to try them. */
function assembleLimits(
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

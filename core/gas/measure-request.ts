import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Hex, zeroAddress } from 'viem';
import type { Refusal } from '../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { GasLimits } from '../domain/user-operation.ts';
import type { SeenAccount } from '../node/account-codes/seen-account.ts';
import { type Attempt, attemptMeasurement } from './attempt-measurement.ts';
import { allowsReverting, type EstimationRequest, type NodeEstimatorContext } from './estimator.ts';
import { executionReverted } from './failures/decode-failure.ts';
import type { DataFee } from './fees/data-fee.ts';
import { gasScheduleOf } from './gas-schedule.ts';
import {
  addMargin,
  executionCeiling,
  limitRaises,
  raiseBasisPoints,
  searchRounds,
  verificationCeiling,
  verificationCeilings,
  withLimits,
} from './simulation/estimation-context.ts';
import { type Measurement, measureOperation, type VerificationGas } from './simulation/measure-operation.ts';
import type { MeasurementPlan } from './simulation/plan-measurement.ts';

type PassedVerification = Extract<VerificationGas, { passes: true }>;

/** The measured needs of an operation that gets limits. */
export type Measured = {
  /** With the nonce used for the measurement. */
  readonly request: EstimationRequest;
  readonly verification: PassedVerification;
  readonly measurement: Measurement;
  readonly paymasterGas: EstimationRequest['paymasterGas'];
  readonly dataFee: DataFee;
  readonly account: SeenAccount | undefined;
};

/** Measures in a single state of the chain if the account is read, so that the recognized account is the simulated one. */
export async function measureRequest(
  context: NodeEstimatorContext,
  given: EstimationRequest,
): Promise<Result<Measured>> {
  let request = given;
  let paymasterGas = request.paymasterGas;
  let raises = 0;
  for (let moves = 0; moves <= maxMoves; ) {
    const attempt = await attemptMeasurement(context, request, searchingLimits(context, paymasterGas));
    if (!attempt.ok) return attempt;
    const { measurement, kept, nonce } = attempt.value;
    const verification = measurement.verification;
    if (nonce !== request.operation.nonce) {
      // The next nonce is read once; operations that land meanwhile are too late for this estimate.
      const { nonce: _, ...rest } = request;
      request = { ...rest, operation: { ...request.operation, nonce } };
    } else if (verification?.passes === false) {
      // If the paymaster's own limit does not suffice, raise that one first.
      const { refusal, shortLimit } = verification;
      if (shortLimit !== 'paymasterVerificationGasLimit' || raises === limitRaises) return refuse(refusal);
      paymasterGas = raiseLimit(paymasterGas, shortLimit);
      raises += 1;
    } else {
      const complete = await completeMeasurement(context, request, searchingLimits(context, paymasterGas), measurement);
      if (!complete.ok) return complete;
      const { moments } = complete.value;
      if (kept !== undefined) moments.add(kept.moment);
      // If the account is not read, a state change in between does not matter.
      if (request.accountSlots === undefined || moments.size === 1) {
        return judge(context, request, { ...attempt.value, ...complete.value, paymasterGas });
      }
      moves += 1;
    }
  }
  return refuse(movingChain);
}

/** The measurement, if the operation may get limits. */
function judge(
  context: NodeEstimatorContext,
  request: EstimationRequest,
  { measurement, kept, dataFee, paymasterGas }: Attempt & Pick<Measured, 'paymasterGas'>,
): Result<Measured> {
  const { probed, verification } = measurement;
  if (!probed.validated || verification?.passes !== true) return refuse(validatedOnlyOnce);
  const mayRevert = allowsReverting(context, request) && probed.executionUsed < spentCeiling;
  if (!probed.executed && !mayRevert) return refuse(executionReverted(probed.revertData));
  const { words = {}, beaconImplementation = zeroAddress } = kept ?? {};
  const wasThere = probed.senderWasThere && request.operation.initCode !== '0x';
  const account =
    request.accountSlots === undefined
      ? undefined
      : {
          code: probed.senderCode,
          words,
          beaconImplementation,
          ...(wasThere ? { wasThere } : {}),
        };
  return accept({ request, verification, measurement, paymasterGas, dataFee, account });
}

/** Limits of the operation during measurement: enough for all but exceptional operations. */
function searchingLimits(
  { client }: Pick<NodeEstimatorContext, 'client'>,
  paymasterGas: EstimationRequest['paymasterGas'],
): GasLimits {
  const [first = verificationCeiling] = verificationCeilings(gasScheduleOf(client));
  return {
    callGasLimit: 0n,
    verificationGasLimit: first,
    preVerificationGas: 0n,
    paymasterVerificationGasLimit: paymasterGas.paymasterVerificationGasLimit,
    paymasterPostOpGasLimit: paymasterGas.paymasterPostOpGasLimit,
  };
}

/** A failing call that burned more than this ran out of gas: allowed reverts stay below it. */
const spentCeiling = executionCeiling - executionCeiling / 32n;

const validatedOnlyOnce: Refusal = {
  reason: 'ESTIMATION_FAILED',
  message: 'The account or the paymaster behaves differently in two simulations of the same operation.',
  field: 'signature',
};

/** How often a measurement is repeated because the chain advanced between its calls. */
const maxMoves = 3;

const movingChain: Refusal = {
  reason: 'CHAIN_UNAVAILABLE',
  message: 'The node answers from another block each time.',
};

/** The limits with one of them raised. */
export function raiseLimit<Limits extends Partial<GasLimits>>(
  limits: Limits,
  limit: keyof Limits & keyof GasLimits,
): Limits {
  return { ...limits, [limit]: addMargin(limits[limit] ?? 0n, raiseBasisPoints) };
}

/** The final measurement, and the chain states it was made in. */
type Completed = { readonly measurement: Measurement; readonly moments: Set<Hex> };

const wholeRun: MeasurementPlan = { executionCeiling, searchRounds, postOpRounds: searchRounds };
const validationAlone: MeasurementPlan = {
  verification: 'search',
  alone: true,
  executionCeiling: 0n,
  searchRounds,
  postOpRounds: 0n,
};

/** Completes a search for which one call had too little gas: each limit in a separate call. */
async function completeMeasurement(
  context: NodeEstimatorContext,
  request: EstimationRequest,
  limits: GasLimits,
  measurement: Measurement,
): Promise<Result<Completed>> {
  const { verification, probed, moment } = measurement;
  const ask = (plan: MeasurementPlan) => measureOperation(context, withLimits(request, limits), context.code, plan);
  const isHeavyRun = probed.validated && !probed.searched;
  const isHeavyValidation = probed.validated && verification?.passes === true && !verification.narrowed;
  const [run, validation] = await Promise.all([
    isHeavyRun ? ask(wholeRun) : undefined,
    isHeavyValidation ? ask(validationAlone) : undefined,
  ]);
  const moments = new Set([moment]);
  let complete = measurement;
  if (run !== undefined) {
    if (!run.ok) return run;
    moments.add(run.value.moment);
    complete = { ...complete, probed: run.value.probed };
  }
  if (validation !== undefined) {
    if (!validation.ok) return validation;
    moments.add(validation.value.moment);
    complete = { ...complete, ...omitAbsent({ verification: validation.value.verification }) };
  }
  return accept({ measurement: complete, moments });
}

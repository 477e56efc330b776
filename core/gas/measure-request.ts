import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Hex, zeroAddress } from 'viem';
import type { Refusal } from '../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { GasLimits } from '../domain/user-operation.ts';
import type { SeenAccount } from '../node/account-codes/seen-account.ts';
import { type Attempt, attemptMeasurement } from './attempt-measurement.ts';
import type { EstimationRequest } from './estimator.ts';
import { executionReverted } from './failures/decode-failure.ts';
import type { DataFee } from './fees/data-fee.ts';
import { allowsReverting, type NodeEstimatorContext } from './node-estimator-context.ts';
import { withLimits } from './simulation/estimation-context.ts';
import {
  addMargin,
  executionCeiling,
  limitRaises,
  raiseBasisPoints,
  searchRounds,
  verificationCeilings,
} from './simulation/estimation-limits.ts';
import { type Measurement, measureOperation, type VerificationGas } from './simulation/measure-operation.ts';
import type { MeasurementPlan } from './simulation/plan-measurement.ts';

type PassedVerification = Extract<VerificationGas, { passes: true }>;

/** What an operation needs that is handed limits out for. */
export type Measured = {
  /** With the nonce that it was measured with. */
  readonly request: EstimationRequest;
  readonly verification: PassedVerification;
  readonly measurement: Measurement;
  readonly paymasterGas: EstimationRequest['paymasterGas'];
  readonly dataFee: DataFee;
  readonly account: SeenAccount | undefined;
};

/** Measures in one state of the chain where the account is looked at: what is recognised is what was simulated. */
export async function measureRequest(
  context: NodeEstimatorContext,
  given: EstimationRequest,
): Promise<Result<Measured>> {
  let request = given;
  let paymasterGas = request.paymasterGas;
  let raises = 0;
  for (let moves = 0; moves <= maxMoves; ) {
    const attempt = await attemptMeasurement(context, request, searchingLimits(paymasterGas));
    if (!attempt.ok) return attempt;
    const { measurement, kept, nonce } = attempt.value;
    const verification = measurement.verification;
    if (nonce !== request.operation.nonce) {
      // The next one is asked for once; what is sent meanwhile comes too late for this estimate.
      const { nonce: _, ...rest } = request;
      request = { ...rest, operation: { ...request.operation, nonce } };
    } else if (verification?.passes === false) {
      // When it is the paymaster's own limit that does not suffice, that one is raised first.
      const { refusal, shortLimit } = verification;
      if (shortLimit !== 'paymasterVerificationGasLimit' || raises === limitRaises) return refuse(refusal);
      paymasterGas = raiseLimit(paymasterGas, shortLimit);
      raises += 1;
    } else {
      const complete = await completeMeasurement(context, request, searchingLimits(paymasterGas), measurement);
      if (!complete.ok) return complete;
      const { moments } = complete.value;
      if (kept !== undefined) moments.add(kept.moment);
      // Where no one looks at the account it is all the same when it was.
      if (request.accountSlots === undefined || moments.size === 1) {
        return judge(context, request, { ...attempt.value, ...complete.value, paymasterGas });
      }
      moves += 1;
    }
  }
  return refuse(movingChain);
}

/** What was measured, if it is an operation that is handed limits out for. */
function judge(
  context: NodeEstimatorContext,
  request: EstimationRequest,
  { measurement, kept, dataFee, paymasterGas }: Attempt & Pick<Measured, 'paymasterGas'>,
): Result<Measured> {
  const { probed, verification } = measurement;
  if (!probed.validated || verification?.passes !== true) return refuse(validatedOnlyOnce);
  const mayRevert = allowsReverting(context, request) && probed.executionUsed < spentCeiling;
  if (!probed.executed && !mayRevert) return refuse(executionReverted(probed.revertData));
  const { words = {}, beaconImplementation = zeroAddress, callsAlone } = kept ?? {};
  const wasThere = probed.senderWasThere && request.operation.initCode !== '0x';
  const account =
    request.accountSlots === undefined
      ? undefined
      : {
          code: probed.senderCode,
          words,
          beaconImplementation,
          ...(wasThere ? { wasThere } : {}),
          ...omitAbsent({ callsAlone }),
        };
  return accept({ request, verification, measurement, paymasterGas, dataFee, account });
}

/** Limits of the operation while it is being measured: room for all but exceptional operations. */
function searchingLimits(paymasterGas: EstimationRequest['paymasterGas']): GasLimits {
  return {
    callGasLimit: 0n,
    verificationGasLimit: verificationCeilings[0],
    preVerificationGas: 0n,
    paymasterVerificationGasLimit: paymasterGas.paymasterVerificationGasLimit,
    paymasterPostOpGasLimit: paymasterGas.paymasterPostOpGasLimit,
  };
}

/** A call that burns more than this until it fails has run out of gas: a reverting one that is allowed stays below. */
const spentCeiling = executionCeiling - executionCeiling / 32n;

const validatedOnlyOnce: Refusal = {
  reason: 'ESTIMATION_FAILED',
  message: 'The account or the paymaster behaves differently in two simulations of the same operation.',
  field: 'signature',
};

/** How often an operation is simulated again because the chain went on between its calls. */
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

/** What was measured in the end, and in which states of the chain. */
type Completed = { readonly measurement: Measurement; readonly moments: Set<Hex> };

const wholeRun: MeasurementPlan = { executionCeiling, searchRounds, postOpRounds: searchRounds };
const validationAlone: MeasurementPlan = {
  verification: 'search',
  alone: true,
  executionCeiling: 0n,
  searchRounds,
  postOpRounds: 0n,
};

/** Searches on where the gas of one call has not sufficed for all of it: each limit in a call of its own. */
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

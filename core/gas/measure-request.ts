import { omitAbsent } from '@tollfree/contract/omit-absent';
import { zeroAddress } from 'viem';
import type { Refusal } from '../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { GasLimits } from '../domain/user-operation.ts';
import type { SeenAccount } from '../node/account-codes/seen-account.ts';
import { type Attempt, attemptMeasurement } from './attempt-measurement.ts';
import { completeMeasurement } from './complete-measurement.ts';
import type { EstimationRequest } from './estimator.ts';
import { executionReverted } from './failures/decode-failure.ts';
import type { DataFee } from './fees/data-fee.ts';
import { allowsReverting, type NodeEstimatorContext } from './node-estimator-context.ts';
import { raiseLimit } from './raise-limit.ts';
import { executionCeiling, limitRaises, verificationCeilings } from './simulation/estimation-limits.ts';
import type { Measurement, VerificationGas } from './simulation/measure-operation.ts';
import { maxMoves, movingChain } from './simulation/moving-chain.ts';

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

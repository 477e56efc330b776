import { type Hex, zeroAddress } from 'viem';
import type { Refusal } from '../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { GasLimits } from '../domain/user-operation.ts';
import { maxBigint } from '../domain/values/bigint-bounds.ts';
import { omitAbsent } from '../domain/values/omit-absent.ts';
import type { SeenAccount } from '../node/account-codes/seen-account.ts';
import type { EstimationRequest, GasEstimate, GasEstimator } from './estimator.ts';
import { checkGasValues } from './failures/check-gas-values.ts';
import { executionReverted } from './failures/decode-failure.ts';
import { type DataFee, type DataFeeReader, dataGas, noDataFee } from './fees/data-fee.ts';
import { preVerificationGas } from './fees/pre-verification-gas.ts';
import { withEstimationSignature } from './simulation/dummy-signature.ts';
import { type EstimationContext, withLimits } from './simulation/estimation-context.ts';
import {
  addMargin,
  callMarginBasisPoints,
  chargedOverhead,
  executionCeiling,
  limitRaises,
  minCallGasLimit,
  postOpMarginBasisPoints,
  raiseBasisPoints,
  searchRounds,
  unmeasuredPostOpGas,
  verificationCeilings,
  verificationMarginBasisPoints,
} from './simulation/estimation-limits.ts';
import { findVerificationGas, type VerificationGas } from './simulation/find-verification-gas.ts';
import { maxMoves, movingChain } from './simulation/moving-chain.ts';
import { type Probed, probeOperation } from './simulation/probe-operation.ts';
import { type ReadSlots, readAccountSlots } from './simulation/read-account-slots.ts';
import { simulateHandling } from './simulation/simulate-handling.ts';

type PassedVerification = Extract<VerificationGas, { passes: true }>;
type Measured = {
  readonly verification: PassedVerification;
  readonly probed: Probed;
  readonly paymasterGas: EstimationRequest['paymasterGas'];
  readonly dataFee: DataFee;
  readonly account: SeenAccount | undefined;
};

export type NodeEstimatorOptions = {
  /** Who knows what the chain charges for data; without it nothing. */
  readonly dataFee?: DataFeeReader;
  /** Whether operations whose own call reverts are estimated whoever pays; `refused` when absent. */
  readonly revertingOperations?: 'allowed' | 'refused';
};
type Context = EstimationContext & { readonly options: NodeEstimatorOptions };

/**
 * Estimates with a node alone: one `eth_call` searches the verification limit, one the call and `postOp` limits at
 * the same time (one more asks for the data fee of a layer 2, and one for what the account keeps), and a last one lets the EntryPoint simulate the
 * operation with the limits that are handed out.
 */
export function createNodeEstimator(estimation: EstimationContext, options: NodeEstimatorOptions = {}): GasEstimator {
  const context: Context = { ...estimation, options };
  return {
    async estimate(given) {
      const inRange = checkGasValues(given.operation);
      if (!inRange.ok) return inRange;
      const request = { ...given, operation: withEstimationSignature(given.operation) };
      const measured = await measure(context, request);
      if (!measured.ok) return measured;
      return confirm(context, request, measured.value);
    },
  };
}

/** Measures in one state of the chain where the account is looked at: what is recognised is what was simulated. */
async function measure(context: Context, request: EstimationRequest): Promise<Result<Measured>> {
  const entryPoint = await context.entryPointCode(request.entryPoint);
  if (!entryPoint.ok) return entryPoint;
  for (let moves = 0; moves <= maxMoves; moves += 1) {
    const measured = await measureOnce(context, request, entryPoint.value);
    if (measured !== 'moved') return measured;
  }
  return refuse(movingChain);
}

async function measureOnce(
  context: Context,
  request: EstimationRequest,
  entryPointCode: Hex,
): Promise<Result<Measured> | 'moved'> {
  const { dataFee: readDataFee, revertingOperations } = context.options;
  const search = { executionCeiling, searchRounds, postOpRounds: searchRounds, chargedOverhead };
  const simulated = withLimits(request, searchingLimits(request.paymasterGas));
  const [verified, probed, kept, dataFee] = await Promise.all([
    verify(context, request),
    probeOperation(context, simulated, entryPointCode, search),
    readSlots(context, request),
    readDataFee?.(simulated) ?? accept(noDataFee),
  ]);
  if (!verified.ok) return verified;
  if (!probed.ok) return probed;
  if (!kept.ok) return kept;
  if (!dataFee.ok) return dataFee;
  const { moment, senderCode: code } = probed.value;
  const moments = [verified.value.verification.moment, kept.value?.moment ?? moment];
  if (request.accountSlots !== undefined && moments.some((other) => other !== moment)) return 'moved';
  if (!probed.value.validated) return refuse(validatedOnlyOnce);
  const allowed = revertingOperations === 'allowed' || request.mayRevert === true;
  const mayRevert = allowed && probed.value.executionUsed < spentCeiling;
  if (!probed.value.executed && !mayRevert) return refuse(executionReverted(probed.value.revertData));
  const { words = {}, beaconImplementation = zeroAddress } = kept.value ?? {};
  const account = request.accountSlots === undefined ? undefined : { code, words, beaconImplementation };
  return accept({ ...verified.value, probed: probed.value, dataFee: dataFee.value, account });
}

/** What the account keeps, where that is asked for and there is something. */
async function readSlots(
  context: Context,
  { operation, accountSlots }: EstimationRequest,
): Promise<Result<ReadSlots | undefined>> {
  if (accountSlots === undefined || accountSlots.slots.length === 0) return accept(undefined);
  return readAccountSlots(context, operation.sender, accountSlots);
}

/** Finds the verification limit. When it is the paymaster's own limit that does not suffice, that one is raised first. */
async function verify(
  context: EstimationContext,
  request: EstimationRequest,
): Promise<Result<Pick<Measured, 'verification' | 'paymasterGas'>>> {
  let limits = searchingLimits(request.paymasterGas);
  for (let raises = 0; ; raises += 1) {
    const answer = await findVerificationGas(context, withLimits(request, limits));
    if (!answer.ok) return answer;
    if (answer.value.passes) return accept({ verification: answer.value, paymasterGas: limits });
    const { refusal, shortLimit } = answer.value;
    if (shortLimit !== 'paymasterVerificationGasLimit' || raises === limitRaises) return refuse(refusal);
    limits = raise(limits, shortLimit);
  }
}

/** Lets the EntryPoint simulate the operation with the limits, raising what turns out to be too low. */
async function confirm(
  context: EstimationContext,
  request: EstimationRequest,
  measured: Measured,
): Promise<Result<GasEstimate>> {
  const { dataFee, account } = measured;
  const forData = dataGas(dataFee, request.operation);
  if (!forData.ok) return forData;
  let limits = assembleLimits(request, measured, forData.value);
  const estimate = (): Result<GasEstimate> =>
    accept({ limits, dataFee, dataGas: forData.value, ...omitAbsent({ account }) });
  for (let raises = 0; ; raises += 1) {
    const handling = await simulateHandling(context, withLimits(request, limits));
    if (!handling.ok) return handling;
    if (handling.value.taken) return estimate();
    const { refusal, shortLimit } = handling.value;
    // Whether the account has the tokens is not for the estimate to say; their gas is included.
    const lacksTokens = refusal.details?.aaCode === 'AA50' && !measured.probed.charged;
    if (lacksTokens) return estimate();
    if (shortLimit === undefined || raises === limitRaises) return refuse(refusal);
    limits = raise(limits, shortLimit);
  }
}

function assembleLimits(
  request: EstimationRequest,
  { verification, probed, paymasterGas }: Measured,
  forData: bigint,
): GasLimits {
  const is06 = request.operation.entryPointVersion === '0.6';
  // A call that reverts has no smallest limit to search for; what it burns until then is all it needs.
  const needed = probed.executed ? probed.executionLimit : probed.executionUsed;
  const call = addMargin(needed, callMarginBasisPoints) + request.callGasAllowance;
  const postOp = addMargin(probed.postOpLimit, postOpMarginBasisPoints);
  const unmeasuredPostOp = probed.hasPostOp && !probed.charged ? unmeasuredPostOpGas : 0n;
  const limits: GasLimits = {
    callGasLimit: maxBigint(call, minCallGasLimit),
    verificationGasLimit: maxBigint(
      addMargin(verification.limit, verificationMarginBasisPoints),
      is06 ? maxBigint(postOp, unmeasuredPostOp) : 0n,
    ),
    paymasterVerificationGasLimit: paymasterGas.paymasterVerificationGasLimit,
    paymasterPostOpGasLimit: is06 ? 0n : maxBigint(postOp, paymasterGas.paymasterPostOpGasLimit),
    preVerificationGas: 0n,
  };
  const meteredGas = verification.used + probed.executionUsed;
  return { ...limits, preVerificationGas: preVerificationGas(withLimits(request, limits), meteredGas) + forData };
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

function raise(limits: GasLimits, limit: keyof GasLimits): GasLimits {
  return { ...limits, [limit]: addMargin(limits[limit], raiseBasisPoints) };
}

/** A call that burns more than this until it fails has run out of gas: a reverting one that is allowed stays below. */
const spentCeiling = executionCeiling - executionCeiling / 32n;

const validatedOnlyOnce: Refusal = {
  reason: 'ESTIMATION_FAILED',
  message: 'The account or the paymaster validates the operation in one simulation and not in another.',
  field: 'signature',
};

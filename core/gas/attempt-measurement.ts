import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Address, type Hex, hexToBigInt, size } from 'viem';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { GasLimits, UserOperation } from '../domain/user-operation.ts';
import { addressWord, uintDigits } from '../evm/abi/hex-digits.ts';
import { nonceSequenceBits } from '../evm/entry-point/entry-point-abi.ts';
import { senselessAnswer } from '../node/node-error.ts';
import { allowsReverting, countingOf, type EstimationRequest, type NodeEstimatorContext } from './estimator.ts';
import { type DataFee, noDataFee } from './fees/data-fee.ts';
import { countPreVerificationGas } from './fees/pre-verification-gas.ts';
import { executionCeiling, searchRounds, withLimits } from './simulation/estimation-context.ts';
import { type Measurement, measureOperation } from './simulation/measure-operation.ts';
import type { MeasurementPlan, Read } from './simulation/plan-measurement.ts';
import { type ProbedAccount, probeAccount } from './simulation/probe-account.ts';

/** The result of one round trip to the node. */
export type Attempt = {
  readonly measurement: Measurement;
  readonly kept: ProbedAccount | undefined;
  readonly nonce: bigint;
  readonly dataFee: DataFee;
};

/** Measures an operation, together with all other chain reads of its estimate. */
export async function attemptMeasurement(
  context: NodeEstimatorContext,
  request: EstimationRequest,
  limits: GasLimits,
): Promise<Result<Attempt>> {
  const reader = context.options.fees?.dataFee;
  const simulated = withLimits(request, limits);
  const { operation } = simulated;
  const { needed } = countPreVerificationGas(simulated, { ...countingOf(context), meteredGas: 0n });
  const priced = withLimits(request, { ...limits, preVerificationGas: needed });
  const question = reader?.inSimulation?.(simulated);
  const own = request.reads ?? [];
  const reads = [
    ...own,
    ...(request.nonce === 'next' ? [nextNonceRead(request.entryPoint, operation)] : []),
    ...(question?.reads ?? []),
  ];
  const [measured, kept, asked] = await Promise.all([
    measureOperation(context, priced, context.code, { ...searchPlan(context, request), reads }),
    snapshotAccount(context, request),
    question === undefined ? (reader?.ask(simulated) ?? accept(noDataFee)) : undefined,
  ]);
  if (!measured.ok) return measured;
  if (!kept.ok) return kept;
  const { answers } = measured.value;
  const nonce = request.nonce === 'next' ? readNonce(answers[own.length]) : accept(operation.nonce);
  if (!nonce.ok) return nonce;
  const forData = answers.slice(reads.length - (question?.reads.length ?? 0));
  const feeOf = asked ?? question?.answer(forData, measured.value.baseFeePerGas) ?? accept(noDataFee);
  if (!feeOf.ok) return feeOf;
  const dataFee = feeOf.value(needed + gasUsed(measured.value));
  const measurement = { ...measured.value, answers: answers.slice(0, own.length) };
  return accept({ measurement, kept: kept.value, nonce: nonce.value, dataFee });
}

/** Gas that validation, call and `postOp` burn in the simulation. */
function gasUsed({ verification, probed }: Measurement): bigint {
  const validation = verification?.passes === true ? verification.used : 0n;
  return validation + probed.executionUsed + probed.postOpLimit;
}

function searchPlan(context: NodeEstimatorContext, request: EstimationRequest): MeasurementPlan {
  return {
    verification: 'search',
    executionCeiling,
    searchRounds,
    postOpRounds: searchRounds,
    callGasAllowance: request.callGasAllowance,
    mayRevert: allowsReverting(context, request),
    ...omitAbsent({ given: request.given?.limits, leastCallUsed: request.given?.leastCallUsed }),
  };
}

/** Reads the account, where requested. */
async function snapshotAccount(
  context: NodeEstimatorContext,
  { operation, accountSlots }: EstimationRequest,
): Promise<Result<ProbedAccount | undefined>> {
  if (accountSlots === undefined) return accept(undefined);
  return accountSlots.slots.length === 0 ? accept(undefined) : probeAccount(context, operation.sender, accountSlots);
}

/** `getNonce(address,uint192)` */
const getNonceSelector = '0x35567e1a';

/** Reads the account's next nonce for the operation's nonce key (`EntryPoint.getNonce`). */
export function nextNonceRead(entryPoint: Address, { sender, nonce }: UserOperation): Read {
  const key = nonce >> BigInt(nonceSequenceBits);
  return { to: entryPoint, data: `${getNonceSelector}${addressWord(sender)}${uintDigits(key, 32)}` };
}

export function readNonce(answer: Hex | undefined): Result<bigint> {
  return answer !== undefined && size(answer) === 32 ? accept(hexToBigInt(answer)) : refuse(senselessAnswer);
}

import { type Address, encodeFunctionData, type Hex, size, slice, zeroAddress } from 'viem';
import type { GasLimits, UserOperation } from '../../domain/user-operation.ts';
import { isEip7702InitCode } from '../../evm/entry-point/eip7702.ts';
import { senderCreatorAbi } from '../../evm/entry-point/entry-point-abi.ts';
import { entryPointOf, requiredPrefund } from '../../evm/entry-point/entry-points.ts';
import { senderCreatorOf } from '../../evm/entry-point/sender-creator.ts';
import type { GasSchedule } from '../schedule/gas-schedule.ts';
import { paymasterOf } from './entry-point-overrides.ts';
import type { SimulatedOperation } from './estimation-context.ts';
import {
  callMarginBasisPoints,
  chargedOverhead,
  copiedBytesPerGas,
  postOpCeiling,
  postOpMarginBasisPoints,
  unmeasuredPostOpGas,
  verificationCeiling,
  verificationCeilings,
  verificationMarginBasisPoints,
} from './estimation-limits.ts';

/** A contract call to make in the simulated state. */
export type Read = { readonly to: Address; readonly data: Hex };

/** What to find out about an operation. */
export type MeasurementPlan = {
  /** Search the smallest verification limit; the operation's own is used when absent. */
  readonly verification?: 'search';
  /** Only find that limit, or only try the given ones. */
  readonly alone?: true;
  readonly executionCeiling: bigint;
  /** Attempts at a smaller limit for verification and the call, and for `postOp`; 0 only tries the ceilings. */
  readonly searchRounds: bigint;
  readonly postOpRounds: bigint;
  /** Gas that `postOp` is told to charge in addition to the gas used by the execution. */
  readonly chargedOverhead?: bigint;
  /** Wei passed to `postOp` in a second attempt. */
  readonly highestCost?: bigint;
  /** The token whose funds are read before the sender is charged. */
  readonly token?: Address;
  /** Gas added to the found limits for calls that are not in the operation yet. */
  readonly callGasAllowance?: bigint;
  /** Whether limits for an operation whose call reverts are also tried. */
  readonly mayRevert?: boolean;
  /**
   * Limits to try unchanged. In a search they are tried only if one is below the found limits with margins. With
   * `leastCallUsed` (gas) they are tried first, and nothing is searched if they suffice and the call uses that much.
   */
  readonly given?: GasLimits;
  readonly leastCallUsed?: bigint | undefined;
  /** Additional reads. */
  readonly reads?: readonly Read[];
};

/** `CallGasProbe.Plan`. */
export function planMeasurement(
  simulated: SimulatedOperation,
  { chainId, schedule }: { readonly chainId: number; readonly schedule: GasSchedule },
  wanted: MeasurementPlan,
) {
  const { operation, entryPoint } = simulated;
  const { sender, maxFeePerGas } = operation;
  const searches = wanted.verification !== undefined;
  const { encode, hash, isPacked, simulation } = entryPointOf(operation.entryPointVersion);
  const encoded = encode(operation, simulated.paymasterAndData);
  return {
    reads: (wanted.reads ?? []).map(({ to, data }) => ({ target: to, data })),
    operation: encoded,
    isPacked,
    hash: hash({ ...simulated, chainId }),
    maxCost: requiredPrefund(operation),
    senderCreator: senderCreatorOf(entryPoint),
    creation: encodeCreation(simulated),
    sender,
    takesWholeOperation: takesWholeOperation(operation),
    paymaster: paymasterOf(simulated) ?? zeroAddress,
    verificationCeilings: searches ? verificationCeilings : [],
    alone: wanted.alone === true,
    verificationCeiling,
    paymasterOverhead: simulation.paymasterOverhead + BigInt(size(encoded)) / copiedBytesPerGas,
    executionCeiling: wanted.executionCeiling,
    postOpCeiling,
    feePerGas: maxFeePerGas,
    rounds: wanted.searchRounds,
    postOpRounds: wanted.postOpRounds,
    chargedOverhead: wanted.chargedOverhead ?? chargedOverhead,
    highestCost: wanted.highestCost ?? 0n,
    token: wanted.token ?? zeroAddress,
    mayRevert: wanted.mayRevert === true,
    margins: {
      verification: verificationMarginBasisPoints,
      call: callMarginBasisPoints,
      postOp: postOpMarginBasisPoints,
      callAllowance: wanted.callGasAllowance ?? 0n,
      // Bundlers refuse a lower call limit.
      minCall: schedule.valueCall,
      unmeasuredPostOp: unmeasuredPostOpGas(schedule),
    },
    given: wanted.given === undefined ? [] : [toProbeLimits(wanted.given)],
    givenFirst: wanted.given !== undefined && wanted.leastCallUsed !== undefined,
    leastCallUsed: wanted.leastCallUsed ?? 0n,
  } as const;
}

/** `CallGasProbe.Limits`. */
export type ProbeLimits = Readonly<
  Record<'call' | 'verification' | 'preVerification' | 'paymasterVerification' | 'postOp', bigint>
>;

function toProbeLimits(gas: GasLimits): ProbeLimits {
  return {
    call: gas.callGasLimit,
    verification: gas.verificationGasLimit,
    preVerification: gas.preVerificationGas,
    paymasterVerification: gas.paymasterVerificationGasLimit,
    postOp: gas.paymasterPostOpGasLimit,
  };
}

export function fromProbeLimits(limits: ProbeLimits): GasLimits {
  return {
    callGasLimit: limits.call,
    verificationGasLimit: limits.verification,
    preVerificationGas: limits.preVerification,
    paymasterVerificationGasLimit: limits.paymasterVerification,
    paymasterPostOpGasLimit: limits.postOp,
  };
}

const factoryBytes = 20;
/** `IAccountExecute.executeUserOp`: from 0.7 on the EntryPoint calls it with the whole operation. */
const executeUserOpSelector = '0x8dd7712f';

/** Whether the EntryPoint passes the whole operation to the account. */
export function takesWholeOperation({ entryPointVersion, callData }: UserOperation): boolean {
  return entryPointOf(entryPointVersion).isPacked && callData.startsWith(executeUserOpSelector);
}

/** The call with which the EntryPoint has its SenderCreator create the account; `0x` for none. */
function encodeCreation({ operation }: SimulatedOperation): Hex {
  const { initCode, sender } = operation;
  if (initCode === '0x') return '0x';
  if (entryPointOf(operation.entryPointVersion).knowsEip7702Marker && isEip7702InitCode(initCode)) {
    if ((initCode.length - 2) / 2 <= factoryBytes) return '0x';
    return encodeFunctionData({
      abi: senderCreatorAbi,
      functionName: 'initEip7702Sender',
      args: [sender, slice(initCode, factoryBytes)],
    });
  }
  return encodeFunctionData({ abi: senderCreatorAbi, functionName: 'createSender', args: [initCode] });
}

import { type Address, encodeFunctionData, type Hex, numberToHex, size, slice, zeroAddress } from 'viem';
import type { GasLimits, UserOperation } from '../../domain/user-operation.ts';
import { addressWord, keccakDigits, uintDigits } from '../../evm/abi/hex-digits.ts';
import { delegationCode, isEip7702InitCode } from '../../evm/entry-point/eip7702.ts';
import { senderCreatorOf } from '../../evm/entry-point/entry-point.ts';
import { senderCreatorAbi } from '../../evm/entry-point/entry-point-abi.ts';
import { entryPointOf, requiredPrefund } from '../../evm/entry-point/entry-points.ts';
import type { GasSchedule } from '../gas-schedule.ts';
import {
  callMarginBasisPoints,
  chargedOverhead,
  copiedBytesPerGas,
  postOpCeiling,
  postOpMarginBasisPoints,
  type SimulatedOperation,
  unmeasuredPostOpGas,
  verificationCeiling,
  verificationCeilings,
  verificationMarginBasisPoints,
} from './estimation-context.ts';
import type { StateOverrides } from './override-call.ts';

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
    verificationCeilings: searches ? verificationCeilings(schedule) : [],
    alone: wanted.alone === true,
    verificationCeiling,
    paymasterOverhead: simulation.paymasterOverhead(schedule) + BigInt(size(encoded)) / copiedBytesPerGas,
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

/** More than any prefund, and within the 112 bits of a deposit in 0.6. Wei. */
const ampleDeposit = 1n << 110n;
const ampleDepositWord = numberToHex(ampleDeposit, { size: 32 });
/** Slot of `StakeManager.deposits` in every version. */
const depositsSlot = 0n;

/** Address of the EntryPoint's code while the probe replaces it (`CallGasProbe.ENTRY_POINT_CODE`). */
export const entryPointCodeAddress: Address = '0x7011F7Ee00000000000000000000000000000001';

/**
 * The state overrides of a simulation. The probe replaces the EntryPoint, with the simulation code at another address. The
 * payer gets an ample deposit, because an estimate must not fail over what the sponsor can afford. The sender gets the code
 * that it authorized.
 */
export function measurementOverrides(simulated: SimulatedOperation, code: Hex, chainId: number): StateOverrides {
  const { entryPoint, operation } = simulated;
  const { storage } = entryPointOf(operation.entryPointVersion).simulation;
  const stateDiff = { ...fundedEntryPoint(simulated).stateDiff, ...storage?.(entryPoint, chainId) };
  return {
    ...delegatedSender(simulated),
    [entryPoint]: { stateDiff },
    [entryPointCodeAddress]: { code },
  };
}

/** The sender with the code that its EIP-7702 authorization sets in the bundler's transaction, before the operation. */
function delegatedSender({ operation: { sender, eip7702Auth } }: SimulatedOperation): StateOverrides {
  return eip7702Auth === undefined ? {} : { [sender]: { code: delegationCode(eip7702Auth.address) } };
}

/** The EntryPoint's storage with the ample deposit. */
function fundedEntryPoint(simulated: SimulatedOperation): { stateDiff: Record<Hex, Hex> } {
  const payer = paymasterOf(simulated) ?? simulated.operation.sender;
  const slot = keccakDigits(addressWord(payer) + uintDigits(depositsSlot, 32));
  return { stateDiff: { [`0x${slot}`]: ampleDepositWord } };
}

/** The paymaster at the start of `paymasterAndData`; undefined when the account pays itself. */
function paymasterOf({ paymasterAndData }: SimulatedOperation): Address | undefined {
  return paymasterAndData === '0x' ? undefined : slice(paymasterAndData, 0, 20);
}

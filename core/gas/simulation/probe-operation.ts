import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  zeroAddress,
} from 'viem';
import { accept, type Result } from '../../domain/result/result.ts';
import { requiredPrefund } from '../../evm/entry-point/required-prefund.ts';
import { callGasProbeAbi } from './call-gas-probe.generated.ts';
import { encodeCreation, encodeSteps } from './encode-operation.ts';
import { delegatedSender, fundedEntryPoint, paymasterOf } from './entry-point-overrides.ts';
import type { EstimationContext, SimulatedOperation } from './estimation-context.ts';
import { postOpCeiling, verificationCeiling } from './estimation-limits.ts';
import { callProbe } from './override-call.ts';

/** Where the EntryPoint's own code sits while the probe stands in its place (`CallGasProbe.ENTRY_POINT_CODE`). */
const entryPointCodeAddress: Address = '0x7011F7Ee00000000000000000000000000000001';
/** `CallGasProbe.Step.PAYMASTER_VALIDATION`. */
const paymasterStep = 3;
const postOp06Selector = '0xa9a23409';
const postOp07Selector = '0x7c627b21';

/** What the operation's call and the paymaster's `postOp` need. Limits in gas. */
export type Probed = {
  /** Whether creation and both validations went through; the rest is meaningless otherwise. */
  readonly validated: boolean;
  /** That it was the paymaster that did not take it; `revertData` says why. */
  readonly failedAtPaymaster: boolean;
  readonly executed: boolean;
  readonly executionLimit: bigint;
  readonly executionUsed: bigint;
  readonly revertData: Hex;
  /** Whether the paymaster asked for a `postOp`, whether it went through here, and what it needs. */
  readonly hasPostOp: boolean;
  readonly charged: boolean;
  readonly postOpLimit: bigint;
  readonly postOpRevertData: Hex;
  /** What the sender owned of the token and had approved for the paymaster when it was to be charged, in base units. */
  readonly tokenBalance: bigint;
  readonly tokenAllowance: bigint;
  /** The code of the sender whose calls ran: as it was found, or as its creation left it. */
  readonly senderCode: Hex;
  /** In which state of the chain (`Moment.current`). */
  readonly moment: Hex;
};

/** How a probe searches. */
export type ProbeSearch = {
  readonly executionCeiling: bigint;
  /** Attempts at a smaller limit for the call and for `postOp`; 0 only tries the ceilings. */
  readonly searchRounds: bigint;
  readonly postOpRounds: bigint;
  /** Gas for which `postOp` is told that it has to charge, beside what the execution used. */
  readonly chargedOverhead: bigint;
  /** Wei that it is told in a second attempt. */
  readonly highestCost?: bigint;
  /** Whose funds are read before the sender is charged. */
  readonly token?: Address;
};

/**
 * Runs the steps of the operation in the EntryPoint's place and searches the smallest limits of its call and of `postOp`,
 * in one `eth_call`.
 */
export async function probeOperation(
  { client, chainId, origin }: EstimationContext,
  simulated: SimulatedOperation,
  entryPointCode: Hex,
  search: ProbeSearch,
): Promise<Result<Probed>> {
  const { operation, entryPoint } = simulated;
  const functionName = 'probe';
  const plan = {
    // Every EntryPoint makes its SenderCreator in its constructor: the first contract it creates.
    senderCreator: getContractAddress({ from: entryPoint, nonce: 1n }),
    creation: encodeCreation(simulated),
    sender: operation.sender,
    ...encodeSteps(simulated, chainId, requiredPrefund(operation)),
    paymaster: paymasterOf(simulated) ?? zeroAddress,
    verificationCeiling,
    executionCeiling: search.executionCeiling,
    postOpCeiling,
    postOpSelector: operation.entryPointVersion === '0.6' ? postOp06Selector : postOp07Selector,
    feePerGas: operation.maxFeePerGas,
    rounds: search.searchRounds,
    postOpRounds: search.postOpRounds,
    chargedOverhead: search.chargedOverhead,
    highestCost: search.highestCost ?? 0n,
    token: search.token ?? zeroAddress,
  } as const;
  const answer = await callProbe(client, {
    to: entryPoint,
    origin,
    tip: operation.maxPriorityFeePerGas,
    data: encodeFunctionData({ abi: callGasProbeAbi, functionName, args: [plan] }),
    overrides: {
      ...delegatedSender(simulated),
      [entryPoint]: fundedEntryPoint(simulated),
      [entryPointCodeAddress]: { code: entryPointCode },
    },
    decode: (data) => decodeFunctionResult({ abi: callGasProbeAbi, functionName, data }),
  });
  if (!answer.ok) return answer;
  const { failedStep, ...outcome } = answer.value;
  return accept({ validated: failedStep === 0, failedAtPaymaster: failedStep === paymasterStep, ...outcome });
}

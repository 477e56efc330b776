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
const postOp06Selector = '0xa9a23409';
const postOp07Selector = '0x7c627b21';

/** What the operation's call and the paymaster's `postOp` need. Limits in gas. */
export type Probed = {
  /** Whether creation and both validations went through; the rest is meaningless otherwise. */
  readonly validated: boolean;
  readonly executed: boolean;
  readonly executionLimit: bigint;
  readonly executionUsed: bigint;
  readonly revertData: Hex;
  /** Whether the paymaster asked for a `postOp`, whether it went through here, and what it needs. */
  readonly hasPostOp: boolean;
  readonly charged: boolean;
  readonly postOpLimit: bigint;
};

/**
 * Runs the steps of the operation in the EntryPoint's place and searches the smallest limits of its call and of `postOp`,
 * in one `eth_call`. `searchRounds` 0 only tries the ceilings.
 */
export async function probeOperation(
  { client, chainId }: EstimationContext,
  simulated: SimulatedOperation,
  entryPointCode: Hex,
  search: { executionCeiling: bigint; searchRounds: bigint },
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
  } as const;
  const answer = await callProbe(client, {
    to: entryPoint,
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
  return accept({ validated: failedStep === 0, ...outcome });
}

import { omitAbsent } from '@tollfree/contract/omit-absent';
import { getAbiItem, type Hex, toFunctionSelector } from 'viem';
import type { Refusal } from '../../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { GasLimits, UserOperationWithGas } from '../../domain/user-operation.ts';
import { createAbiDecoder } from '../../evm/abi/abi-decoder.ts';
import { createAbiEncoder } from '../../evm/abi/abi-encoder.ts';
import type { EntryPoint } from '../../evm/entry-point/entry-point.ts';
import { entryPointOf, requiredPrefund } from '../../evm/entry-point/entry-points.ts';
import { nodeGasExceeded, overridesUnsupported } from '../../node/node-error.ts';
import { type EntryPointFailure, explainFailure, readEntryPointFailure } from '../failures/decode-failure.ts';
import { gasScheduleOf } from '../gas-schedule.ts';
import { callGasProbeAbi } from './call-gas-probe.generated.ts';
import {
  delegatingCallGas,
  type EstimationContext,
  estimationCallGas,
  type SimulatedOperation,
} from './estimation-context.ts';
import { callSimulated } from './override-call.ts';
import {
  fromProbeLimits,
  type MeasurementPlan,
  measurementOverrides,
  type ProbeLimits,
  planMeasurement,
} from './plan-measurement.ts';
import type { SimulationCode } from './simulation-code.ts';

const measure = getAbiItem({ abi: callGasProbeAbi, name: 'measure' });
const measureSelector = toFunctionSelector(measure);
const encodePlan = createAbiEncoder(measure.inputs);
const decodeMeasured = createAbiDecoder(measure.outputs);

/** `CallGasProbe.Step`. */
const steps = { none: 0, paymasterValidation: 3, unknown: 4 } as const;

/** The smallest verification limit with which validation passes, and the gas it then burns, or why validation fails. */
export type VerificationGas =
  | {
      readonly passes: true;
      readonly limit: bigint;
      readonly used: bigint;
      /** Whether the search completed; if not, the limit passes but may not be the smallest. */
      readonly narrowed: boolean;
    }
  | { readonly passes: false; readonly refusal: Refusal; readonly shortLimit?: keyof GasLimits };

/** What the operation's call and the paymaster's `postOp` need. Limits in gas. */
export type Probed = {
  /** Whether creation and both validations succeeded; the other fields are meaningless otherwise. */
  readonly validated: boolean;
  /** Whether the paymaster rejected it; `revertData` says why. */
  readonly failedAtPaymaster: boolean;
  readonly executed: boolean;
  readonly executionLimit: bigint;
  readonly executionUsed: bigint;
  /** Whether the simulation had enough gas for all of this; if not, separate calls are needed. */
  readonly searched: boolean;
  readonly revertData: Hex;
  /** Whether the paymaster requested a `postOp`, whether it succeeded here, and what it needs. */
  readonly hasPostOp: boolean;
  readonly charged: boolean;
  readonly postOpLimit: bigint;
  readonly postOpRevertData: Hex;
  /** The sender's token balance and allowance for the paymaster at the time of payment, in base units. */
  readonly tokenBalance: bigint;
  readonly tokenAllowance: bigint;
  /** The sender's code when its calls ran: existing, or set by its creation. */
  readonly senderCode: Hex;
  /** Whether the sender had code before the operation. */
  readonly senderWasThere: boolean;
  /** The outcome of the call with the given limit; absent where it was not tried. */
  readonly given?: { readonly executed: boolean; readonly revertData: Hex };
};

/** The EntryPoint's answer to the operation with these limits. */
type Trial = { readonly limits: GasLimits; readonly handling: Handling };

/** The results in one state of the chain. */
export type Measurement = {
  /** Identifies that state (`Moment.current`). */
  readonly moment: Hex;
  /** Base fee of the simulated block, in wei per gas. */
  readonly baseFeePerGas: bigint;
  /** The answers to the additional reads, in order; undefined for a revert. */
  readonly answers: readonly (Hex | undefined)[];
  /** Present if it was searched. */
  readonly verification?: VerificationGas;
  readonly probed: Probed;
  /** With the limits found, and with the given ones; absent where not tried. */
  readonly own?: Trial;
  readonly given?: Trial;
  /** Whether the given limits sufficed, so nothing was searched: the limits are the gas used with them. */
  readonly settled: boolean;
};

/**
 * Finds the limits that an operation needs in one `eth_call`, and has the EntryPoint simulate it with them and with given
 * ones. Includes everything that the EntryPoint counts against a limit. A failed signature check passes.
 */
export async function measureOperation(
  context: EstimationContext,
  simulated: SimulatedOperation,
  code: SimulationCode,
  wanted: MeasurementPlan,
): Promise<Result<Measurement>> {
  const schedule = gasScheduleOf(context.client);
  const plan = planMeasurement(simulated, { chainId: context.chainId, schedule }, wanted);
  const data: Hex = `${measureSelector}${encodePlan([plan])}`;
  const isInTheWay = code.standsAt?.includes(simulated.operation.sender) === true;
  let answer = await askProbe(context, simulated, (isInTheWay ? code.inFull : undefined) ?? code, data);
  if (mayLackCode(answer) && code.inFull !== undefined) answer = await askProbe(context, simulated, code.inFull, data);
  if (!answer.ok) return answer;
  const [measured] = answer.value;
  if (measured.outcome.failedStep === steps.unknown) return refuse(nodeGasExceeded);
  return accept({
    moment: measured.moment,
    baseFeePerGas: measured.baseFee,
    answers: measured.answers.map(({ success, result }) => (success ? result : undefined)),
    probed: readOutcome(measured.outcome),
    settled: measured.settled,
    ...omitAbsent({
      verification: wanted.verification === undefined ? undefined : readVerification(simulated, measured),
      own: readTrial(simulated, measured.own),
      given: readTrial(simulated, measured.given),
    }),
  });
}

/**
 * Whether the node may lack the probe's code. Without the probe a node's answer has another form; where the probe calls
 * missing code, it runs out of gas or gets no outcome for the operation.
 */
function mayLackCode(answer: ProbeAnswer): boolean {
  if (answer.ok) return answer.value[0].outcome.failedStep === steps.unknown;
  return answer.refusal === overridesUnsupported || answer.refusal === nodeGasExceeded;
}

type ProbeAnswer = Awaited<ReturnType<typeof askProbe>>;

function askProbe(
  { client, chainId, origin }: EstimationContext,
  simulated: SimulatedOperation,
  { probe, entryPoint, inFull }: SimulationCode,
  data: Hex,
) {
  return callSimulated(client, {
    to: simulated.entryPoint,
    code: probe,
    origin,
    tip: simulated.operation.maxPriorityFeePerGas,
    data,
    gas: inFull === undefined ? estimationCallGas : delegatingCallGas,
    overrides: measurementOverrides(simulated, entryPoint, chainId),
    decode: decodeMeasured,
  });
}

/** `CallGasProbe.Measured`. */
type Measured = ReturnType<typeof decodeMeasured>[0];

function readOutcome({ failedStep, givenTried, givenExecuted, givenRevertData, ...rest }: Measured['outcome']): Probed {
  const { paymasterUsed: _, ...outcome } = rest;
  return {
    validated: failedStep === steps.none,
    failedAtPaymaster: failedStep === steps.paymasterValidation,
    ...outcome,
    ...(givenTried ? { given: { executed: givenExecuted, revertData: givenRevertData } } : {}),
  };
}

function readVerification({ operation }: SimulatedOperation, measured: Measured): VerificationGas {
  const { verificationLimit: limit, verificationUsed: used, verificationResult, narrowed } = measured;
  if (limit > 0n || measured.settled) return { passes: true, limit, used, narrowed };
  return { passes: false, ...readEntryPointFailure(verificationResult, operation.entryPointVersion) };
}

function readTrial(
  { operation }: SimulatedOperation,
  trial: { made: boolean; limits: ProbeLimits; returned: boolean; result: Hex },
): Trial | undefined {
  if (!trial.made) return undefined;
  const gas = fromProbeLimits(trial.limits);
  return { limits: gas, handling: readHandling({ ...operation, gas }, trial) };
}

/** Whether the EntryPoint accepts the operation with its limits. Does not say whether the inner call succeeds. */
export type Handling = { readonly taken: true } | ({ readonly taken: false } & EntryPointFailure);

/** Decodes the result of `simulateHandleOp`. */
export function readHandling(
  operation: UserOperationWithGas,
  { returned, result }: { readonly returned: boolean; readonly result: Hex },
): Handling {
  const { version, simulation } = entryPointOf(operation.entryPointVersion);
  const paid = readPaid(simulation, result, returned);
  if (paid === undefined) return { taken: false, ...readEntryPointFailure(result, version) };
  const prefund = requiredPrefund(operation);
  if (simulation.keepsShortPrefund && prefund > 0n && paid >= prefund) {
    return { taken: false, ...explainFailure('AA51', version) };
  }
  return { taken: true };
}

/** Wei paid, or undefined when the simulation did not complete. */
function readPaid(simulation: EntryPoint['simulation'], answer: Hex, returned: boolean): bigint | undefined {
  try {
    return simulation.readPaid(answer, returned);
  } catch {
    return undefined;
  }
}

import { defaultOverEstimates, type OverEstimates } from './compare-limits.ts';
import type { EstimationRequest } from './estimator.ts';
import { type ChainFees, type FeeModel, feeModels } from './fees/fee-models.ts';
import type { GasSchedule } from './gas-schedule.ts';
import type { EstimationContext } from './simulation/estimation-context.ts';
import type { SimulationCode } from './simulation/simulation-code.ts';

export type NodeEstimatorOptions = {
  /** How the chain charges beyond gas; not at all when absent. */
  readonly fees?: ChainFees;
  /** Whether operations whose own call reverts are estimated for every payer; `refused` when absent. */
  readonly revertingOperations?: 'allowed' | 'refused';
  /** How far a limit may exceed its need; the default when absent. */
  readonly overEstimates?: OverEstimates;
};

export type NodeEstimatorContext = EstimationContext & {
  readonly options: NodeEstimatorOptions;
  /** The code that simulates the request. */
  readonly code: SimulationCode;
  readonly schedule: GasSchedule;
};

/** The inputs for computing `preVerificationGas`. */
export type Counting = {
  readonly schedule: GasSchedule;
  readonly model: FeeModel;
  /** In basis points (`maxPreVerificationGasOverEstimate`). */
  readonly overEstimate: number;
};

export function countingOf({ options, schedule }: NodeEstimatorContext): Counting {
  const { fees, overEstimates = defaultOverEstimates } = options;
  return { schedule, model: fees?.model ?? feeModels.none, overEstimate: overEstimates.preVerificationGas };
}

/** Whether an operation whose own call reverts gets limits too. */
export function allowsReverting({ options }: NodeEstimatorContext, request: EstimationRequest): boolean {
  return options.revertingOperations === 'allowed' || request.mayRevert === true;
}

import type { OverEstimates } from './compare-limits.ts';
import type { EstimationRequest } from './estimator.ts';
import type { DataFeeReader } from './fees/data-fee.ts';
import type { EstimationContext } from './simulation/estimation-context.ts';
import type { SimulationCode } from './simulation/simulation-code.ts';

export type NodeEstimatorOptions = {
  /** Who knows what the chain charges for data; without it nothing. */
  readonly dataFee?: DataFeeReader;
  /** Whether operations whose own call reverts are estimated whoever pays; `refused` when absent. */
  readonly revertingOperations?: 'allowed' | 'refused';
  /** How far above its need a limit may be; the default when absent. */
  readonly overEstimates?: OverEstimates;
};

/** What the node's estimates are made with. */
export type NodeEstimatorContext = EstimationContext & {
  readonly options: NodeEstimatorOptions;
  /** What the request is simulated with. */
  readonly code: SimulationCode;
};

/** Whether an operation whose own call reverts gets limits too. */
export function allowsReverting({ options }: NodeEstimatorContext, request: EstimationRequest): boolean {
  return options.revertingOperations === 'allowed' || request.mayRevert === true;
}

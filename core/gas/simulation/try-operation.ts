import { accept, type Result } from '../../domain/result/result.ts';
import type { EstimationContext, SimulatedOperation } from './estimation-context.ts';
import { type Measurement, measureOperation } from './measure-operation.ts';
import type { MeasurementPlan } from './plan-measurement.ts';
import type { SimulationCode } from './simulation-code.ts';

/**
 * Has the EntryPoint handle an operation with given limits and runs its steps, in one `eth_call`; in two where it is too heavy
 * for both.
 */
export async function tryOperation(
  context: EstimationContext,
  simulated: SimulatedOperation,
  code: SimulationCode,
  plan: MeasurementPlan,
): Promise<Result<Measurement>> {
  const tried = await measureOperation(context, simulated, code, plan);
  if (!tried.ok || !tried.value.probed.validated || tried.value.probed.searched) return tried;
  const { given: _, ...steps } = plan;
  const run = await measureOperation(context, simulated, code, steps);
  return run.ok ? accept({ ...tried.value, probed: run.value.probed }) : run;
}

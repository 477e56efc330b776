import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Hex } from 'viem';
import { accept, type Result } from '../domain/result/result.ts';
import type { GasLimits } from '../domain/user-operation.ts';
import type { EstimationRequest } from './estimator.ts';
import type { NodeEstimatorContext } from './node-estimator-context.ts';
import { withLimits } from './simulation/estimation-context.ts';
import { executionCeiling, searchRounds } from './simulation/estimation-limits.ts';
import { type Measurement, measureOperation } from './simulation/measure-operation.ts';
import type { MeasurementPlan } from './simulation/plan-measurement.ts';

/** What was measured in the end, and in which states of the chain. */
export type Completed = { readonly measurement: Measurement; readonly moments: Set<Hex> };

const wholeRun: MeasurementPlan = { executionCeiling, searchRounds, postOpRounds: searchRounds };
const validationAlone: MeasurementPlan = {
  verification: 'search',
  alone: true,
  executionCeiling: 0n,
  searchRounds,
  postOpRounds: 0n,
};

/** Searches on where the gas of one call has not sufficed for all of it: each limit in a call of its own. */
export async function completeMeasurement(
  context: NodeEstimatorContext,
  request: EstimationRequest,
  limits: GasLimits,
  measurement: Measurement,
): Promise<Result<Completed>> {
  const { verification, probed, moment } = measurement;
  const ask = (plan: MeasurementPlan) => measureOperation(context, withLimits(request, limits), context.code, plan);
  const isHeavyRun = probed.validated && !probed.searched;
  const isHeavyValidation = probed.validated && verification?.passes === true && !verification.narrowed;
  const [run, validation] = await Promise.all([
    isHeavyRun ? ask(wholeRun) : undefined,
    isHeavyValidation ? ask(validationAlone) : undefined,
  ]);
  const moments = new Set([moment]);
  let complete = measurement;
  if (run !== undefined) {
    if (!run.ok) return run;
    moments.add(run.value.moment);
    complete = { ...complete, probed: run.value.probed };
  }
  if (validation !== undefined) {
    if (!validation.ok) return validation;
    moments.add(validation.value.moment);
    complete = { ...complete, ...omitAbsent({ verification: validation.value.verification }) };
  }
  return accept({ measurement: complete, moments });
}

import { accept, type Result } from '../../domain/result/result.ts';
import { noted } from '../run/noted.ts';
import type { Step } from '../run/steps.ts';
import { type AskedForGas, isEstimated, type WithAccount, type WithGas } from './choose-gas.ts';
import { addUnseenGas } from './find-gas-limits.ts';
import { guardGasLimits } from './guard-gas-limits.ts';

type Guarded = AskedForGas & WithGas & WithAccount;

/** Limits that the client gave may not be far above the need, nor too low. Estimated ones are neither. */
export const guardGas: Step<Guarded, WithGas & WithAccount> = (request) =>
  isEstimated(request.context)
    ? accept({ operation: request.operation, seenAccount: request.seenAccount })
    : guardGiven(request);

const guardGiven = noted(
  { rule: 'gas-guard', checked: 'the limits that were sent, beside our own estimate' },
  guardOrRaise,
);

/** The operation when its limits suffice; with a higher verification limit when that one does and it may be raised. */
async function guardOrRaise(request: Guarded): Promise<Result<WithGas & WithAccount>> {
  const { operation, grant, contract, mayRaiseLimits } = request;
  const guarded = await guardGasLimits(request, operation, grant);
  if (guarded.ok) return accept({ operation, seenAccount: guarded.value.account });
  const { reason, field } = guarded.refusal;
  const own = contract.family.verificationGas;
  const isShort = reason === 'ESTIMATION_FAILED' && field === 'verificationGasLimit';
  if (!mayRaiseLimits || own === undefined || !isShort) return guarded;
  const raised = { ...operation, gas: addUnseenGas(operation.gas, own) };
  const again = await guardGasLimits(request, raised, grant);
  return again.ok ? accept({ operation: raised, seenAccount: again.value.account }) : guarded;
}

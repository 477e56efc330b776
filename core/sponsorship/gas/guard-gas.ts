import { accept, type Result } from '../../domain/result/result.ts';
import type { Guarded as GuardedLimits } from '../../gas/gas-guard.ts';
import { inTurn } from '../run/in-turn.ts';
import { noted } from '../run/noted.ts';
import type { Step } from '../run/steps.ts';
import {
  type AskedForGas,
  isEstimated,
  type WithAccount,
  type WithContractState,
  type WithDataGas,
  type WithGas,
} from './choose-gas.ts';
import { addUnseenGas } from './find-gas-limits.ts';
import { guardGasLimits } from './guard-gas-limits.ts';

type Found = WithGas & WithDataGas & WithAccount & WithContractState;
type Guarded = AskedForGas & Found;

/** Limits that the client gave may not be far above the need, nor too low. Estimated ones are neither. */
export const guardGas: Step<Guarded, Found> = (request) =>
  isEstimated(request.context)
    ? accept({
        operation: request.operation,
        dataGas: request.dataGas,
        seenAccount: request.seenAccount,
        contractState: request.contractState,
      })
    : guardGiven(request);

const guardGiven = noted(
  { rule: 'gas-guard', checked: 'the limits that were sent, compared with our own estimate' },
  (request: Guarded) => inTurn(request, () => guardOrRaise(request)),
);

/** The operation when its limits suffice; with a higher verification limit when that one does and it may be raised. */
async function guardOrRaise(request: Guarded): Promise<Result<Found>> {
  const { operation, grant, contract, mayRaiseLimits } = request;
  const guarded = await guardGasLimits(request, operation, grant);
  if (guarded.ok) return accept(found(operation, guarded.value));
  const { reason, field } = guarded.refusal;
  const own = contract.family.verificationGas;
  const isShort = reason === 'ESTIMATION_FAILED' && field === 'verificationGasLimit';
  if (!mayRaiseLimits || own === undefined || !isShort) return guarded;
  const raised = { ...operation, gas: addUnseenGas(operation.gas, own) };
  const again = await guardGasLimits(request, raised, grant);
  return again.ok ? accept(found(raised, again.value)) : guarded;
}

function found(operation: Found['operation'], { dataGas, account, answers = [] }: GuardedLimits): Found {
  return { operation, dataGas, seenAccount: account, contractState: answers[0] };
}

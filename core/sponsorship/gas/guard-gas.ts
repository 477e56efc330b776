import type { Refusal } from '../../domain/result/refusal.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import type { Guarded as GuardedLimits } from '../../gas/gas-guard.ts';
import { inTurn } from '../run/in-turn.ts';
import { noted, type Step } from '../run/steps.ts';
import {
  type AskedForGas,
  isEstimated,
  mayRevert,
  type WithAccount,
  type WithContractState,
  type WithDataGas,
  type WithGas,
  type WithSimulation,
} from './choose-gas.ts';
import { addUnseenGas, findGasLimits } from './find-gas-limits.ts';
import { guardGasLimits } from './guard-gas-limits.ts';

type Found = WithGas & WithDataGas & WithSimulation & WithAccount & WithContractState;
type Guarded = AskedForGas & Found;

/** Given limits must not be far above the need, nor too low. Estimated ones are neither. */
export const guardGas: Step<Guarded, Found> = (request) =>
  isEstimated(request.context)
    ? accept({
        operation: request.operation,
        dataGas: request.dataGas,
        isSimulated: request.isSimulated,
        seenAccount: request.seenAccount,
        contractState: request.contractState,
      })
    : guardGiven(request);

const guardGiven = noted({ rule: 'gas-guard', finding: ['gas-guard'] }, async (request: Guarded) => {
  const guarded = await inTurn(request, () => guardOrRaise(request));
  return !guarded.ok && request.mayLowerLimits && isTooHigh(guarded.refusal) ? lowerLimits(request, guarded) : guarded;
});

/**
 * Clients send round numbers for calls and validation. All of `preVerificationGas` goes to the bundler, so an excess there
 * is deliberate.
 */
function isTooHigh({ reason, limitKind, field }: Refusal): boolean {
  return reason === 'LIMIT_EXCEEDED' && limitKind === 'GAS_LIMIT' && field !== 'preVerificationGas';
}

/** Replaces limits that are far above the need by our own; keeps the refusal if they cannot be estimated. */
export async function lowerLimits(request: AskedForGas, refused: Result<Found>): Promise<Result<Found>> {
  const { grant, operation } = request;
  const input = { calculate: true, grant, callGasAllowance: 0n, withoutUnseenGas: 'refuse', keepsGiven: true } as const;
  const gas = await findGasLimits(request, input);
  if (!gas.ok) return refused;
  const { limits, dataGas, account, contractState } = gas.value;
  const isSimulated = !mayRevert(request);
  return accept({
    operation: { ...operation, gas: limits },
    dataGas,
    isSimulated,
    seenAccount: account,
    contractState,
  });
}

/** The operation if its limits suffice; with a raised verification limit if that suffices and is allowed. */
async function guardOrRaise(request: Guarded): Promise<Result<Found>> {
  const { operation, grant, contract, mayRaiseLimits } = request;
  const guarded = await guardGasLimits(request, operation, grant);
  if (guarded.ok) return accept(found(request, operation, guarded.value));
  const { reason, field } = guarded.refusal;
  const own = contract.family.verificationGas;
  const isShort = reason === 'ESTIMATION_FAILED' && field === 'verificationGasLimit';
  if (!mayRaiseLimits || own === undefined || !isShort) return guarded;
  const raised = { ...operation, gas: addUnseenGas(operation.gas, own) };
  const again = await guardGasLimits(request, raised, grant);
  return again.ok ? accept(found(request, raised, again.value)) : guarded;
}

function found(
  request: Guarded,
  operation: Found['operation'],
  { dataGas, account, answers = [], unestimated }: GuardedLimits,
): Found {
  const isSimulated = unestimated !== true && !mayRevert(request);
  return { operation, dataGas, isSimulated, seenAccount: account, contractState: answers[0] };
}

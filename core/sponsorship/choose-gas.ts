import { noteResult } from '../decisions/decision-draft.ts';
import { accept, type Result } from '../domain/result.ts';
import type { SponsorshipContext } from '../domain/sponsorship.ts';
import type { UserOperationWithGas } from '../domain/user-operation.ts';
import type { Grant } from '../paymaster-contracts/family.ts';
import { findGasLimits } from './find-gas-limits.ts';
import { guardGasLimits } from './guard-gas-limits.ts';
import type { Identified } from './identify.ts';
import type { ReadOperation } from './read-user-operation.ts';
import type { SponsorshipRun } from './sponsorship-run.ts';

/** The operation with the gas limits to sign: estimated, or the client's own within the guard's bounds. */
export async function chooseGas(
  { draft }: SponsorshipRun,
  identified: Identified,
  read: ReadOperation,
  asked: { readonly grant: Grant; readonly context: SponsorshipContext },
): Promise<Result<UserOperationWithGas>> {
  const { grant, context } = asked;
  const calculate = context.calculateGasLimits !== false;
  const gas = noteResult(
    draft,
    { rule: 'gas-limits', looked: calculate ? 'an estimate of ours' : 'the limits that were sent' },
    await findGasLimits({ identified, read, calculate, grant, callGasAllowance: 0n }),
  );
  if (!gas.ok) return gas;
  const operation = { ...read.operation, gas: gas.value };
  if (calculate) return accept(operation);
  const guarded = noteResult(
    draft,
    { rule: 'gas-guard', looked: 'the limits that were sent, beside our own estimate' },
    await guardGasLimits(identified, operation, grant),
  );
  return guarded.ok ? accept(operation) : guarded;
}

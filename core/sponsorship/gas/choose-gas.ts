import { noteResult } from '../../decisions/decision-draft.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import type { SponsorshipContext } from '../../domain/sponsorship.ts';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import type { Grant } from '../../evm/paymaster-contracts/family/family.ts';
import type { Identified } from '../request/identify.ts';
import type { ReadOperation } from '../request/read-user-operation.ts';
import type { SponsorshipRun } from '../sponsorship-run.ts';
import { addUnseenGas, findGasLimits } from './find-gas-limits.ts';
import { guardGasLimits } from './guard-gas-limits.ts';

/** The operation with the gas limits to sign: estimated, or the client's own within the guard's bounds. */
export async function chooseGas(
  { draft, mayRaiseLimits = false }: SponsorshipRun,
  identified: Identified,
  read: ReadOperation,
  asked: { readonly grant: Grant; readonly context: SponsorshipContext },
): Promise<Result<UserOperationWithGas>> {
  const { grant, context } = asked;
  const calculate = context.calculateGasLimits !== false;
  const withoutUnseenGas = mayRaiseLimits ? 'raise' : 'refuse';
  const gas = noteResult(
    draft,
    { rule: 'gas-limits', checked: calculate ? 'an estimate of ours' : 'the limits that were sent' },
    await findGasLimits({ identified, read, calculate, grant, callGasAllowance: 0n, withoutUnseenGas }),
  );
  if (!gas.ok) return gas;
  const operation = { ...read.operation, gas: gas.value };
  if (calculate) return accept(operation);
  return noteResult(
    draft,
    { rule: 'gas-guard', checked: 'the limits that were sent, beside our own estimate' },
    await guard(identified, operation, { grant, withoutUnseenGas }),
  );
}

/** The operation when its limits suffice; with a higher verification limit when that one does and it may be raised. */
async function guard(
  identified: Identified,
  operation: UserOperationWithGas,
  { grant, withoutUnseenGas }: { readonly grant: Grant; readonly withoutUnseenGas: 'raise' | 'refuse' },
): Promise<Result<UserOperationWithGas>> {
  const guarded = await guardGasLimits(identified, operation, grant);
  if (guarded.ok) return accept(operation);
  const { reason, field } = guarded.refusal;
  const own = identified.contract.family.verificationGas;
  const isShort = reason === 'ESTIMATION_FAILED' && field === 'verificationGasLimit';
  if (withoutUnseenGas === 'refuse' || own === undefined || !isShort) return guarded;
  const raised = { ...operation, gas: addUnseenGas(operation.gas, own) };
  return (await guardGasLimits(identified, raised, grant)).ok ? accept(raised) : guarded;
}

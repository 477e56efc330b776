import type { Refusal } from '../domain/result/refusal.ts';
import type { UserOperation } from '../domain/user-operation.ts';
import { withNamedRevert } from '../gas/failures/decode-failure.ts';
import { decodeInnerCalls } from './permit/decode-inner-calls.ts';
import type { Asked } from './run/asked.ts';

/**
 * A refusal as the account holder gets it: a custom error is named when a contract that is registered with the paymaster
 * has it. The contracts are those that the operation calls, and the account itself; any of them may have reverted.
 */
export async function nameRevert(asked: Asked, refusal: Refusal): Promise<Refusal> {
  const { paymasterId, operation } = asked.draft;
  if (refusal.details?.revertData === undefined || paymasterId === undefined || operation === undefined) return refusal;
  const addresses = [...targetsOf(asked, operation), operation.sender];
  return withNamedRevert(refusal, await asked.parts.errors.find(paymasterId, addresses));
}

/** What the operation calls. In token mode they have not been decoded yet. */
function targetsOf({ draft: { mode, calls = [] }, context }: Asked, operation: UserOperation): readonly string[] {
  if (mode === 'SPONSORED') return calls.map(({ target }) => target);
  const decoded = decodeInnerCalls(operation, context.smartAccountInfo);
  return decoded.ok ? decoded.value.calls.map(({ target }) => target) : [];
}

import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Address } from 'viem';
import type { BundledOperation } from '../../evm/entry-point/read-bundle.ts';
import { contentIds } from '../../evm/paymaster-contracts/family/content-id.ts';
import type { Store } from '../../store/store.ts';
import { operationKeyOf } from './hold-request.ts';
import { isLive } from './live-holds.ts';

/** An operation as it would be bundled, and the paymaster and contract that it is looked for under. */
export type SignedQuestion = {
  readonly chainId: number;
  readonly contract: Address;
  readonly paymasterId: string;
  readonly operation: BundledOperation;
};

/**
 * The decision behind an operation that a paymaster has signed: one with a live hold that was made for exactly these fields
 * and terms. The name of what it carries is written with the hold, before anything is signed, so that every process knows
 * it. Undefined if there is no such hold. Whether the bytes of the signature are valid is left to the chain.
 */
export async function findSignedOperation(
  { db }: Store,
  { chainId, contract, paymasterId, operation }: SignedQuestion,
): Promise<{ readonly decisionId?: string } | undefined> {
  const found = await db
    .selectFrom('holds')
    .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
    .innerJoin('signatures', 'signatures.hold_id', 'holds.hold_id')
    .select('holds.hold_id')
    .where('holds.operation_key', '=', operationKeyOf(operation))
    .where(isLive)
    .where('holds.paymaster_id', '=', paymasterId)
    .where('tanks.chain_id', '=', chainId)
    .where('tanks.contract', '=', contract)
    .where('signatures.user_operation_hash', 'in', contentIds(operation))
    .limit(1)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const decision = await db
    .selectFrom('decisions')
    .select('decision_id')
    .where('hold_id', '=', found.hold_id)
    .where('outcome', '=', 'signed')
    .orderBy('decision_number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return omitAbsent({ decisionId: decision?.decision_id });
}

import type { Kysely } from 'kysely';
import { refuse } from '../../domain/result/result.ts';
import type { PolicyKey } from '../../policies/policy-key.ts';
import type { Database } from '../../store/database.ts';

export const policyNotFound = refuse({ reason: 'POLICY_NOT_FOUND', message: 'Policy not found' });

/** Whether a paymaster has a named policy of that id. */
export async function hasNamedPolicy(db: Kysely<Database>, { paymasterId, policyId }: PolicyKey): Promise<boolean> {
  const row = await db
    .selectFrom('named_policies')
    .select('policy_id')
    .where('paymaster_id', '=', paymasterId)
    .where('policy_id', '=', policyId)
    .executeTakeFirst();
  return row !== undefined;
}

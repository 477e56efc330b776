import type { Kysely } from 'kysely';
import { defaultPolicy, type Policy } from '../domain/policy.ts';
import type { Database } from '../store/database.ts';
import type { PolicyKey } from './policy-key.ts';
import { parsePolicy } from './policy-text.ts';

/** The default policy that is in force for a paymaster; the caller has made sure that it may be read. */
export async function readStoredPolicy(db: Kysely<Database>, paymasterId: string): Promise<Policy> {
  const row = await db
    .selectFrom('policies')
    .select('policy')
    .where('paymaster_id', '=', paymasterId)
    .executeTakeFirst();
  return row === undefined ? defaultPolicy : parsePolicy(row.policy, paymasterId);
}

/** The same of any of its policies; a named one that is not there is undefined. */
export async function readPolicyAt(db: Kysely<Database>, policy: PolicyKey): Promise<Policy | undefined> {
  const { paymasterId, policyId } = policy;
  if (policyId === '') return readStoredPolicy(db, paymasterId);
  const row = await db
    .selectFrom('named_policies')
    .select('policy')
    .where('paymaster_id', '=', paymasterId)
    .where('policy_id', '=', policyId)
    .executeTakeFirst();
  return row === undefined ? undefined : parsePolicy(row.policy, policyId);
}

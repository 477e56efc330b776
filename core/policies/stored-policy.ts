import type { Kysely } from 'kysely';
import { defaultPolicy, type Policy } from '../domain/policy.ts';
import type { Database } from '../store/database.ts';
import { parsePolicy } from './policy-text.ts';

/** The policy that is in force for a paymaster; the caller has made sure that it may be read. */
export async function readStoredPolicy(db: Kysely<Database>, paymasterId: string): Promise<Policy> {
  const row = await db
    .selectFrom('policies')
    .select('policy')
    .where('paymaster_id', '=', paymasterId)
    .executeTakeFirst();
  return row === undefined ? defaultPolicy : parsePolicy(row.policy, paymasterId);
}

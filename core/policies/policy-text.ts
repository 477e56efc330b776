import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { defaultPolicy, type Policy, PolicySchema } from '../domain/policy.ts';
import type { Database } from '../store/database.ts';
import { readJsonColumn } from '../store/read-json-column.ts';
import type { PolicyKey } from './policy-key.ts';

/** Raised when what is stored changes its meaning; a new field that has a default, or may be absent, changes none. */
const policyVersion = 2;

const StoredPolicySchema = z
  .looseObject({
    version: z.literal(policyVersion, { error: 'was written by another version of the program' }).optional(),
  })
  .transform(({ version, ...fields }) => (version === undefined ? fromVersion1(fields) : fields))
  .pipe(PolicySchema);

/** Version 1 said none, and `most` for the `max` of a limit. */
function fromVersion1({ limits, ...fields }: Record<string, unknown>): Record<string, unknown> {
  return { ...fields, limits: Array.isArray(limits) ? limits.map(limitFromVersion1) : limits };
}

function limitFromVersion1(limit: unknown): unknown {
  if (typeof limit !== 'object' || limit === null || !('most' in limit)) return limit;
  const { most, ...fields } = limit;
  return { ...fields, max: most };
}

/** The text that the store keeps of a policy. */
export function policyText(policy: Policy): string {
  return JSON.stringify({ version: policyVersion, ...z.encode(PolicySchema, policy) });
}

/** Characters of the texts whose policies are kept: with what is read of them, some eight bytes each. */
const maxKeptCharacters = 1024 * 1024;

/** Policies by their text: every hold reads the one in force again, and with full lists of senders that takes milliseconds. */
const known = new LRUCache<string, Policy>({ maxSize: maxKeptCharacters, sizeCalculation: (_, text) => text.length });

/** Reads what {@link policyText} wrote, in this version or an older one. Throws a `RowError` for anything else. */
export function parsePolicy(text: string, paymasterId: string): Policy {
  const kept = known.get(text);
  if (kept !== undefined) return kept;
  const policy = readJsonColumn(StoredPolicySchema, text, { table: 'policies', id: paymasterId });
  known.set(text, policy);
  return policy;
}

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

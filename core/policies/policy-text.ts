import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { defaultPolicy, type Policy, PolicySchema } from '../domain/policy.ts';
import type { Database } from '../store/database.ts';
import { readJsonColumn } from '../store/read-json-column.ts';
import type { PolicyKey } from './policy-key.ts';

/** Raise it when stored data changes its meaning. A new optional field, or one with a default, changes nothing. */
const policyVersion = 2;

const StoredPolicySchema = z
  .looseObject({
    version: z.literal(policyVersion, { error: 'was written by another version of the program' }).optional(),
  })
  .transform(({ version, ...fields }) => (version === undefined ? fromVersion1(fields) : fields))
  .pipe(PolicySchema);

/** Version 1 has no version field, and `most` instead of a limit's `max`. */
function fromVersion1({ limits, ...fields }: Record<string, unknown>): Record<string, unknown> {
  return { ...fields, limits: Array.isArray(limits) ? limits.map(limitFromVersion1) : limits };
}

function limitFromVersion1(limit: unknown): unknown {
  if (typeof limit !== 'object' || limit === null || !('most' in limit)) return limit;
  const { most, ...fields } = limit;
  return { ...fields, max: most };
}

/** The stored text of a policy. */
export function policyText(policy: Policy): string {
  return JSON.stringify({ version: policyVersion, ...z.encode(PolicySchema, policy) });
}

/** Total characters of the texts whose parsed policies are cached; they take about eight bytes each. */
const maxKeptCharacters = 1024 * 1024;

/**
 * Parsed policies by their text: every hold reads the current one again, and with full sender lists parsing takes
 * milliseconds.
 */
const known = new LRUCache<string, Policy>({ maxSize: maxKeptCharacters, sizeCalculation: (_, text) => text.length });

/** Parses the result of {@link policyText}, of this version or an older one. Throws a `RowError` for anything else. */
export function parsePolicy(text: string, paymasterId: string): Policy {
  const kept = known.get(text);
  if (kept !== undefined) return kept;
  const policy = readJsonColumn(StoredPolicySchema, text, { table: 'policies', id: paymasterId });
  known.set(text, policy);
  return policy;
}

/** A paymaster's current default policy; the caller has checked that it may be read. */
export async function readStoredPolicy(db: Kysely<Database>, paymasterId: string): Promise<Policy> {
  const row = await db
    .selectFrom('policies')
    .select('policy')
    .where('paymaster_id', '=', paymasterId)
    .executeTakeFirst();
  return row === undefined ? defaultPolicy : parsePolicy(row.policy, paymasterId);
}

/** Any policy of a paymaster; undefined if a named one does not exist. */
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

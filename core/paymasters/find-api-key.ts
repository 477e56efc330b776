import type { Kysely } from 'kysely';
import type { Database } from '../store/database.ts';

/**
 * Whose an apiKey is, instead of which of its keys, and when it is no longer accepted, in Unix seconds; null for the
 * newest one.
 */
export type FoundApiKey = {
  readonly paymasterId: string;
  readonly apiKeyId: string;
  readonly keyNumber: number;
  readonly expiresAt: number | null;
};

/** The apiKey with one of the keyed digests, of which each master key makes another, if it is accepted at `now`. */
export async function findApiKey(
  db: Kysely<Database>,
  { digests, now }: { readonly digests: readonly string[]; readonly now: number },
): Promise<FoundApiKey | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .select(['paymaster_id', 'api_key_id', 'key_number', 'expires_at'])
    .where('digest', 'in', digests)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { paymaster_id: paymasterId, api_key_id: apiKeyId, key_number: keyNumber, expires_at: expiresAt } = row;
  return { paymasterId, apiKeyId, keyNumber, expiresAt };
}

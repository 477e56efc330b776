import type { Kysely } from 'kysely';
import type { Database } from '../../store/database.ts';

/** Whose an apiKey is, and when it is no longer accepted, in Unix seconds; null for the newest one. */
export type FoundApiKey = { readonly paymasterId: string; readonly expiresAt: number | null };

/** The apiKey with one of the keyed digests, of which each master key makes another, if it is accepted at `now`. */
export async function findApiKey(
  db: Kysely<Database>,
  { digests, now }: { readonly digests: readonly string[]; readonly now: number },
): Promise<FoundApiKey | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .select(['paymaster_id', 'expires_at'])
    .where('digest', 'in', digests)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst();
  return row && { paymasterId: row.paymaster_id, expiresAt: row.expires_at };
}

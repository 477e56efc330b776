import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../store/database.ts';

const form = /^[A-Za-z0-9_-]{9}\.[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const lettersAndDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * A new apiKey, `<9 characters of base64url>.<uuid v4>`: 53.9 + 122 random bits. It begins with a letter or a digit, since
 * command lines read a leading `-` as a flag.
 */
export function generateApiKey(): string {
  const first = lettersAndDigits[randomInt(lettersAndDigits.length)];
  return `${first}${randomBytes(6).toString('base64url')}.${randomUUID()}`;
}

/** Whether the text has the form of an apiKey; it need not exist. */
export function isWellFormedApiKey(text: string): boolean {
  return form.test(text);
}

/** The paymaster, the key number and the id of an apiKey, and its expiry in Unix seconds; null for the newest one. */
export type FoundApiKey = {
  readonly paymasterId: string;
  readonly apiKeyId: string;
  readonly keyNumber: number;
  readonly expiresAt: number | null;
};

/** The apiKey with one of these keyed digests (one per master key), if it is accepted at `now`. */
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

import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Kysely } from 'kysely';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Scope } from '../../domain/access/actor.ts';
import type { NoteUse } from '../../paymasters/key-rates.ts';
import type { Database } from '../../store/database.ts';
import { readRetiredDigests } from '../../store/master-keys/adopt-master-key.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { rightsOf } from './rights-of.ts';

/** A valid authToken. `expiresAt` in Unix seconds. */
export type FoundAuthToken = {
  readonly authTokenId: string;
  readonly accountId: string;
  readonly expiresAt: number | null;
  readonly scopes: readonly Scope[];
};

/** Finds an authToken that is valid now. */
export type FindAuthToken = (authToken: string) => Promise<FoundAuthToken | undefined>;

/**
 * Takes the same work for a token that is malformed, unknown, expired, revoked, of a suspended account or of a former
 * member. The lookup uses only keyed digests, so its time reveals nothing about the secret; the digests of all master keys
 * are tried at once.
 */
export function createFindAuthToken(parts: {
  store: Store;
  clock: Clock;
  digestAuthToken: (authToken: string) => string;
  /** Opens the keys for digests of former master keys. */
  box: SecretBox;
  noteUse: NoteUse;
}): FindAuthToken {
  const { store, clock, digestAuthToken, box, noteUse } = parts;
  let retired: Promise<readonly ((authToken: string) => string)[]> | undefined;

  /** Read once: a new one requires a restart. */
  function readRetired(): NonNullable<typeof retired> {
    retired ??= readRetiredDigests(store, box).catch((cause: unknown) => {
      retired = undefined;
      throw cause;
    });
    return retired;
  }

  return async (authToken) => {
    const wellFormed = isWellFormedAuthToken(authToken);
    const digests = [digestAuthToken, ...(await readRetired())].map((digest) => digest(authToken));
    const row = await authTokenRows(store.db).where('digest', 'in', digests).executeTakeFirst();
    if (!wellFormed || row === undefined || row.revoked_at !== null || row.suspended_at !== null) return undefined;
    const now = unixSeconds(clock);
    if (row.expires_at !== null && row.expires_at <= now) return undefined;
    const scopes = rightsOf(row);
    if (scopes === undefined) return undefined;
    noteUse({ of: 'auth-token', id: row.auth_token_id, at: now });
    const { auth_token_id: authTokenId, account_id: accountId, expires_at: expiresAt } = row;
    return { authTokenId, accountId, expiresAt, scopes };
  };
}

/** AuthTokens, including ended ones, each with its account and the account role of the member who created it. */
export function authTokenRows(db: Kysely<Database>) {
  return db
    .selectFrom('auth_tokens')
    .innerJoin('accounts', 'accounts.account_id', 'auth_tokens.account_id')
    .leftJoin('account_members', (join) =>
      join
        .onRef('account_members.account_id', '=', 'auth_tokens.account_id')
        .onRef('account_members.wallet', '=', 'auth_tokens.made_by'),
    )
    .selectAll('auth_tokens')
    .select(['suspended_at', 'auth_tokens.made_by as member', 'role']);
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 30 characters of 62 are 178 bits. */
const randomLength = 30;
/** Six characters of 62 hold any 32-bit checksum. */
const checksumLength = 6;
const form = new RegExp(`^tf_([0-9A-Za-z]{${randomLength}})([0-9A-Za-z]{${checksumLength}})$`);

/** A new authToken, `tf_<random><checksum>`. The prefix lets secret scanners find it. */
export function generateAuthToken(): string {
  const random = Array.from({ length: randomLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
  return `tf_${random}${checksumOf(random)}`;
}

/** Whether the text has the form of an authToken with the right checksum: distinguishes a mistyped token from other text. */
export function isWellFormedAuthToken(text: string): boolean {
  const [, random, checksum] = form.exec(text) ?? [];
  return random !== undefined && checksumOf(random) === checksum;
}

/** CRC-32 of the random part in base 62, most significant digit first, padded to six digits. */
function checksumOf(random: string): string {
  let rest = crc32(random);
  let digits = '';
  for (let position = 0; position < checksumLength; position++) {
    digits = alphabet.charAt(rest % alphabet.length) + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}

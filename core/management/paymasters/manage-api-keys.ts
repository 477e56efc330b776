import { maxApiKeyGraceSeconds, maxApiKeys, maxKeys } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Kysely, Transaction } from 'kysely';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Owned } from '../../domain/access/actor.ts';
import { noKeyRules } from '../../domain/api-key-rules.ts';
import type { Core } from '../../domain/core.ts';
import type { ApiKeyRecord, ApiKeySettings } from '../../domain/paymaster.ts';
import { accept, checkName, invalidField, type Result, refuse } from '../../domain/result/result.ts';
import { endOtherLimits, ownerOfKey } from '../../ledger/accounts/limit-numbers.ts';
import { checkKeyRules, keyRulesText, ownKeyNumber, readKeySettings, unsetKey } from '../../paymasters/key-settings.ts';
import type { SponsorProfiles } from '../../paymasters/sponsor-profiles.ts';
import type { Database } from '../../store/database.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { etagOf } from '../audit-log/object-versions.ts';
import { keySettingsFacts, unsetKeyFacts } from '../audit-log/row-facts.ts';
import { addApiKey } from './add-api-key.ts';
import { changeOwnPaymaster } from './change-own-paymaster.ts';

const apiKeyNotFound = refuse({ reason: 'API_KEY_NOT_FOUND', message: 'API key not found' });
const nameExists = refuse({ reason: 'API_KEY_NAME_EXISTS', message: 'API key name already exists' });
const tooManyKeys = refuse({
  reason: 'TOO_MANY_API_KEYS',
  message: `A paymaster can have at most ${maxKeys} apiKeys. End an unused one`,
});
const tooManyReplaced = refuse({
  reason: 'TOO_MANY_API_KEYS',
  message: `At most ${maxApiKeys} apiKeys that replace each other can be accepted. End a replaced one, or replace with graceSeconds 0`,
});

/** A key whose newest apiKey has this id, or replaced the apiKey with it. */
type FoundKey = StoredApiKey & { readonly others: readonly StoredApiKey[] };

/**
 * The operations of `Core` on the apiKeys of a paymaster: its own, additional ones, and replaced ones that still work for a
 * while.
 */
export function manageApiKeys(
  parts: ApiKeyParts,
): Pick<Core, 'listApiKeys' | 'createApiKey' | 'updateApiKey' | 'rotateApiKey' | 'endApiKey'> {
  const { store, clock } = parts;
  return {
    async listApiKeys(owned) {
      if (!(await ownsPaymaster(store.db, owned))) return paymasterNotFound;
      const keys = await readApiKeys(store.db, owned, unixSeconds(clock));
      return accept(keys.map(({ record }) => record));
    },
    ...manageKeySettings(parts),
    ...manageKeyEnds(parts),
  };
}

type ApiKeyParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly profiles: SponsorProfiles;
  readonly box: SecretBox;
  readonly digestApiKey: (apiKey: string) => string;
};

/** Creates additional keys, and changes their names and rules. */
function manageKeySettings(parts: ApiKeyParts): Pick<Core, 'createApiKey' | 'updateApiKey'> {
  const { clock } = parts;
  return {
    async createApiKey({ accountId, paymasterId, ...settings }) {
      const name = checkName(settings.name);
      if (!name.ok) return name;
      const rules = checkKeyRules(settings.rules ?? noKeyRules);
      if (!rules.ok) return rules;
      const now = unixSeconds(clock);
      return changeOwnPaymaster(parts, { accountId, paymasterId }, async (trx) => {
        const keys = await readApiKeys(trx, { accountId, paymasterId }, now);
        if (keys.some(({ record }) => record.name === settings.name)) return nameExists;
        if (new Set(keys.map(({ keyNumber }) => keyNumber)).size >= maxKeys) return tooManyKeys;
        const keyNumber = await takeKeyNumber(trx, paymasterId);
        await writeKeySettings(
          trx,
          { paymasterId, keyNumber },
          { name: name.value, disabled: false, rules: rules.value },
        );
        const { apiKey } = await addApiKey(trx, { paymasterId, keyNumber }, { ...parts, now });
        return newest(trx, { accountId, paymasterId }, { apiKey, keyNumber, now });
      });
    },

    async updateApiKey({ accountId, paymasterId, apiKeyId, ...changes }) {
      const name = changes.name === undefined ? accept('') : checkName(changes.name);
      if (!name.ok) return name;
      const rules = changes.rules === undefined ? undefined : checkKeyRules(changes.rules);
      if (rules?.ok === false) return rules;
      const now = unixSeconds(clock);
      const owned = { accountId, paymasterId };
      return changeOwnPaymaster(parts, owned, async (trx): Promise<Result<ApiKeyRecord>> => {
        const keys = await readApiKeys(trx, owned, now);
        const key = findKey(keys, apiKeyId);
        if (key === undefined) return apiKeyNotFound;
        const { keyNumber, record } = key;
        const isTaken = keys.some((other) => other.keyNumber !== keyNumber && other.record.name === changes.name);
        if (isTaken) return nameExists;
        const settings: ApiKeySettings = {
          name: changes.name ?? record.name,
          disabled: changes.disabled ?? record.disabled,
          rules: rules?.value ?? record.rules,
        };
        await writeKeySettings(trx, { paymasterId, keyNumber }, settings);
        const limits = settings.rules.limits ?? [];
        const kept = limits.map((limit) => ({ per: 'key' as const, ...limit }));
        await endOtherLimits(trx, ownerOfKey(paymasterId, keyNumber), kept);
        return accept({
          ...record,
          ...settings,
          etag: etagOf('settingsOfApiKey', keySettingsFacts(columnsOf(settings))),
        });
      });
    },
  };
}

/** Replaces a key, at once or after a while, and ends keys. */
function manageKeyEnds(parts: ApiKeyParts): Pick<Core, 'rotateApiKey' | 'endApiKey'> {
  const { clock } = parts;
  return {
    async rotateApiKey({ graceSeconds, apiKeyId, ...owned }) {
      if (!Number.isSafeInteger(graceSeconds) || graceSeconds < 0 || graceSeconds > maxApiKeyGraceSeconds) {
        return invalidField('graceSeconds', `must be a whole number from 0 to ${maxApiKeyGraceSeconds}`);
      }
      const now = unixSeconds(clock);
      return changeOwnPaymaster(parts, owned, async (trx) => {
        const key = findKey(await readApiKeys(trx, owned, now), apiKeyId);
        if (key === undefined) return apiKeyNotFound;
        if (graceSeconds > 0 && key.others.length + 1 >= maxApiKeys) return tooManyReplaced;
        const reference = { paymasterId: owned.paymasterId, keyNumber: key.keyNumber };
        await endBy(trx, reference, now + graceSeconds);
        await forgetEnded(trx, owned.paymasterId, now);
        const { apiKey } = await addApiKey(trx, reference, { ...parts, now });
        return newest(trx, owned, { apiKey, keyNumber: key.keyNumber, now });
      });
    },

    async endApiKey({ apiKeyId, ...owned }) {
      const now = unixSeconds(clock);
      return changeOwnPaymaster(parts, owned, async (trx) => {
        const key = findKey(await readApiKeys(trx, owned, now), apiKeyId);
        if (key === undefined) return apiKeyNotFound;
        const isReplaced = key.record.expiresAt !== undefined;
        if (!isReplaced && key.record.isOwn) {
          return invalidField('apiKeyId', 'must not be the paymaster’s own key. Replace it with graceSeconds 0');
        }
        if (isReplaced) await trx.deleteFrom('api_keys').where('api_key_id', '=', apiKeyId).execute();
        else {
          const reference = { paymasterId: owned.paymasterId, keyNumber: key.keyNumber };
          await deleteKey(trx, reference);
          await endOtherLimits(trx, ownerOfKey(reference.paymasterId, reference.keyNumber));
        }
        return accept({ ...key.record, expiresAt: now });
      });
    },
  };
}

/** Identifies a key of a paymaster. */
type KeyReference = { readonly paymasterId: string; readonly keyNumber: number };

/**
 * The apiKey with the id among those of a paymaster, and the others of the same key; the paymaster's own key without an id.
 */
function findKey(keys: readonly StoredApiKey[], apiKeyId: string | undefined): FoundKey | undefined {
  const found = keys.find(({ keyNumber, record }) =>
    apiKeyId === undefined
      ? keyNumber === ownKeyNumber && record.expiresAt === undefined
      : record.apiKeyId === apiKeyId,
  );
  if (found === undefined) return undefined;
  return { ...found, others: keys.filter((key) => key !== found && key.keyNumber === found.keyNumber) };
}

async function takeKeyNumber(trx: Transaction<Database>, paymasterId: string): Promise<number> {
  const row = await trx
    .updateTable('paymasters')
    .set(({ eb }) => ({ keys_made: eb('keys_made', '+', 1) }))
    .where('paymaster_id', '=', paymasterId)
    .returning('keys_made')
    .executeTakeFirstOrThrow();
  return row.keys_made;
}

/** A new key, in listed form. */
async function newest(
  trx: Transaction<Database>,
  owned: Owned,
  made: { readonly apiKey: string; readonly keyNumber: number; readonly now: number },
) {
  const keys = await readApiKeys(trx, owned, made.now);
  const found = keys.find(({ keyNumber, record }) => keyNumber === made.keyNumber && record.expiresAt === undefined);
  if (found === undefined) throw new Error('A created apiKey is missing.');
  return accept({ apiKey: made.apiKey, record: found.record });
}

/** Sets the expiry of every apiKey of the key, except those that expire earlier. */
async function endBy(trx: Transaction<Database>, reference: KeyReference, expiresAt: number): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set(({ eb }) => ({
      expires_at: eb.case().when('created_at', '>', expiresAt).then(eb.ref('created_at')).else(expiresAt).end(),
    }))
    .where('paymaster_id', '=', reference.paymasterId)
    .where('key_number', '=', reference.keyNumber)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', expiresAt)]))
    .execute();
}

async function forgetEnded(trx: Transaction<Database>, paymasterId: string, now: number): Promise<void> {
  await trx.deleteFrom('api_keys').where('paymaster_id', '=', paymasterId).where('expires_at', '<=', now).execute();
}

async function deleteKey(trx: Transaction<Database>, { paymasterId, keyNumber }: KeyReference): Promise<void> {
  for (const table of ['api_keys', 'api_key_settings'] as const) {
    await trx.deleteFrom(table).where('paymaster_id', '=', paymasterId).where('key_number', '=', keyNumber).execute();
  }
}

async function writeKeySettings(
  trx: Transaction<Database>,
  key: { readonly paymasterId: string; readonly keyNumber: number },
  settings: ApiKeySettings,
): Promise<void> {
  const columns = columnsOf(settings);
  await trx
    .insertInto('api_key_settings')
    .values({ paymaster_id: key.paymasterId, key_number: key.keyNumber, ...columns })
    .onConflict((conflict) => conflict.columns(['paymaster_id', 'key_number']).doUpdateSet(columns))
    .execute();
}

function columnsOf({ name, disabled, rules }: ApiKeySettings) {
  return { name, disabled: disabled ? 1 : 0, rules: keyRulesText(rules) } as const;
}

/** The versions of a paymaster's keys, by key number. */
async function readKeyVersions(db: Kysely<Database>, paymasterId: string): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('api_key_settings')
    .select(['key_number', 'name', 'disabled', 'rules'])
    .where('paymaster_id', '=', paymasterId)
    .execute();
  return new Map(
    rows.map(({ key_number, ...columns }) => [key_number, etagOf('settingsOfApiKey', keySettingsFacts(columns))]),
  );
}

/** A stored apiKey, with the number of its key. */
type StoredApiKey = { readonly keyNumber: number; readonly record: ApiKeyRecord };

/** The apiKeys that are accepted for a paymaster at `now` (Unix seconds): its own first, newest first within each key. */
async function readApiKeys(db: Kysely<Database>, owned: Owned, now: number): Promise<readonly StoredApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select(['api_key_id', 'key_number', 'last_four', 'created_at', 'expires_at', 'last_used_at'])
    .where('paymaster_id', '=', ownPaymasterId(db, owned))
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('key_number')
    .orderBy('api_key_number', 'desc')
    .execute();
  const settings = rows.length === 0 ? new Map() : await readKeySettings(db, owned.paymasterId);
  const versions = rows.length === 0 ? new Map<number, string>() : await readKeyVersions(db, owned.paymasterId);
  return rows.map(({ key_number: keyNumber, ...row }) => ({
    keyNumber,
    record: {
      apiKeyId: row.api_key_id,
      lastFour: row.last_four,
      ...(settings.get(keyNumber) ?? unsetKey),
      isOwn: keyNumber === ownKeyNumber,
      createdAt: row.created_at,
      etag: versions.get(keyNumber) ?? etagOf('settingsOfApiKey', unsetKeyFacts),
      ...omitAbsent({ expiresAt: row.expires_at ?? undefined, lastUsedAt: row.last_used_at ?? undefined }),
    },
  }));
}

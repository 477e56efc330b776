import { sql, type Transaction } from 'kysely';
import { apiKeyBinding } from '../paymasters/to-paymaster.ts';
import type { Database } from '../store/database.ts';
import { mayKeySeal, retiredKeyBinding } from '../store/master-keys/adopt-master-key.ts';
import type { SecretBox } from '../store/secret-box.ts';
import type { Store } from '../store/store.ts';
import { ticketKeySecretBinding } from '../tickets/stored-ticket-key.ts';
import { webhookSecretBinding } from '../webhooks/sign-webhook.ts';
import { notificationSecretBinding } from './notifications/stored-notification.ts';

/** Rows of one step, which is one transaction. */
const rowsAtOnce = 100;

type Parts = { readonly box: SecretBox; readonly digestApiKey: (apiKey: string) => string };

/**
 * Seals the rows after a number with the newest master key. Returns the last one's number, or undefined when there are no
 * more.
 */
type Step = (trx: Transaction<Database>, after: number, parts: Parts) => Promise<number | undefined>;

/** An apiKey is found by its digest, which depends on the master key. */
const resealApiKeys: Step = async (trx, after, { box, digestApiKey }) => {
  const rows = await trx
    .selectFrom('api_keys')
    .select(['api_key_number', 'paymaster_id', 'sealed', 'digest'])
    .where('api_key_number', '>', after)
    .orderBy('api_key_number')
    .limit(rowsAtOnce)
    .execute();
  for (const row of rows) {
    const binding = apiKeyBinding(row.paymaster_id);
    const sealed = box.reseal(row.sealed, binding) ?? row.sealed;
    const digest = digestApiKey(box.open(sealed, binding));
    if (sealed === row.sealed && digest === row.digest) continue;
    await trx
      .updateTable('api_keys')
      .set({ sealed, digest })
      .where('api_key_number', '=', row.api_key_number)
      .execute();
  }
  return rows.at(-1)?.api_key_number;
};

/** Seals the secrets of a table whose rows have numbers and ids with this prefix. The id is part of what is sealed. */
function resealTable(table: string, prefix: string, bindingOf: (id: string) => string): Step {
  const [name, number, id] = [sql.table(table), sql.ref(`${prefix}_number`), sql.ref(`${prefix}_id`)];
  return async (trx, after, { box }) => {
    const { rows } = await sql<{ number: number; id: string; secret_sealed: Uint8Array | null }>`
      SELECT ${number} AS number, ${id} AS id, secret_sealed FROM ${name}
      WHERE ${number} > ${after} ORDER BY ${number} LIMIT ${rowsAtOnce}`.execute(trx);
    for (const row of rows) {
      const sealed = row.secret_sealed === null ? undefined : box.reseal(row.secret_sealed, bindingOf(row.id));
      if (sealed === undefined) continue;
      await sql`UPDATE ${name} SET secret_sealed = ${sealed} WHERE ${number} = ${row.number}`.execute(trx);
    }
    return rows.at(-1)?.number;
  };
}

/** One row per former master key: all in one step. */
const resealRetiredKeys: Step = async (trx, _after, { box }) => {
  const rows = await trx.selectFrom('retired_digest_keys').selectAll().execute();
  for (const { master_key: masterKey, key_sealed } of rows) {
    const sealed = box.reseal(key_sealed, retiredKeyBinding(masterKey));
    if (sealed === undefined) continue;
    await trx
      .updateTable('retired_digest_keys')
      .set({ key_sealed: sealed })
      .where('master_key', '=', masterKey)
      .execute();
  }
  return undefined;
};

const steps: readonly Step[] = [
  resealApiKeys,
  resealTable('webhooks', 'webhook', webhookSecretBinding),
  resealTable('notifications', 'notification', notificationSecretBinding),
  resealTable('ticket_keys', 'ticket_key', ticketKeySecretBinding),
  resealRetiredKeys,
];

/**
 * Seals everything with the newest master key, in short transactions with pauses, and deletes master keys that are no longer
 * needed. False if it was closed earlier, or if another key seals meanwhile: processes at one database may temporarily have
 * different newest keys.
 *
 * @throws Error when a value does not open with any of the keys: then none of them is deleted.
 */
export async function resealSecrets(
  store: Store,
  parts: Parts & { readonly newest: string; readonly isClosed: () => boolean; readonly pause: () => Promise<void> },
): Promise<boolean> {
  if (!(await store.transaction((trx) => mayKeySeal(trx, parts.newest)))) return false;
  for (const step of steps) {
    for (let after: number | undefined = 0; after !== undefined; await parts.pause()) {
      if (parts.isClosed()) return false;
      const from: number = after;
      after = await store.transaction((trx) => step(trx, from, parts));
    }
  }
  return store.transaction(async (trx) => {
    if (!(await mayKeySeal(trx, parts.newest))) return false;
    await trx.deleteFrom('master_keys').where('digest', '!=', parts.newest).execute();
    return true;
  });
}

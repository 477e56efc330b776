import type { Transaction } from 'kysely';
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

const resealWebhooks: Step = async (trx, after, { box }) => {
  const rows = await trx
    .selectFrom('webhooks')
    .select(['webhook_number', 'webhook_id', 'secret_sealed'])
    .where('webhook_number', '>', after)
    .orderBy('webhook_number')
    .limit(rowsAtOnce)
    .execute();
  for (const row of rows) {
    const sealed = box.reseal(row.secret_sealed, webhookSecretBinding(row.webhook_id));
    if (sealed === undefined) continue;
    await trx
      .updateTable('webhooks')
      .set({ secret_sealed: sealed })
      .where('webhook_number', '=', row.webhook_number)
      .execute();
  }
  return rows.at(-1)?.webhook_number;
};

const resealNotifications: Step = async (trx, after, { box }) => {
  const rows = await trx
    .selectFrom('notifications')
    .select(['notification_number', 'notification_id', 'secret_sealed'])
    .where('notification_number', '>', after)
    .orderBy('notification_number')
    .limit(rowsAtOnce)
    .execute();
  for (const row of rows) {
    const sealed = box.reseal(row.secret_sealed, notificationSecretBinding(row.notification_id));
    if (sealed === undefined) continue;
    await trx
      .updateTable('notifications')
      .set({ secret_sealed: sealed })
      .where('notification_number', '=', row.notification_number)
      .execute();
  }
  return rows.at(-1)?.notification_number;
};

const resealTicketKeys: Step = async (trx, after, { box }) => {
  const rows = await trx
    .selectFrom('ticket_keys')
    .select(['ticket_key_number', 'ticket_key_id', 'secret_sealed'])
    .where('ticket_key_number', '>', after)
    .orderBy('ticket_key_number')
    .limit(rowsAtOnce)
    .execute();
  for (const row of rows) {
    if (row.secret_sealed === null) continue;
    const sealed = box.reseal(row.secret_sealed, ticketKeySecretBinding(row.ticket_key_id));
    if (sealed === undefined) continue;
    await trx
      .updateTable('ticket_keys')
      .set({ secret_sealed: sealed })
      .where('ticket_key_number', '=', row.ticket_key_number)
      .execute();
  }
  return rows.at(-1)?.ticket_key_number;
};

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
  for (const step of [resealApiKeys, resealWebhooks, resealNotifications, resealTicketKeys, resealRetiredKeys]) {
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

import type { Kysely } from 'kysely';
import { parseAddress } from '../../../base/values/parse-address.ts';
import type { Database } from '../../../store/database.ts';
import { fromWeiText } from '../../../store/wei/wei-text.ts';
import { factsOf, type Objects, toObjects } from '../facts.ts';

type Db = Kysely<Database>;

/** A paymaster itself, with its funding wallet. */
export async function snapshotPaymaster(db: Db, paymasterId: string | undefined): Promise<Objects> {
  if (paymasterId === undefined) return {};
  const rows = await db.selectFrom('paymasters').selectAll().where('paymaster_id', '=', paymasterId).execute();
  return toObjects(rows, (row) => [`paymaster ${row.paymaster_id}`, factsOf(row, 'paymaster_number', 'changes')]);
}

/** Its apiKeys by their ids, and their settings by key number. */
export async function snapshotApiKeys(db: Db, paymasterId: string | undefined): Promise<Objects> {
  if (paymasterId === undefined) return {};
  const rows = await db.selectFrom('api_keys').selectAll().where('paymaster_id', '=', paymasterId).execute();
  const settings = await db
    .selectFrom('api_key_settings')
    .selectAll()
    .where('paymaster_id', '=', paymasterId)
    .execute();
  return {
    ...toObjects(rows, (row) => [
      `apiKey ${row.api_key_id}`,
      factsOf(row, 'api_key_number', 'digest', 'sealed', 'last_used_at'),
    ]),
    ...toObjects(settings, (row) => [`settingsOfApiKey ${row.paymaster_id}:${row.key_number}`, factsOf(row)]),
  };
}

/** One of its contracts; of the ABI only its length. */
export async function snapshotContract(db: Db, paymasterId: string, address: string): Promise<Objects> {
  const rows = await db
    .selectFrom('contracts')
    .select(['contract_number', 'address', 'name', 'whitelisted_methods', 'abi_bytes', 'created_at'])
    .where('paymaster_id', '=', paymasterId)
    .where('address', '=', parseAddress(address)?.toLowerCase() ?? '')
    .execute();
  return toObjects(rows, (row) => [`contract ${row.address}`, factsOf(row, 'contract_number')]);
}

export async function snapshotWebhooks(db: Db, paymasterId: string): Promise<Objects> {
  const rows = await db.selectFrom('webhooks').selectAll().where('paymaster_id', '=', paymasterId).execute();
  return toObjects(rows, ({ failure_max: max, ...row }) => [
    `webhook ${row.webhook_id}`,
    factsOf({ ...row, failure_max: max === null ? null : fromWeiText(max) }, 'webhook_number', 'failure_era'),
  ]);
}

export async function snapshotNotifications(db: Db, paymasterId: string): Promise<Objects> {
  const rows = await db.selectFrom('notifications').selectAll().where('paymaster_id', '=', paymasterId).execute();
  return toObjects(rows, (row) => [`notification ${row.notification_id}`, factsOf(row, 'notification_number')]);
}

/** A message that will be sent, without its content. */
export async function snapshotDelivery(db: Db, deliveryId: string | undefined): Promise<Objects> {
  if (deliveryId === undefined) return {};
  const rows = await db
    .selectFrom('notification_deliveries')
    .select(['delivery_id', 'notification_id', 'type', 'state', 'round'])
    .where('delivery_id', '=', deliveryId)
    .execute();
  return toObjects(rows, (row) => [`delivery ${row.delivery_id}`, factsOf(row)]);
}

/** The message for a funding wallet to sign, by its times and without its text, which contains the nonce. */
export async function snapshotFundingMessage(db: Db, paymasterId: string): Promise<Objects> {
  const rows = await db.selectFrom('funding_messages').selectAll().where('paymaster_id', '=', paymasterId).execute();
  return toObjects(rows, ({ nonce, message: _, ...row }) => [
    `fundingMessage ${row.paymaster_id}`,
    factsOf({ ...row, nonce: Buffer.from(nonce) }),
  ]);
}

/** Its policy, with each field separately. */
export async function snapshotPolicy(db: Db, paymasterId: string): Promise<Objects> {
  const rows = await db.selectFrom('policies').selectAll().where('paymaster_id', '=', paymasterId).execute();
  return toObjects(rows, ({ policy }) => [`policy ${paymasterId}`, factsOf(readPolicyText(policy))]);
}

/** One of its named policies, with what names it. */
export async function snapshotNamedPolicy(db: Db, policyId: string | undefined): Promise<Objects> {
  if (policyId === undefined) return {};
  const rows = await db.selectFrom('named_policies').selectAll().where('policy_id', '=', policyId).execute();
  return toObjects(rows, ({ policy, ...row }) => [
    `policy ${row.policy_id}`,
    { ...factsOf(readPolicyText(policy)), ...factsOf(row, 'updated_at') },
  ]);
}

/** An unreadable policy can be replaced by another one; that change must be recorded too. */
function readPolicyText(text: string): object {
  try {
    const policy: unknown = JSON.parse(text);
    return typeof policy === 'object' && policy !== null ? policy : { unreadable: Buffer.from(text) };
  } catch {
    return { unreadable: Buffer.from(text) };
  }
}

/** The keys that sign its tickets. */
export async function snapshotTicketKeys(db: Db, paymasterId: string): Promise<Objects> {
  const rows = await db.selectFrom('ticket_keys').selectAll().where('paymaster_id', '=', paymasterId).execute();
  return toObjects(rows, (row) => [`ticketKey ${row.ticket_key_id}`, factsOf(row, 'ticket_key_number')]);
}

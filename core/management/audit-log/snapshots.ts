import type { Kysely } from 'kysely';
import { parseAddress } from '../../base/values/parse-address.ts';
import type { Database } from '../../store/database.ts';
import { factsOf, type Objects, toObjects } from './facts.ts';
import {
  contractFacts,
  namedPolicyFacts,
  notificationFacts,
  paymasterFacts,
  policyFacts,
  webhookFacts,
} from './row-facts.ts';

type Db = Kysely<Database>;

/** A paymaster itself, with its funding wallet. */
export async function snapshotPaymaster(db: Db, paymasterId: string | undefined): Promise<Objects> {
  if (paymasterId === undefined) return {};
  const rows = await db.selectFrom('paymasters').selectAll().where('paymaster_id', '=', paymasterId).execute();
  return toObjects(rows, (row) => [`paymaster ${row.paymaster_id}`, paymasterFacts(row)]);
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
      factsOf(row, 'api_key_number', 'digest', 'sealed', 'last_four', 'last_used_at'),
    ]),
    ...toObjects(settings, (row) => [`settingsOfApiKey ${row.paymaster_id}:${row.key_number}`, factsOf(row)]),
  };
}

/** One of its contracts; of the ABI only its length. */
export async function snapshotContract(db: Db, paymasterId: string, address: string): Promise<Objects> {
  const rows = await db
    .selectFrom('contracts')
    .select(['address', 'name', 'whitelisted_methods', 'abi_bytes', 'created_at'])
    .where('paymaster_id', '=', paymasterId)
    .where('address', '=', parseAddress(address)?.toLowerCase() ?? '')
    .execute();
  return toObjects(rows, (row) => [`contract ${row.address}`, contractFacts(row)]);
}

export async function snapshotWebhooks(db: Db, paymasterId: string): Promise<Objects> {
  const rows = await db.selectFrom('webhooks').selectAll().where('paymaster_id', '=', paymasterId).execute();
  return toObjects(rows, (row) => [`webhook ${row.webhook_id}`, webhookFacts(row)]);
}

export async function snapshotNotifications(db: Db, paymasterId: string): Promise<Objects> {
  const rows = await db.selectFrom('notifications').selectAll().where('paymaster_id', '=', paymasterId).execute();
  return toObjects(rows, (row) => [`notification ${row.notification_id}`, notificationFacts(row)]);
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
  return toObjects(rows, ({ policy }) => [`policy ${paymasterId}`, policyFacts(policy)]);
}

/** One of its named policies, with what names it. */
export async function snapshotNamedPolicy(db: Db, policyId: string | undefined): Promise<Objects> {
  if (policyId === undefined) return {};
  const rows = await db.selectFrom('named_policies').selectAll().where('policy_id', '=', policyId).execute();
  return toObjects(rows, (row) => [`policy ${row.policy_id}`, namedPolicyFacts(row)]);
}

/** The keys that sign its tickets. */
export async function snapshotTicketKeys(db: Db, paymasterId: string): Promise<Objects> {
  const rows = await db.selectFrom('ticket_keys').selectAll().where('paymaster_id', '=', paymasterId).execute();
  return toObjects(rows, (row) => [`ticketKey ${row.ticket_key_id}`, factsOf(row, 'ticket_key_number')]);
}

/** An account, as shown to the operator. */
export async function snapshotAccount(db: Kysely<Database>, accountId: string | undefined): Promise<Objects> {
  if (accountId === undefined) return {};
  const rows = await db.selectFrom('accounts').selectAll().where('account_id', '=', accountId).execute();
  return toObjects(rows, (row) => [`account ${row.account_id}`, factsOf(row, 'signed_up_by')]);
}

export async function snapshotMembers(db: Kysely<Database>, accountId: string | undefined): Promise<Objects> {
  if (accountId === undefined) return {};
  const rows = await db.selectFrom('account_members').selectAll().where('account_id', '=', accountId).execute();
  return toObjects(rows, (row) => [`member ${row.wallet}`, factsOf(row)]);
}

export async function snapshotBudgets(db: Kysely<Database>, accountId: string): Promise<Objects> {
  const rows = await db.selectFrom('budgets').selectAll().where('account_id', '=', accountId).execute();
  return toObjects(rows, (row) => [`budget ${row.budget_id}`, factsOf(row, 'limit_id')]);
}

/** Everything that determines who may do what in an account. */
export async function snapshotAccess(db: Kysely<Database>, accountId: string): Promise<Objects> {
  return {
    ...(await snapshotAccount(db, accountId)),
    ...(await snapshotMembers(db, accountId)),
    ...(await snapshotAuthTokens(db, accountId)),
    ...(await snapshotSessions(db, accountId)),
  };
}

/** All authTokens of an account that are still known. */
export async function snapshotAuthTokens(db: Kysely<Database>, accountId: string): Promise<Objects> {
  const rows = await db.selectFrom('auth_tokens').selectAll().where('account_id', '=', accountId).execute();
  return toObjects(rows, (row) => [`authToken ${row.auth_token_id}`, factsOf(row, 'digest', 'last_used_at')]);
}

export async function snapshotSessions(db: Kysely<Database>, accountId: string): Promise<Objects> {
  const rows = await db.selectFrom('sessions').selectAll().where('account_id', '=', accountId).execute();
  return toObjects(rows, (row) => [`session ${row.session_id}`, factsOf(row, 'digest', 'last_seen_at')]);
}

/** A new session, and its account if that was created with it. */
export async function snapshotNewSession(db: Kysely<Database>, sessionId: string | undefined): Promise<Objects> {
  if (sessionId === undefined) return {};
  const rows = await db.selectFrom('sessions').selectAll().where('session_id', '=', sessionId).execute();
  const accounts = await db
    .selectFrom('accounts')
    .innerJoin('sessions', 'sessions.account_id', 'accounts.account_id')
    .selectAll('accounts')
    .where('session_id', '=', sessionId)
    .where('signed_up', '=', 1)
    .whereRef('accounts.created_at', '=', 'sessions.created_at')
    .execute();
  return {
    ...toObjects(accounts, (row) => [`account ${row.account_id}`, factsOf(row, 'signed_up_by')]),
    ...toObjects(rows, (row) => [`session ${row.session_id}`, factsOf(row, 'digest', 'last_seen_at')]),
  };
}

/** The tanks of a paymaster's funding wallet on its chain, and the newest entry of each. */
export async function snapshotTanks(db: Db, paymasterId: string): Promise<Objects> {
  const tanks = await db
    .selectFrom('tanks')
    .innerJoin('paymasters', (join) =>
      join.onRef('wallet', '=', 'funding_wallet').onRef('tanks.chain_id', '=', 'paymasters.chain_id'),
    )
    .select(['tank_id', 'tanks.chain_id', 'contract', 'wallet', 'funded', 'settled'])
    .where('paymaster_id', '=', paymasterId)
    .execute();
  const objects: Record<string, Objects[string]> = {};
  for (const tank of tanks) {
    objects[`tank ${tank.chain_id}:${tank.contract}:${tank.wallet}`] = factsOf(tank, 'tank_id');
    const newest = await db
      .selectFrom('journal')
      .select(['entry_id', 'kind', 'amount', 'reason'])
      .where('tank_id', '=', tank.tank_id)
      .orderBy('entry_id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (newest !== undefined) objects[`newestEntry ${tank.chain_id}:${tank.contract}`] = factsOf(newest);
  }
  return objects;
}

/** The ledger's progress for a chain's contracts. */
export async function snapshotWatches(db: Db, chainId: number): Promise<Objects> {
  const rows = await db.selectFrom('contract_watches').selectAll().where('chain_id', '=', chainId).execute();
  return toObjects(rows, (row) => [`ledger ${row.chain_id}:${row.contract}`, factsOf(row)]);
}

/** From when on the entries are complete: only the first step of archiving changes it. */
export async function lookAtArchive(db: Db): Promise<Objects> {
  const rows = await db.selectFrom('ledger_archive').select('entries_since').execute();
  return toObjects(rows, (row) => ['archive ledger', factsOf(row)]);
}

export async function snapshotHold(db: Db, holdId: number): Promise<Objects> {
  const rows = await db
    .selectFrom('holds')
    .select(['hold_id', 'paymaster_id', 'sender', 'amount', 'state'])
    .where('hold_id', '=', holdId)
    .execute();
  return toObjects(rows, (row) => [`hold ${row.hold_id}`, factsOf(row)]);
}

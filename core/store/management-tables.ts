import type { Generated } from 'kysely';
import type { Role } from '../domain/access/actor.ts';
import type { BudgetWindow } from '../domain/budget.ts';
import type { TicketKeyKind } from '../domain/tickets.ts';
import type { WebhookPayload, WebhookRequestType, WebhookVerdict } from '../domain/webhook.ts';

type Flag = 0 | 1;

/**
 * `wallet` is checksummed: the account's own wallet, which is also a member. `invited` is 1 until its owner first signs in.
 * `signed_up` is 1 if its owner created it by signing in, `signed_up_by` the keyed digest of the client address, kept for a
 * day.
 */
type AccountsTable = {
  account_id: string;
  name: string;
  created_at: number;
  wallet: Generated<string | null>;
  invited: Generated<Flag>;
  suspended_at: Generated<number | null>;
  signed_up: Generated<Flag>;
  signed_up_by: Generated<string | null>;
};

/** `wallet` is checksummed. `joined_at` is null until it signs in. */
type AccountMembersTable = {
  account_id: string;
  wallet: string;
  /** For a contract wallet. Null: a wallet with a private key. */
  chain_id: Generated<number | null>;
  /** What it is called. Null: it has no name. */
  name: Generated<string | null>;
  role: Role;
  added_at: number;
  joined_at: number | null;
};

/** `paymaster_ids` is separated by spaces; null for all paymasters of the account. */
type BudgetsTable = {
  budget_id: string;
  account_id: string;
  name: string;
  max_usd_micros: number;
  span: BudgetWindow;
  paymaster_ids: string | null;
  created_at: number;
  updated_at: number;
  /** Under which number it counts: another one once it counts something else. */
  limit_id: number;
};

/** `digest` is the keyed digest of the token; the token itself is not stored. */
type AuthTokensTable = {
  auth_token_id: string;
  account_id: string;
  name: string;
  digest: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  /** Rounded to the minute. */
  last_used_at: Generated<number | null>;
  /** Separated by spaces. */
  scopes: Generated<string>;
  /** Wallet of the member who created it. */
  made_by: Generated<string | null>;
};

/** `digest` is the keyed digest of the secret. One of `auth_token_id` and `wallet` is null. */
type SessionsTable = {
  session_id: string;
  account_id: string;
  auth_token_id: string | null;
  digest: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  wallet: Generated<string | null>;
};

/** Kept until they would have expired. */
type UsedNoncesTable = { nonce: string; expires_at: number };

/** `funding_wallet` is checksummed. */
type PaymastersTable = {
  paymaster_number: Generated<number>;
  paymaster_id: string;
  account_id: string;
  name: string;
  chain_id: number;
  version: string;
  funding_wallet: string | null;
  created_at: number;
  /** How often it or its data was changed. */
  changes: Generated<number>;
  /** How many additional apiKeys were created. */
  keys_made: Generated<number>;
  paused_at: Generated<number | null>;
  retired_at: Generated<number | null>;
};

/**
 * `sealed` is the encrypted apiKey, `digest` its keyed digest. `key_number` is 0 for the paymaster's own key; replacing a
 * key keeps its number, and the newest version of each has no expiry.
 */
type ApiKeysTable = {
  api_key_number: Generated<number>;
  api_key_id: string;
  paymaster_id: string;
  digest: string;
  sealed: Uint8Array;
  /** The last four characters of the apiKey. */
  last_four: string;
  created_at: number;
  expires_at: number | null;
  key_number: Generated<number>;
  /** Rounded to the minute. */
  last_used_at: Generated<number | null>;
};

/** The settings of a key, which also apply to replaced versions. `rules` is JSON. */
type ApiKeySettingsTable = {
  paymaster_id: string;
  key_number: number;
  name: string;
  disabled: Generated<Flag>;
  rules: Generated<string>;
};

/**
 * `address` is lower case. `functions` (the ABI's state-changing functions), `whitelisted_methods` (as registered) and
 * `selectors` (of the whitelist) are JSON, so that the ABI need not be parsed again.
 */
type ContractsTable = {
  contract_number: Generated<number>;
  paymaster_id: string;
  name: string;
  address: string;
  functions: string;
  whitelisted_methods: string;
  selectors: string;
  /** The fixed argument size of each selector in bytes, null if it depends on the values; empty for older rows. */
  argument_bytes: Generated<string>;
  /** JSON: by selector, the decision whose operation showed that the method runs code of the caller's choice. */
  called_back: Generated<string>;
  abi_bytes: number;
  abi: string;
  created_at: number;
};

type WebhooksTable = {
  webhook_number: Generated<number>;
  webhook_id: string;
  paymaster_id: string;
  webhook_url: string;
  request_type: WebhookRequestType;
  active: Flag;
  secret_sealed: Uint8Array;
  created_at: number;
  payload: Generated<WebhookPayload>;
};

/** An answer of a webhook. `problem` completes the sentence "Webhook <id> …". */
type WebhookAnswersTable = {
  answer_number: Generated<number>;
  webhook_id: string;
  asked_at: number;
  duration_ms: number;
  verdict: WebhookVerdict;
  status: number | null;
  problem: string | null;
  is_test: Flag;
  payload: Generated<WebhookPayload>;
};

/** The newest unused message of a paymaster, if it has one. */
type FundingMessagesTable = {
  paymaster_id: string;
  nonce: string;
  message: string;
  created_at: number;
  expires_at: number;
};

/** Every wallet a paymaster ever had, with the message and signature that prove its owner's consent. */
type FundingWalletsTable = {
  funding_wallet_number: Generated<number>;
  paymaster_id: string;
  address: string;
  message: string;
  signature: string;
  set_at: number;
};

/** A key that signs tickets: `HS256` has a sealed secret, `JWKS` a URL, the others a public key as JSON. */
type TicketKeysTable = {
  ticket_key_number: Generated<number>;
  ticket_key_id: string;
  paymaster_id: string;
  name: string;
  kind: TicketKeyKind;
  secret_sealed: Uint8Array | null;
  public_jwk: string | null;
  jwks_url: string | null;
  issuer: string | null;
  audience: string;
  created_at: number;
};

/**
 * A recorded change. `objects` has a space before and after the id of each changed object; `state_before` and `state_after`
 * are JSON of what changed in each, without secrets.
 */
type AuditLogTable = {
  entry_number: Generated<number>;
  changed_at: number;
  account_id: string | null;
  paymaster_id: string | null;
  operation: string;
  actor_kind: string;
  credential_id: string | null;
  wallet: string | null;
  address: string | null;
  client: string | null;
  objects: string;
  state_before: string;
  state_after: string;
};

/** Search keys of entries, as in migration 41; maintained by triggers. */
type AuditLogKeysTable = { key: string; changed_at: number; entry_number: number };

/** Empty except in the transaction that prunes the audit log, which may delete changes before `ends_before`. */
type AuditLogPruningTable = { pruning: 1; ends_before: number };

export type ManagementTables = {
  audit_log: AuditLogTable;
  audit_log_keys: AuditLogKeysTable;
  audit_log_pruning: AuditLogPruningTable;
  accounts: AccountsTable;
  account_members: AccountMembersTable;
  budgets: BudgetsTable;
  auth_tokens: AuthTokensTable;
  sessions: SessionsTable;
  used_nonces: UsedNoncesTable;
  paymasters: PaymastersTable;
  api_keys: ApiKeysTable;
  api_key_settings: ApiKeySettingsTable;
  contracts: ContractsTable;
  ticket_keys: TicketKeysTable;
  webhooks: WebhooksTable;
  webhook_answers: WebhookAnswersTable;
  funding_messages: FundingMessagesTable;
  funding_wallets: FundingWalletsTable;
};

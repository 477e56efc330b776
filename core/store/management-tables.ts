import type { Generated } from 'kysely';
import type { Role } from '../domain/access/role.ts';
import type { BudgetWindow } from '../domain/budget.ts';
import type { TicketKeyKind } from '../domain/tickets/ticket-key.ts';
import type { FailureWindow, WebhookPayload, WebhookRequestType, WebhookVerdict } from '../domain/webhook.ts';

type Flag = 0 | 1;

/**
 * `wallet` is checksummed: whose own account it is, and a member. `invited` is 1 until its owner signs in for the
 * first time. `signed_up` is 1 where its owner made it by signing in, `signed_up_by` the keyed digest of the client
 * address for a day.
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
  /** Of a contract wallet. Null: a wallet with a private key. */
  chain_id: Generated<number | null>;
  role: Role;
  added_at: number;
  joined_at: number | null;
};

/** `paymaster_ids` are words with spaces between them; null for all paymasters of the account. */
type BudgetsTable = {
  budget_id: string;
  account_id: string;
  name: string;
  max_usd_micros: number;
  span: BudgetWindow;
  paymaster_ids: string | null;
  created_at: number;
  updated_at: number;
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
  /** To the minute. */
  last_used_at: Generated<number | null>;
  /** Words with spaces between them. */
  scopes: Generated<string>;
  /** Wallet of the member who made it. */
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
  /** How often it, or what belongs to it, was changed. */
  changes: Generated<number>;
  /** How many apiKeys were made next to its own. */
  keys_made: Generated<number>;
  paused_at: Generated<number | null>;
  retired_at: Generated<number | null>;
};

/**
 * `sealed` is the encrypted apiKey, `digest` its keyed digest. `key_number` is 0 for the paymaster's own key; what
 * replaces a key has its number, and the newest of each has no end.
 */
type ApiKeysTable = {
  api_key_number: Generated<number>;
  api_key_id: string;
  paymaster_id: string;
  digest: string;
  sealed: Uint8Array;
  created_at: number;
  expires_at: number | null;
  key_number: Generated<number>;
  /** To the minute. */
  last_used_at: Generated<number | null>;
};

/** What is set of a key, and holds for what it replaces too. `rules` is JSON. */
type ApiKeySettingsTable = {
  paymaster_id: string;
  key_number: number;
  name: string;
  disabled: Generated<Flag>;
  rules: Generated<string>;
};

/**
 * `address` is lower case. `functions` (the ABI's state-changing functions), `whitelisted_methods` (as registered) and
 * `selectors` (what the whitelist comes to) are JSON, so that nothing has to parse the ABI again.
 */
type ContractsTable = {
  contract_number: Generated<number>;
  paymaster_id: string;
  name: string;
  address: string;
  functions: string;
  whitelisted_methods: string;
  selectors: string;
  /**
   * Of each selector the bytes that its arguments always take, null where that depends on them; empty for older rows.
   */
  argument_bytes: Generated<string>;
  abi_bytes: number;
  abi: string;
  created_at: number;
};

/**
 * `failure_max` is wei, which may be sponsored without it in each `failure_window`; both are null where nothing may.
 * `failure_era` says how often it has been changed.
 */
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
  failure_window: Generated<FailureWindow | null>;
  failure_max: Generated<string | null>;
  failure_era: Generated<number>;
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

/** A key that signs tickets: `HS256` has a sealed secret, `JWKS` the URL of a list, the others a public key as JSON. */
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
 * A change that someone made. `objects` has a blank before and after the id of each object that changed,
 * `state_before` and `state_after` are JSON: of each what changed of it, and nothing secret.
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

/** What entries are found by, as migration 41 says; kept by triggers. */
type AuditLogKeysTable = { key: string; changed_at: number; entry_number: number };

/** Is empty but in the transaction that prunes the audit log: what was changed before `ends_before` may go. */
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

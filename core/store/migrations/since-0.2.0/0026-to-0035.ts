import type { Migration } from '../migration.ts';
import { auditLogGuards } from './audit-log.ts';

/**
 * Several apiKeys per paymaster, each with its own replacements: `key_number` 0 is the paymaster's own, the others count
 * from 1 in the order of creation, and numbers are never reused. A key's settings are a separate row; the paymaster's own
 * key has one once it has settings.
 *
 * A hold records the requesting key, so that a limit of that key can count it.
 */
const keySettings: Migration = {
  version: 26,
  name: 'key-settings',
  sql: ({ integer, text, byKey, isJson }) => `
    ALTER TABLE paymasters ADD COLUMN keys_made ${integer} NOT NULL DEFAULT 0 CHECK (keys_made >= 0);
    ALTER TABLE paymasters ADD COLUMN paused_at ${integer} CHECK (paused_at >= 0);
    ALTER TABLE paymasters ADD COLUMN retired_at ${integer} CHECK (retired_at >= 0);

    ALTER TABLE api_keys ADD COLUMN key_number ${integer} NOT NULL DEFAULT 0 CHECK (key_number >= 0);
    ALTER TABLE api_keys ADD COLUMN last_used_at ${integer} CHECK (last_used_at >= 0);
    DROP INDEX newest_api_key;
    CREATE UNIQUE INDEX newest_api_key ON api_keys (paymaster_id, key_number) WHERE expires_at IS NULL;

    CREATE TABLE api_key_settings (
      paymaster_id ${text} NOT NULL REFERENCES paymasters (paymaster_id),
      key_number ${integer} NOT NULL CHECK (key_number >= 0),
      name ${text} NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
      disabled ${integer} NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
      rules ${text} NOT NULL DEFAULT '{}' CHECK (${isJson('rules')}),
      PRIMARY KEY (paymaster_id, key_number),
      UNIQUE (paymaster_id, name)
    )${byKey};

    ALTER TABLE holds ADD COLUMN key_number ${integer} NOT NULL DEFAULT 0 CHECK (key_number >= 0);
    CREATE INDEX holds_by_key ON holds (paymaster_id, key_number, created_at, hold_id) WHERE key_number > 0;
  `,
};

/**
 * Ticket keys: a sealed secret (`HS256`), a public key as JSON, or the URL of a key list. Holds record the user and the
 * ticket as digests, for limits that count by them.
 */
const tickets: Migration = {
  version: 27,
  name: 'tickets',
  sql: ({ integer, text, blob, numbered, strict }) => `
    CREATE TABLE ticket_keys (
      ticket_key_number ${numbered},
      ticket_key_id ${text} NOT NULL UNIQUE CHECK (length(ticket_key_id) = 36),
      paymaster_id ${text} NOT NULL REFERENCES paymasters (paymaster_id),
      name ${text} NOT NULL CHECK (length(name) > 0),
      kind ${text} NOT NULL CHECK (kind IN ('HS256', 'ES256', 'EDDSA', 'JWK', 'JWKS')),
      secret_sealed ${blob} CHECK ((secret_sealed IS NOT NULL) = (kind = 'HS256')),
      public_jwk ${text} CHECK ((public_jwk IS NOT NULL) = (kind IN ('ES256', 'EDDSA', 'JWK'))),
      jwks_url ${text} CHECK ((jwks_url IS NOT NULL) = (kind = 'JWKS')),
      issuer ${text} CHECK (issuer IS NOT NULL OR kind <> 'JWKS'),
      audience ${text} NOT NULL CHECK (length(audience) > 0),
      created_at ${integer} NOT NULL CHECK (created_at >= 0),
      UNIQUE (paymaster_id, name)
    )${strict};
    ALTER TABLE holds ADD COLUMN subject ${text} CHECK (subject IS NULL OR length(subject) > 8);
    ALTER TABLE holds ADD COLUMN ticket ${text} CHECK (ticket IS NULL OR subject IS NOT NULL);
    CREATE INDEX holds_by_subject ON holds (paymaster_id, subject, created_at) WHERE subject IS NOT NULL;
    CREATE INDEX holds_by_ticket ON holds (paymaster_id, ticket, created_at) WHERE ticket IS NOT NULL;
  `,
};

/**
 * Named policies of a paymaster, and the policy of each hold and decision: empty means the default one. Limits count by
 * policy; the default policy uses the id of its paymaster. Holds of one nonce are also separate by policy.
 */
const namedPolicies: Migration = {
  version: 28,
  name: 'named-policies',
  sql: ({ integer, text, byKey }) => `
    CREATE TABLE named_policies (
      policy_id ${text} PRIMARY KEY,
      paymaster_id ${text} NOT NULL REFERENCES paymasters (paymaster_id),
      name ${text} NOT NULL,
      description ${text},
      author ${text},
      icon ${text},
      enabled ${integer} NOT NULL CHECK (enabled IN (0, 1)),
      policy ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    )${byKey};
    CREATE UNIQUE INDEX named_policies_by_name ON named_policies (paymaster_id, name);
    ALTER TABLE holds ADD COLUMN policy_id ${text} NOT NULL DEFAULT '';
    DROP INDEX one_live_hold_per_slot;
    CREATE UNIQUE INDEX one_live_hold_per_slot ON holds (slot, tank_id, paymaster_id, policy_id) WHERE state = 'live';
    DROP INDEX counted_holds;
    CREATE INDEX counted_holds ON holds (paymaster_id, policy_id, created_at) WHERE counted IS NOT NULL;
    ALTER TABLE limit_usage RENAME COLUMN paymaster_id TO policy_key;
    ALTER TABLE counted_hours RENAME COLUMN paymaster_id TO policy_key;
    ALTER TABLE decisions ADD COLUMN policy_id ${text} NOT NULL DEFAULT '';
  `,
};

/** The scopes of an authToken; existing ones keep all. */
const scopes: Migration = {
  version: 29,
  name: 'scopes',
  sql: ({ text }) => `
    ALTER TABLE auth_tokens ADD COLUMN scopes ${text} NOT NULL DEFAULT 'read manage funds'
      CHECK (length(scopes) > 0);
  `,
};

/**
 * Who changed what, and from where. Rows are never changed, and only deleted as the row of `audit_log_pruning` permits,
 * which exists only in the pruning transaction.
 */
const auditLog: Migration = {
  version: 30,
  name: 'audit-log',
  sql: ({ integer, text, rowNumber, strict, either }) => `
    CREATE TABLE audit_log (
      entry_number ${rowNumber},
      changed_at ${integer} NOT NULL CHECK (changed_at >= 0),
      account_id ${text},
      paymaster_id ${text},
      operation ${text} NOT NULL CHECK (length(operation) > 0),
      actor_kind ${text} NOT NULL CHECK (length(actor_kind) > 0),
      credential_id ${text},
      wallet ${text},
      address ${text},
      client ${text},
      objects ${text} NOT NULL,
      state_before ${text} NOT NULL,
      state_after ${text} NOT NULL
    )${strict};
    CREATE INDEX audit_log_of_account ON audit_log (account_id, entry_number);
    CREATE INDEX audit_log_by_time ON audit_log (changed_at);
    CREATE TABLE audit_log_pruning (
      pruning ${integer} PRIMARY KEY CHECK (pruning = 1),
      ends_before ${integer} NOT NULL
    )${strict};
    ${auditLogGuards(either)}
  `,
};

/**
 * Members of an account with their roles; the wallet of a session, and of the member who created an authToken. Existing
 * wallets of accounts become their owners. Existing authTokens have no creator, so they work as before.
 */
const members: Migration = {
  version: 31,
  name: 'members',
  sql: ({ integer, text, byKey }) => `
    CREATE TABLE account_members (
      account_id ${text} NOT NULL REFERENCES accounts (account_id),
      wallet ${text} NOT NULL CHECK (length(wallet) = 42),
      role ${text} NOT NULL CHECK (role IN ('owner', 'manager', 'viewer')),
      added_at ${integer} NOT NULL CHECK (added_at >= 0),
      joined_at ${integer} CHECK (joined_at >= 0),
      PRIMARY KEY (account_id, wallet)
    )${byKey};
    CREATE INDEX account_members_by_wallet ON account_members (wallet, added_at);
    INSERT INTO account_members (account_id, wallet, role, added_at, joined_at)
      SELECT account_id, wallet, 'owner', created_at, CASE invited WHEN 0 THEN created_at END
      FROM accounts WHERE wallet IS NOT NULL;
    ALTER TABLE sessions ADD COLUMN wallet ${text} CHECK (length(wallet) = 42);
    UPDATE sessions SET wallet = (SELECT wallet FROM accounts WHERE accounts.account_id = sessions.account_id)
      WHERE auth_token_id IS NULL;
    ALTER TABLE auth_tokens ADD COLUMN made_by ${text} CHECK (length(made_by) = 42);
  `,
};

/** How many calls a hold's operations have, as counted by limits on contracts and methods. */
const holdCalls: Migration = {
  version: 32,
  name: 'hold-calls',
  sql: ({ integer, text, byKey }) => `
    CREATE TABLE hold_calls (
      hold_id ${integer} NOT NULL REFERENCES holds (hold_id),
      policy_key ${text} NOT NULL,
      called ${text} NOT NULL CHECK (length(called) > 0),
      calls ${integer} NOT NULL CHECK (calls > 0),
      created_at ${integer} NOT NULL CHECK (created_at >= 0),
      PRIMARY KEY (hold_id, called)
    )${byKey};
    CREATE INDEX hold_calls_by_called ON hold_calls (policy_key, called, created_at, hold_id);
  `,
};

/** What webhooks receive: only the caller's data as before, or also the operation. Recorded for each answer. */
const webhookPayloads: Migration = {
  version: 33,
  name: 'webhook-payloads',
  sql: ({ text }) => `
    ALTER TABLE webhooks ADD COLUMN payload ${text} NOT NULL DEFAULT 'DATA' CHECK (payload IN ('DATA', 'OPERATION'));
    ALTER TABLE webhook_answers ADD COLUMN payload ${text} NOT NULL DEFAULT 'DATA'
      CHECK (payload IN ('DATA', 'OPERATION'));
  `,
};

/**
 * The expiry of a ticket with counted uses or budget, so that its count can be deleted afterwards; and per paymaster the
 * latest expiry of those whose counts were deleted: a ticket that expired by then is not accepted again.
 */
const ticketEnds: Migration = {
  version: 34,
  name: 'ticket-ends',
  sql: ({ integer, text, strict }) => `
    ALTER TABLE limit_usage ADD COLUMN ends_at ${integer} CHECK (ends_at IS NULL OR ends_at >= 0);
    CREATE INDEX ticket_usage_by_end ON limit_usage (ends_at) WHERE substr(subject, 1, 7) = 'ticket:';
    CREATE TABLE forgotten_tickets (
      paymaster_id ${text} PRIMARY KEY REFERENCES paymasters (paymaster_id),
      ended_until ${integer} NOT NULL CHECK (ended_until >= 0)
    )${strict};
  `,
};

/**
 * What may be sponsored without a webhook that is down: wei per window, nothing if null. Changing the webhook increases
 * `failure_era`, which ends the previous count.
 */
const failureBudgets: Migration = {
  version: 35,
  name: 'failure-budgets',
  sql: ({ integer, text }) => `
    ALTER TABLE webhooks ADD COLUMN failure_window ${text} CHECK (failure_window IN ('hour', 'day'));
    ALTER TABLE webhooks ADD COLUMN failure_max ${text} CHECK (length(failure_max) = 40)
      CHECK ((failure_max IS NULL) = (failure_window IS NULL));
    ALTER TABLE webhooks ADD COLUMN failure_era ${integer} NOT NULL DEFAULT 0 CHECK (failure_era >= 0);
  `,
};

export const stepsTo35: readonly Migration[] = [
  keySettings,
  tickets,
  namedPolicies,
  scopes,
  auditLog,
  members,
  holdCalls,
  webhookPayloads,
  ticketEnds,
  failureBudgets,
];

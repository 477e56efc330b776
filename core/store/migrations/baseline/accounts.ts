import type { SqlWords } from '../migration.ts';
import { auditLogGuards, auditLogKeys } from './audit-log.ts';

/** Accounts, their credentials, the audit log, and the master keys of sealed data. */
export const accountsTables = ({ integer, text, blob, rowNumber, strict, byKey, either }: SqlWords) => `
    CREATE TABLE accounts (
      account_id ${text} PRIMARY KEY CHECK (length(account_id) = 36),
      name ${text} NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
      created_at ${integer} NOT NULL CHECK (created_at >= 0),
      wallet ${text} CHECK (length(wallet) = 42),
      invited ${integer} NOT NULL DEFAULT 0 CHECK (invited IN (0, 1)),
      suspended_at ${integer} CHECK (suspended_at >= 0),
      signed_up ${integer} NOT NULL DEFAULT 0 CHECK (signed_up IN (0, 1)),
      signed_up_by ${text} CHECK (length(signed_up_by) = 64)
    )${strict};
    CREATE UNIQUE INDEX accounts_by_wallet ON accounts (wallet) WHERE wallet IS NOT NULL;
    CREATE INDEX accounts_signed_up ON accounts (created_at) WHERE signed_up = 1;
    CREATE TABLE account_members (
      account_id ${text} NOT NULL REFERENCES accounts (account_id),
      wallet ${text} NOT NULL CHECK (length(wallet) = 42),
      role ${text} NOT NULL CHECK (role IN ('owner', 'manager', 'viewer')),
      added_at ${integer} NOT NULL CHECK (added_at >= 0),
      joined_at ${integer} CHECK (joined_at >= 0),
      chain_id ${integer} CHECK (chain_id > 0),
      name ${text} CHECK (length(name) BETWEEN 1 AND 128),
      PRIMARY KEY (account_id, wallet)
    )${byKey};
    CREATE INDEX account_members_by_wallet ON account_members (wallet, added_at);
    CREATE TABLE auth_tokens (
      auth_token_id ${text} PRIMARY KEY CHECK (length(auth_token_id) = 36),
      account_id ${text} NOT NULL REFERENCES accounts (account_id),
      name ${text} NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
      digest ${text} NOT NULL UNIQUE CHECK (length(digest) = 64),
      created_at ${integer} NOT NULL CHECK (created_at >= 0),
      expires_at ${integer} CHECK (expires_at > created_at),
      revoked_at ${integer} CHECK (revoked_at >= 0),
      last_used_at ${integer} CHECK (last_used_at >= 0),
      scopes ${text} NOT NULL DEFAULT 'read manage funds' CHECK (length(scopes) > 0),
      made_by ${text} CHECK (length(made_by) = 42)
    )${strict};
    CREATE INDEX auth_tokens_of_account ON auth_tokens (account_id, created_at);
    CREATE TABLE sessions (
      session_id ${text} PRIMARY KEY CHECK (length(session_id) = 36),
      account_id ${text} NOT NULL REFERENCES accounts (account_id),
      auth_token_id ${text} REFERENCES auth_tokens (auth_token_id) ON DELETE CASCADE,
      digest ${text} NOT NULL UNIQUE CHECK (length(digest) = 64),
      created_at ${integer} NOT NULL CHECK (created_at >= 0),
      last_seen_at ${integer} NOT NULL,
      expires_at ${integer} NOT NULL CHECK (expires_at > created_at),
      wallet ${text} CHECK (length(wallet) = 42)
    )${strict};
    CREATE INDEX sessions_of_account ON sessions (account_id, created_at);
    CREATE INDEX sessions_of_auth_token ON sessions (auth_token_id) WHERE auth_token_id IS NOT NULL;
    CREATE INDEX sessions_by_end ON sessions (expires_at);
    CREATE INDEX sessions_by_last_use ON sessions (last_seen_at);
    CREATE TABLE used_nonces (
      nonce ${text} PRIMARY KEY,
      expires_at ${integer} NOT NULL
    )${byKey};
    CREATE INDEX used_nonces_by_end ON used_nonces (expires_at);
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
    CREATE INDEX audit_log_by_time ON audit_log (changed_at);
    CREATE TABLE audit_log_pruning (
      pruning ${integer} PRIMARY KEY CHECK (pruning = 1),
      ends_before ${integer} NOT NULL
    )${strict};
    CREATE TABLE audit_log_keys (
      key ${text} NOT NULL,
      changed_at ${integer} NOT NULL,
      entry_number ${integer} NOT NULL,
      PRIMARY KEY (key, changed_at, entry_number)
    )${byKey};
    CREATE INDEX audit_log_keys_of_entry ON audit_log_keys (entry_number);
    ${auditLogGuards(either)}
    ${auditLogKeys(either)}
    CREATE TABLE master_keys (
      digest ${text} PRIMARY KEY CHECK (length(digest) = 64),
      seals ${integer} NOT NULL DEFAULT 1 CHECK (seals IN (0, 1))
    )${byKey};
    CREATE TABLE retired_digest_keys (
      master_key ${text} PRIMARY KEY CHECK (length(master_key) = 64),
      key_sealed ${blob} NOT NULL
    )${byKey};
    CREATE TABLE budgets (
      budget_id ${text} NOT NULL PRIMARY KEY,
      account_id ${text} NOT NULL REFERENCES accounts (account_id),
      name ${text} NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
      max_usd_micros ${integer} NOT NULL CHECK (max_usd_micros >= 0),
      span ${text} NOT NULL CHECK (span IN ('day', 'week', 'month', 'ever')),
      paymaster_ids ${text} CHECK (length(paymaster_ids) > 0),
      limit_id ${integer} NOT NULL,
      created_at ${integer} NOT NULL CHECK (created_at >= 0),
      updated_at ${integer} NOT NULL CHECK (updated_at >= 0),
      UNIQUE (account_id, name)
    )${byKey};
`;

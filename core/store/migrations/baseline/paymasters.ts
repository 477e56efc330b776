import { isWei } from '../../wei-columns.ts';
import type { SqlWords } from '../migration.ts';

/** Paymasters and what belongs to them. */
export const paymastersTables = ({ integer, text, blob, numbered, strict, byKey, isJson }: SqlWords) => `
    CREATE TABLE paymasters (
      paymaster_number ${numbered},
      paymaster_id ${text} NOT NULL UNIQUE CHECK (length(paymaster_id) = 36),
      account_id ${text} NOT NULL REFERENCES accounts (account_id),
      name ${text} NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
      chain_id ${integer} NOT NULL CHECK (chain_id > 0),
      version ${text} NOT NULL CHECK (length(version) > 0),
      funding_wallet ${text} CHECK (length(funding_wallet) = 42),
      created_at ${integer} NOT NULL CHECK (created_at >= 0),
      changes ${integer} NOT NULL DEFAULT 0 CHECK (changes >= 0),
      keys_made ${integer} NOT NULL DEFAULT 0 CHECK (keys_made >= 0),
      paused_at ${integer} CHECK (paused_at >= 0),
      retired_at ${integer} CHECK (retired_at >= 0),
      UNIQUE (account_id, chain_id, name)
    )${strict};
    CREATE INDEX paymasters_by_funding_wallet ON paymasters (funding_wallet) WHERE funding_wallet IS NOT NULL;
    CREATE TABLE api_keys (
      api_key_number ${numbered},
      api_key_id ${text} NOT NULL UNIQUE CHECK (length(api_key_id) = 36),
      paymaster_id ${text} NOT NULL REFERENCES paymasters (paymaster_id),
      digest ${text} NOT NULL UNIQUE CHECK (length(digest) = 64),
      sealed ${blob} NOT NULL,
      last_four ${text} NOT NULL CHECK (length(last_four) = 4),
      created_at ${integer} NOT NULL CHECK (created_at >= 0),
      expires_at ${integer} CHECK (expires_at >= created_at),
      key_number ${integer} NOT NULL DEFAULT 0 CHECK (key_number >= 0),
      last_used_at ${integer} CHECK (last_used_at >= 0)
    )${strict};
    CREATE INDEX api_keys_of_paymaster ON api_keys (paymaster_id);
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
    CREATE TABLE contracts (
      contract_number ${numbered},
      paymaster_id ${text} NOT NULL REFERENCES paymasters (paymaster_id),
      name ${text} NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
      address ${text} NOT NULL CHECK (length(address) = 42 AND address = lower(address)),
      functions ${text} NOT NULL CHECK (${isJson('functions')}),
      whitelisted_methods ${text} NOT NULL CHECK (${isJson('whitelisted_methods')}),
      selectors ${text} NOT NULL CHECK (${isJson('selectors')}),
      abi_bytes ${integer} NOT NULL CHECK (abi_bytes >= 0),
      abi ${text} NOT NULL,
      created_at ${integer} NOT NULL CHECK (created_at >= 0),
      argument_bytes ${text} NOT NULL DEFAULT '',
      called_back ${text} NOT NULL DEFAULT '{}',
      UNIQUE (paymaster_id, name),
      UNIQUE (paymaster_id, address)
    )${strict};
    CREATE TABLE webhooks (
      webhook_number ${numbered},
      webhook_id ${text} NOT NULL UNIQUE CHECK (length(webhook_id) = 36),
      paymaster_id ${text} NOT NULL REFERENCES paymasters (paymaster_id),
      webhook_url ${text} NOT NULL CHECK (length(webhook_url) > 0),
      request_type ${text} NOT NULL CHECK (request_type IN ('GET', 'POST')),
      active ${integer} NOT NULL CHECK (active IN (0, 1)),
      secret_sealed ${blob} NOT NULL,
      created_at ${integer} NOT NULL CHECK (created_at >= 0),
      payload ${text} NOT NULL DEFAULT 'DATA' CHECK (payload IN ('DATA', 'OPERATION'))
    )${strict};
    CREATE INDEX webhooks_of_paymaster ON webhooks (paymaster_id);
    CREATE TABLE webhook_answers (
      answer_number ${numbered},
      webhook_id ${text} NOT NULL REFERENCES webhooks (webhook_id) ON DELETE CASCADE,
      asked_at ${integer} NOT NULL CHECK (asked_at >= 0),
      duration_ms ${integer} NOT NULL CHECK (duration_ms >= 0),
      verdict ${text} NOT NULL CHECK (verdict IN ('approved', 'refused', 'unavailable')),
      status ${integer},
      problem ${text} CHECK (problem IS NULL OR verdict = 'unavailable'),
      is_test ${integer} NOT NULL CHECK (is_test IN (0, 1)),
      payload ${text} NOT NULL DEFAULT 'DATA' CHECK (payload IN ('DATA', 'OPERATION'))
    )${strict};
    CREATE INDEX webhook_answers_by_webhook ON webhook_answers (webhook_id, answer_number);
    CREATE TABLE webhook_notices (
      webhook_id ${text} PRIMARY KEY REFERENCES webhooks (webhook_id) ON DELETE CASCADE,
      noticed_at ${integer} NOT NULL CHECK (noticed_at >= 0)
    )${byKey};
    CREATE TABLE funding_messages (
      paymaster_id ${text} PRIMARY KEY REFERENCES paymasters (paymaster_id),
      nonce ${text} NOT NULL CHECK (length(nonce) = 64),
      message ${text} NOT NULL,
      created_at ${integer} NOT NULL CHECK (created_at >= 0),
      expires_at ${integer} NOT NULL CHECK (expires_at > created_at)
    )${strict};
    CREATE TABLE funding_wallets (
      funding_wallet_number ${numbered},
      paymaster_id ${text} NOT NULL REFERENCES paymasters (paymaster_id),
      address ${text} NOT NULL CHECK (length(address) = 42),
      message ${text} NOT NULL,
      signature ${text} NOT NULL CHECK (length(signature) = 132),
      set_at ${integer} NOT NULL CHECK (set_at >= 0)
    )${strict};
    CREATE INDEX funding_wallets_of_paymaster ON funding_wallets (paymaster_id);
    CREATE TABLE policies (
      paymaster_id ${text} PRIMARY KEY REFERENCES paymasters (paymaster_id),
      policy ${text} NOT NULL,
      updated_at ${integer} NOT NULL
    )${byKey};
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
    CREATE TABLE forgotten_tickets (
      paymaster_id ${text} PRIMARY KEY REFERENCES paymasters (paymaster_id),
      ended_until ${integer} NOT NULL CHECK (ended_until >= 0)
    )${strict};
    CREATE TABLE notifications (
      notification_number ${numbered},
      notification_id ${text} NOT NULL UNIQUE CHECK (length(notification_id) = 36),
      paymaster_id ${text} NOT NULL REFERENCES paymasters (paymaster_id),
      target ${text} NOT NULL DEFAULT 'WEBHOOK'
        CHECK (target IN ('WEBHOOK', 'SLACK', 'DISCORD', 'TELEGRAM', 'PAGERDUTY')),
      url ${text} NOT NULL CHECK (length(url) > 0),
      recipient ${text} CHECK (recipient IS NULL OR target <> 'WEBHOOK'),
      events ${text} NOT NULL CHECK (${isJson('events')}),
      tank_low_wei ${text} CHECK (${isWei('tank_low_wei')}),
      tank_low_days ${integer} CHECK (tank_low_days > 0),
      tank_is_low ${integer} NOT NULL CHECK (tank_is_low IN (0, 1)),
      active ${integer} NOT NULL CHECK (active IN (0, 1)),
      secret_sealed ${blob} NOT NULL,
      created_at ${integer} NOT NULL CHECK (created_at >= 0)
    )${strict};
    CREATE INDEX notifications_of_paymaster ON notifications (paymaster_id);
    CREATE INDEX notifications_with_tank_rule
      ON notifications (paymaster_id) WHERE tank_low_wei IS NOT NULL OR tank_low_days IS NOT NULL;
    CREATE TABLE notification_deliveries (
      delivery_number ${numbered},
      delivery_id ${text} NOT NULL UNIQUE CHECK (length(delivery_id) = 36),
      notification_id ${text} NOT NULL REFERENCES notifications (notification_id) ON DELETE CASCADE,
      paymaster_id ${text} NOT NULL,
      type ${text} NOT NULL,
      payload ${text} NOT NULL CHECK (${isJson('payload')}),
      state ${text} NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'dropped')),
      attempts ${integer} NOT NULL CHECK (attempts >= 0),
      round ${integer} NOT NULL CHECK (round > 0),
      round_attempts ${integer} NOT NULL CHECK (round_attempts BETWEEN 0 AND attempts),
      next_attempt_at ${integer} CHECK (next_attempt_at IS NULL OR state = 'pending'),
      last_attempt_at ${integer},
      last_status ${integer},
      last_problem ${text},
      created_at ${integer} NOT NULL CHECK (created_at >= 0)
    )${strict};
    CREATE INDEX deliveries_by_paymaster ON notification_deliveries (paymaster_id, delivery_number);
    CREATE INDEX deliveries_by_destination ON notification_deliveries (notification_id, delivery_number);
    CREATE INDEX deliveries_by_state ON notification_deliveries (paymaster_id, state, delivery_number);
    CREATE INDEX deliveries_by_destination_and_state
      ON notification_deliveries (notification_id, state, delivery_number);
    CREATE INDEX pending_by_time
      ON notification_deliveries (next_attempt_at, delivery_number, notification_id) WHERE state = 'pending';
`;

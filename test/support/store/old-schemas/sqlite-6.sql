-- The schema of release 0.2.0.
CREATE TABLE schema_migrations (
  version INTEGER PRIMARY KEY CHECK (version > 0),
  name TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT
  ;
CREATE TABLE master_key_check (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  digest TEXT NOT NULL CHECK (length(digest) = 64)
) STRICT;
CREATE TABLE accounts (
  account_id TEXT PRIMARY KEY CHECK (length(account_id) = 36),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
  created_at INTEGER NOT NULL CHECK (created_at >= 0)
) STRICT;
CREATE TABLE auth_tokens (
  auth_token_id TEXT PRIMARY KEY CHECK (length(auth_token_id) = 36),
  account_id TEXT NOT NULL REFERENCES accounts (account_id),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
  digest TEXT NOT NULL UNIQUE CHECK (length(digest) = 64),
  created_at INTEGER NOT NULL CHECK (created_at >= 0),
  expires_at INTEGER CHECK (expires_at > created_at),
  revoked_at INTEGER CHECK (revoked_at >= 0)
) STRICT;
CREATE INDEX auth_tokens_of_account ON auth_tokens (account_id, created_at);
CREATE TABLE paymasters (
  paymaster_number INTEGER PRIMARY KEY AUTOINCREMENT,
  paymaster_id TEXT NOT NULL UNIQUE CHECK (length(paymaster_id) = 36),
  account_id TEXT NOT NULL REFERENCES accounts (account_id),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
  chain_id INTEGER NOT NULL CHECK (chain_id > 0),
  version TEXT NOT NULL CHECK (length(version) > 0),
  api_key_digest TEXT NOT NULL UNIQUE CHECK (length(api_key_digest) = 64),
  api_key_sealed BLOB NOT NULL,
  funding_wallet TEXT CHECK (length(funding_wallet) = 42),
  created_at INTEGER NOT NULL CHECK (created_at >= 0),
  UNIQUE (account_id, chain_id, name)
) STRICT;
CREATE TABLE contracts (
  contract_number INTEGER PRIMARY KEY AUTOINCREMENT,
  paymaster_id TEXT NOT NULL REFERENCES paymasters (paymaster_id),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
  address TEXT NOT NULL CHECK (length(address) = 42 AND address = lower(address)),
  functions TEXT NOT NULL CHECK (json_valid(functions)),
  whitelisted_methods TEXT NOT NULL CHECK (json_valid(whitelisted_methods)),
  selectors TEXT NOT NULL CHECK (json_valid(selectors)),
  abi_bytes INTEGER NOT NULL CHECK (abi_bytes >= 0),
  abi TEXT NOT NULL,
  created_at INTEGER NOT NULL CHECK (created_at >= 0),
  UNIQUE (paymaster_id, name),
  UNIQUE (paymaster_id, address)
) STRICT;
CREATE TABLE webhooks (
  webhook_number INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook_id TEXT NOT NULL UNIQUE CHECK (length(webhook_id) = 36),
  paymaster_id TEXT NOT NULL REFERENCES paymasters (paymaster_id),
  webhook_url TEXT NOT NULL CHECK (length(webhook_url) > 0),
  request_type TEXT NOT NULL CHECK (request_type IN ('GET', 'POST')),
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  secret_sealed BLOB NOT NULL,
  created_at INTEGER NOT NULL CHECK (created_at >= 0)
) STRICT;
CREATE INDEX webhooks_of_paymaster ON webhooks (paymaster_id);
CREATE TABLE funding_messages (
  paymaster_id TEXT PRIMARY KEY REFERENCES paymasters (paymaster_id),
  nonce TEXT NOT NULL CHECK (length(nonce) = 64),
  message TEXT NOT NULL,
  created_at INTEGER NOT NULL CHECK (created_at >= 0),
  expires_at INTEGER NOT NULL CHECK (expires_at > created_at)
) STRICT;
CREATE TABLE funding_wallets (
  funding_wallet_number INTEGER PRIMARY KEY AUTOINCREMENT,
  paymaster_id TEXT NOT NULL REFERENCES paymasters (paymaster_id),
  address TEXT NOT NULL CHECK (length(address) = 42),
  message TEXT NOT NULL,
  signature TEXT NOT NULL CHECK (length(signature) = 132),
  set_at INTEGER NOT NULL CHECK (set_at >= 0)
) STRICT;
CREATE INDEX funding_wallets_of_paymaster ON funding_wallets (paymaster_id);
CREATE TABLE tanks (
  tank_id INTEGER PRIMARY KEY,
  chain_id INTEGER NOT NULL,
  contract TEXT NOT NULL,
  wallet TEXT NOT NULL,
  funded TEXT NOT NULL CHECK (length(funded) = 40),
  settled TEXT NOT NULL CHECK (length(settled) = 40),
  held TEXT NOT NULL CHECK (length(held) = 40), shortfall TEXT NOT NULL DEFAULT '0000000000000000000000000000000000000000'
  CHECK (length(shortfall) = 40),
  UNIQUE (chain_id, contract, wallet),
  CONSTRAINT held_and_settled_within_funded CHECK (
    CAST(substr(held, 1, 22) AS INTEGER) + CAST(substr(settled, 1, 22) AS INTEGER)
      + (CAST(substr(held, 23) AS INTEGER) + CAST(substr(settled, 23) AS INTEGER)) / 1000000000000000000
      < CAST(substr(funded, 1, 22) AS INTEGER)
    OR (
      CAST(substr(held, 1, 22) AS INTEGER) + CAST(substr(settled, 1, 22) AS INTEGER)
        + (CAST(substr(held, 23) AS INTEGER) + CAST(substr(settled, 23) AS INTEGER)) / 1000000000000000000
        = CAST(substr(funded, 1, 22) AS INTEGER)
      AND (CAST(substr(held, 23) AS INTEGER) + CAST(substr(settled, 23) AS INTEGER)) % 1000000000000000000
        <= CAST(substr(funded, 23) AS INTEGER)
    )
  )
) STRICT;
CREATE TABLE contract_totals (
  chain_id INTEGER NOT NULL,
  contract TEXT NOT NULL,
  deposit TEXT NOT NULL CHECK (length(deposit) = 40),
  held TEXT NOT NULL CHECK (length(held) = 40),
  PRIMARY KEY (chain_id, contract)
) STRICT;
CREATE TABLE holds (
  hold_id INTEGER PRIMARY KEY,
  tank_id INTEGER NOT NULL REFERENCES tanks (tank_id),
  slot TEXT NOT NULL,
  sender TEXT NOT NULL,
  nonce TEXT NOT NULL,
  amount TEXT NOT NULL CHECK (length(amount) = 40),
  valid_until INTEGER NOT NULL CHECK (valid_until > 0),
  state TEXT NOT NULL CHECK (state IN ('live', 'settled', 'released')),
  paymaster_id TEXT NOT NULL,
  created_at INTEGER NOT NULL
, counted TEXT CHECK (length(counted) = 40), usd_micros INTEGER CHECK (usd_micros >= 0), charge TEXT CHECK (length(charge) = 40), success INTEGER CHECK (success IN (0, 1)), landed_tx TEXT) STRICT;
CREATE INDEX live_holds_by_expiry ON holds (valid_until) WHERE state = 'live';
CREATE TABLE movements (
  movement_id INTEGER PRIMARY KEY,
  chain_id INTEGER NOT NULL,
  contract TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('deposit', 'withdrawal', 'cost')),
  amount TEXT NOT NULL CHECK (length(amount) = 40),
  tank_id INTEGER REFERENCES tanks (tank_id),
  block_number INTEGER NOT NULL,
  tx_hash TEXT NOT NULL,
  log_index INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (chain_id, contract, tx_hash, log_index)
) STRICT;
CREATE TRIGGER movements_are_not_changed BEFORE UPDATE ON movements
  BEGIN SELECT RAISE(ABORT, 'movements are never changed'); END;
CREATE TRIGGER movements_are_not_deleted BEFORE DELETE ON movements
  BEGIN SELECT RAISE(ABORT, 'movements are never deleted'); END;
CREATE TABLE watches (
  chain_id INTEGER NOT NULL,
  entry_point TEXT NOT NULL,
  next_block INTEGER NOT NULL CHECK (next_block >= 0),
  last_hash TEXT NOT NULL,
  PRIMARY KEY (chain_id, entry_point)
) STRICT;
CREATE UNIQUE INDEX one_live_hold_per_slot ON holds (slot, tank_id, paymaster_id) WHERE state = 'live';
CREATE INDEX holds_by_sender ON holds (paymaster_id, sender, created_at);
CREATE TABLE policies (
  paymaster_id TEXT PRIMARY KEY REFERENCES paymasters (paymaster_id),
  policy TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE limit_usage (
  paymaster_id TEXT NOT NULL,
  subject TEXT NOT NULL,
  span TEXT NOT NULL CHECK (span IN ('hour', 'day', 'week', 'month', 'ever')),
  span_start INTEGER NOT NULL,
  operations INTEGER NOT NULL CHECK (operations >= 0),
  wei TEXT NOT NULL CHECK (length(wei) = 40),
  usd_micros INTEGER NOT NULL CHECK (usd_micros >= 0),
  PRIMARY KEY (paymaster_id, subject, span, span_start)
) STRICT, WITHOUT ROWID;
CREATE TABLE grants (
  hold_id INTEGER NOT NULL REFERENCES holds (hold_id),
  request_key TEXT NOT NULL,
  valid_until INTEGER NOT NULL,
  terms TEXT NOT NULL,
  PRIMARY KEY (hold_id, request_key)
) STRICT, WITHOUT ROWID;
CREATE TABLE "signatures" (
  hold_id INTEGER NOT NULL REFERENCES holds (hold_id),
  user_operation_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (hold_id, user_operation_hash)
) STRICT, WITHOUT ROWID;
CREATE TABLE decisions (
  decision_number INTEGER PRIMARY KEY,
  decision_id TEXT NOT NULL UNIQUE,
  paymaster_id TEXT NOT NULL,
  chain_id INTEGER NOT NULL,
  method TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('signed', 'quoted', 'stub', 'refused')),
  mode TEXT CHECK (mode IN ('SPONSORED', 'ERC20')),
  reason TEXT,
  sender TEXT,
  nonce TEXT,
  token TEXT,
  hold_id INTEGER REFERENCES holds (hold_id),
  record TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX decisions_by_paymaster ON decisions (paymaster_id, decision_number);
CREATE INDEX tanks_with_shortfall ON tanks (chain_id, contract)
  WHERE shortfall <> '0000000000000000000000000000000000000000';
CREATE TABLE "entries" (
  entry_id INTEGER PRIMARY KEY,
  tank_id INTEGER NOT NULL REFERENCES tanks (tank_id),
  kind TEXT NOT NULL CHECK (
    kind IN ('deposit', 'withdrawal', 'credit', 'debit', 'hold', 'release', 'settle', 'shortfall', 'recovery')
  ),
  amount TEXT NOT NULL CHECK (length(amount) = 40),
  hold_id INTEGER REFERENCES holds (hold_id),
  reason TEXT CHECK ((reason IS NOT NULL) = (kind IN ('credit', 'debit'))),
  tx_hash TEXT,
  log_index INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX entries_by_tank ON entries (tank_id, entry_id);
CREATE UNIQUE INDEX one_entry_per_log ON entries (tank_id, tx_hash, log_index, kind, coalesce(hold_id, 0))
  WHERE tx_hash IS NOT NULL;
CREATE TRIGGER entries_are_not_changed BEFORE UPDATE ON entries
  BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
CREATE TRIGGER entries_are_not_deleted BEFORE DELETE ON entries
  BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END;
CREATE TABLE token_payments (
  token_payment_id INTEGER PRIMARY KEY,
  chain_id INTEGER NOT NULL,
  contract TEXT NOT NULL,
  tx_hash TEXT NOT NULL,
  log_index INTEGER NOT NULL,
  user_operation_hash TEXT NOT NULL,
  hold_id INTEGER REFERENCES holds (hold_id),
  token TEXT NOT NULL CHECK (length(token) = 42),
  amount TEXT NOT NULL CHECK (amount = '0' OR (amount GLOB '[1-9]*' AND amount NOT GLOB '*[^0-9]*')),
  block_number INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (chain_id, contract, tx_hash, log_index)
) STRICT;
CREATE INDEX token_payments_by_hold ON token_payments (hold_id) WHERE hold_id IS NOT NULL;
CREATE TRIGGER token_payments_are_not_changed BEFORE UPDATE ON token_payments
  BEGIN SELECT RAISE(ABORT, 'token payments are never changed'); END;
CREATE TRIGGER token_payments_are_not_deleted BEFORE DELETE ON token_payments
  BEGIN SELECT RAISE(ABORT, 'token payments are never deleted'); END;
CREATE TABLE notifications (
  notification_number INTEGER PRIMARY KEY AUTOINCREMENT,
  notification_id TEXT NOT NULL UNIQUE CHECK (length(notification_id) = 36),
  paymaster_id TEXT NOT NULL REFERENCES paymasters (paymaster_id),
  url TEXT NOT NULL CHECK (length(url) > 0),
  events TEXT NOT NULL CHECK (json_valid(events)),
  tank_low_wei TEXT CHECK (length(tank_low_wei) = 40),
  tank_low_days INTEGER CHECK (tank_low_days > 0),
  tank_is_low INTEGER NOT NULL CHECK (tank_is_low IN (0, 1)),
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  secret_sealed BLOB NOT NULL,
  created_at INTEGER NOT NULL CHECK (created_at >= 0)
) STRICT;
CREATE INDEX notifications_of_paymaster ON notifications (paymaster_id);
CREATE INDEX notifications_with_tank_rule ON notifications (paymaster_id)
  WHERE tank_low_wei IS NOT NULL OR tank_low_days IS NOT NULL;
CREATE TABLE notification_deliveries (
  delivery_number INTEGER PRIMARY KEY AUTOINCREMENT,
  delivery_id TEXT NOT NULL UNIQUE CHECK (length(delivery_id) = 36),
  notification_id TEXT NOT NULL REFERENCES notifications (notification_id) ON DELETE CASCADE,
  paymaster_id TEXT NOT NULL,
  type TEXT NOT NULL,
  payload TEXT NOT NULL CHECK (json_valid(payload)),
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'dropped')),
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  round INTEGER NOT NULL CHECK (round > 0),
  round_attempts INTEGER NOT NULL CHECK (round_attempts BETWEEN 0 AND attempts),
  next_attempt_at INTEGER CHECK (next_attempt_at IS NULL OR state = 'pending'),
  last_attempt_at INTEGER,
  last_status INTEGER,
  last_problem TEXT,
  created_at INTEGER NOT NULL CHECK (created_at >= 0)
) STRICT;
CREATE INDEX deliveries_by_paymaster ON notification_deliveries (paymaster_id, delivery_number);
CREATE INDEX deliveries_by_destination ON notification_deliveries (notification_id, delivery_number);
CREATE INDEX undelivered_by_paymaster ON notification_deliveries (paymaster_id, state, delivery_number)
  WHERE state <> 'delivered';
CREATE INDEX pending_by_time ON notification_deliveries (next_attempt_at, delivery_number, notification_id)
  WHERE state = 'pending';
CREATE INDEX pending_by_destination ON notification_deliveries (notification_id, delivery_number)
  WHERE state = 'pending';
CREATE TABLE webhook_notices (
  webhook_id TEXT PRIMARY KEY REFERENCES webhooks (webhook_id) ON DELETE CASCADE,
  noticed_at INTEGER NOT NULL CHECK (noticed_at >= 0)
) STRICT, WITHOUT ROWID;
CREATE TABLE usage_totals (
  paymaster_id TEXT NOT NULL,
  dimension TEXT NOT NULL CHECK (dimension IN ('day', 'sender', 'contract', 'method', 'token', 'outcome')),
  day TEXT NOT NULL CHECK (length(day) = 10),
  key TEXT NOT NULL,
  signed INTEGER NOT NULL CHECK (signed >= 0),
  quoted INTEGER NOT NULL CHECK (quoted >= 0),
  stub INTEGER NOT NULL CHECK (stub >= 0),
  refused INTEGER NOT NULL CHECK (refused >= 0),
  landed INTEGER NOT NULL CHECK (landed >= 0),
  charge TEXT NOT NULL CHECK (length(charge) = 40),
  PRIMARY KEY (paymaster_id, dimension, day, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX decisions_by_hold ON decisions (hold_id, decision_number) WHERE hold_id IS NOT NULL;
CREATE INDEX limit_usage_by_window ON limit_usage (span, span_start);
INSERT INTO schema_migrations (version, name, applied_at) VALUES (1, 'management', 1763802000);
INSERT INTO schema_migrations (version, name, applied_at) VALUES (2, 'ledger', 1763802000);
INSERT INTO schema_migrations (version, name, applied_at) VALUES (3, 'decisions', 1763802000);
INSERT INTO schema_migrations (version, name, applied_at) VALUES (4, 'charges', 1763802000);
INSERT INTO schema_migrations (version, name, applied_at) VALUES (5, 'notifications', 1763802000);
INSERT INTO schema_migrations (version, name, applied_at) VALUES (6, 'usage', 1763802000);

import { holdColumnsSql } from '../../hold-fields.ts';
import { isSignedWei, isWei } from '../../wei-columns.ts';
import type { SqlWords } from '../migration.ts';

/** Append-only tables, and which of their rows can be archived: those of operations, not deposits and withdrawals. */
const journals = {
  journal: {
    rows: 'entries of the journal',
    stays: "OLD.kind NOT IN ('settle', 'cost', 'release') OR OLD.reason IS NOT NULL OR ",
  },
  token_payments: { rows: 'token payments', stays: '' },
} as const;

/** Triggers that forbid changing a journal's rows. Only the archiving transaction may delete some. */
function archivedOnly(table: keyof typeof journals, either: SqlWords['either']): string {
  const { rows, stays } = journals[table];
  const refused = `${stays}NOT EXISTS (SELECT 1 FROM ledger_archive WHERE is_open = 1)`;
  return either({
    sqlite: `
    CREATE TRIGGER ${table}_are_not_changed BEFORE UPDATE ON ${table}
      BEGIN SELECT RAISE(ABORT, '${rows} are never changed'); END;
    CREATE TRIGGER ${table}_are_not_deleted BEFORE DELETE ON ${table} WHEN ${refused}
      BEGIN SELECT RAISE(ABORT, '${rows} are never deleted'); END;`,
    postgres: `
    CREATE FUNCTION keep_unless_archiving_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF ${refused} THEN
          RAISE EXCEPTION '${rows} are never deleted';
        END IF;
        RETURN OLD;
      END
    $$;
    CREATE TRIGGER ${table}_are_not_changed BEFORE UPDATE ON ${table}
      FOR EACH ROW EXECUTE FUNCTION refuse_change('${rows} are never changed');
    CREATE TRIGGER ${table}_are_not_deleted BEFORE DELETE ON ${table}
      FOR EACH ROW EXECUTE FUNCTION keep_unless_archiving_${table}();
    CREATE TRIGGER ${table}_are_not_emptied BEFORE TRUNCATE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('${rows} are never deleted');`,
  });
}

/** The view `<table>_with_held`: a table with what one of its accounts holds for each row; nothing while no hold counts in it. */
function withHeld(table: string, account: string): string {
  return `
    CREATE VIEW ${table}_with_held AS SELECT ${table}.*, coalesce(
      (SELECT own.amount FROM ledger_accounts AS own WHERE own.name = ${account}), '0') AS held FROM ${table};`;
}

/** Gas tanks, holds and the journal. Amounts are wei text; `funded` and `deposit` may be below zero. */
export const ledgerTables = ({ integer, text, rowNumber, numbered, strict, byKey, isJson, either }: SqlWords) => `
    CREATE TABLE tanks (
      tank_id ${rowNumber},
      chain_id ${integer} NOT NULL,
      contract ${text} NOT NULL,
      wallet ${text} NOT NULL,
      funded ${text} NOT NULL CHECK (${isSignedWei('funded')}),
      settled ${text} NOT NULL CHECK (${isWei('settled')}),
      UNIQUE (chain_id, contract, wallet)
    )${strict}${either({ sqlite: '', postgres: ' WITH (fillfactor = 70)' })};
    CREATE TABLE contract_totals (
      contract_id ${rowNumber},
      chain_id ${integer} NOT NULL,
      contract ${text} NOT NULL,
      deposit ${text} NOT NULL CHECK (${isSignedWei('deposit')}),
      UNIQUE (chain_id, contract)
    )${strict};
    CREATE TABLE holds (
      hold_id ${integer} PRIMARY KEY,
      ${holdColumnsSql({ integer, text })}
    )${strict};
    CREATE INDEX live_holds_by_expiry ON holds (valid_until) WHERE state = 'live';
    CREATE INDEX holds_by_sender ON holds (paymaster_id, sender, created_at);
    CREATE INDEX unpaid_holds ON holds (unpaid_until) WHERE unpaid_until IS NOT NULL;
    CREATE INDEX live_holds ON holds (paymaster_id) WHERE state = 'live';
    CREATE INDEX holds_by_transaction ON holds (landed_tx) WHERE landed_tx IS NOT NULL;
    CREATE UNIQUE INDEX one_live_hold_per_operation_key ON holds (operation_key, tank_id, paymaster_id, policy_id)
      WHERE state <> 'settled' AND state <> 'released';
    CREATE TABLE signatures (
      hold_id ${integer} NOT NULL REFERENCES holds (hold_id),
      user_operation_hash ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      at_risk ${integer} NOT NULL DEFAULT 0 CHECK (at_risk IN (0, 1)),
      simulated ${integer} NOT NULL DEFAULT 0,
      decision_id ${text},
      is_content_id ${integer} NOT NULL DEFAULT 0 CHECK (is_content_id IN (0, 1)),
      sent_at ${integer},
      reported ${integer} NOT NULL DEFAULT 0 CHECK (reported BETWEEN 0 AND 3),
      PRIMARY KEY (hold_id, user_operation_hash)
    )${byKey};
    CREATE INDEX signatures_by_hash ON signatures (user_operation_hash) WHERE is_content_id = 0;
    CREATE TABLE signed_terms (
      hold_id ${integer} NOT NULL REFERENCES holds (hold_id),
      request_key ${text} NOT NULL,
      valid_until ${integer} NOT NULL,
      terms ${text} NOT NULL,
      token ${text},
      token_most ${text},
      PRIMARY KEY (hold_id, request_key)
    )${byKey};
    CREATE TABLE journal (
      entry_id ${rowNumber},
      contract_id ${integer} NOT NULL REFERENCES contract_totals (contract_id),
      tank_id ${integer} REFERENCES tanks (tank_id),
      kind ${text} NOT NULL CHECK (
        kind IN ('deposit', 'withdrawal', 'credit', 'debit', 'settle', 'cost', 'release')
      ),
      amount ${text} NOT NULL CHECK (${isWei('amount')}),
      moved ${text} NOT NULL CHECK (${isWei('moved')}),
      hold_id ${integer},
      reason ${text} CHECK (reason IS NOT NULL OR kind NOT IN ('credit', 'debit')),
      sender ${text} CHECK (sender IS NULL OR (kind = 'deposit' AND length(sender) = 42)),
      block_number ${integer},
      tx_hash ${text},
      log_index ${integer},
      reversal ${integer} NOT NULL CHECK (reversal >= 0),
      reverses ${integer} REFERENCES journal (entry_id),
      users_paid ${text} CHECK (users_paid IS NULL OR (kind = 'settle' AND ${isWei('users_paid')})),
      usd_micros ${integer} CHECK (usd_micros >= 0),
      usd_micros_per_coin ${integer} CHECK ((usd_micros_per_coin IS NULL) = (usd_micros IS NULL)),
      priced_at ${integer} CHECK ((priced_at IS NULL) = (usd_micros IS NULL)),
      created_at ${integer} NOT NULL,
      CHECK (tank_id IS NOT NULL OR kind IN ('deposit', 'withdrawal', 'cost'))
    )${strict};
    CREATE UNIQUE INDEX one_entry_per_log
      ON journal (contract_id, block_number, tx_hash, log_index, kind, coalesce(hold_id, 0), reversal)
      WHERE block_number IS NOT NULL AND reverses IS NULL;
    CREATE UNIQUE INDEX one_reversal_of_an_entry ON journal (reverses) WHERE reverses IS NOT NULL;
    CREATE INDEX entries_by_tank ON journal (tank_id, entry_id) WHERE tank_id IS NOT NULL;
    CREATE INDEX other_money_entries
      ON journal (tank_id, created_at) WHERE kind IN ('deposit', 'withdrawal', 'credit', 'debit');
    CREATE INDEX corrections_for_deposits
      ON journal (tank_id, tx_hash) WHERE kind IN ('credit', 'debit') AND tx_hash IS NOT NULL;
    CREATE INDEX deposits_of_no_tank ON journal (contract_id, tx_hash) WHERE kind = 'deposit' AND tank_id IS NULL;
    CREATE INDEX deposits_of_no_tank_by_sender
      ON journal (contract_id, sender, tx_hash) WHERE kind = 'deposit' AND tank_id IS NULL;
    ${archivedOnly('journal', either)}
    CREATE TABLE token_payments (
      token_payment_id ${rowNumber},
      chain_id ${integer} NOT NULL,
      contract ${text} NOT NULL,
      tx_hash ${text} NOT NULL,
      log_index ${integer} NOT NULL,
      user_operation_hash ${text} NOT NULL,
      hold_id ${integer} REFERENCES holds (hold_id),
      token ${text} NOT NULL CHECK (length(token) = 42),
      amount ${text} NOT NULL CHECK (${either({
        sqlite: "amount = '0' OR (amount GLOB '[1-9]*' AND amount NOT GLOB '*[^0-9]*')",
        postgres: "amount ~ '^(0|[1-9][0-9]*)$'",
      })}),
      block_number ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      reversal ${integer} NOT NULL DEFAULT 0 CHECK (reversal >= 0),
      reverses ${integer} REFERENCES token_payments (token_payment_id)
    )${strict};
    CREATE UNIQUE INDEX one_token_payment_per_log
      ON token_payments (chain_id, contract, tx_hash, log_index, reversal) WHERE reverses IS NULL;
    CREATE UNIQUE INDEX one_reversal_of_a_token_payment ON token_payments (reverses) WHERE reverses IS NOT NULL;
    CREATE INDEX token_payments_by_hold ON token_payments (hold_id) WHERE hold_id IS NOT NULL;
    CREATE INDEX token_payments_by_block ON token_payments (chain_id, contract, block_number);
    ${archivedOnly('token_payments', either)}
    CREATE TABLE tank_days (
      tank_id ${integer} NOT NULL REFERENCES tanks (tank_id),
      day ${integer} NOT NULL CHECK (day % 86400 = 0),
      paymaster_id ${text} NOT NULL,
      back ${integer} NOT NULL CHECK (back IN (0, 1)),
      operations ${integer} NOT NULL CHECK (operations > 0),
      wei ${text} NOT NULL CHECK (${isWei('wei')}),
      priced ${integer} NOT NULL CHECK (priced BETWEEN 0 AND operations),
      usd_micros ${integer} NOT NULL CHECK (usd_micros >= 0),
      cost ${text} NOT NULL DEFAULT '0' CHECK (${isWei('cost')}),
      premium_usd_micros ${integer} NOT NULL DEFAULT 0,
      users_paid_usd_micros ${integer} NOT NULL DEFAULT 0,
      users_paid ${text} NOT NULL DEFAULT '0' CHECK (${isWei('users_paid')}),
      is_month ${integer} NOT NULL DEFAULT 0 CHECK (is_month IN (0, 1)),
      PRIMARY KEY (tank_id, day, paymaster_id, back)
    )${byKey};
    CREATE INDEX tank_days_by_day ON tank_days (day) WHERE is_month = 0;
    CREATE TABLE counters (
      name ${text} PRIMARY KEY,
      next ${integer} NOT NULL CHECK (next > 0)
    )${byKey};
    CREATE TABLE ledger_accounts (
      account_id ${integer} PRIMARY KEY,
      name ${text} NOT NULL UNIQUE,
      count ${integer} NOT NULL CHECK (count >= 0),
      amount ${text} NOT NULL CHECK (${isWei('amount')}),
      base_count ${integer} NOT NULL CHECK (base_count >= 0),
      base_amount ${text} NOT NULL CHECK (${isWei('base_amount')}),
      kept_until ${integer}
    )${strict}${either({ sqlite: '', postgres: ' WITH (fillfactor = 45)' })};
    CREATE INDEX ledger_accounts_by_end ON ledger_accounts (kept_until) WHERE kept_until IS NOT NULL;
    ${withHeld('tanks', "'tank/' || tanks.tank_id")}
    ${withHeld('contract_totals', "'contract/' || contract_totals.chain_id || '/' || contract_totals.contract")}
    CREATE TABLE limit_numbers (
      owner ${text} NOT NULL,
      scope ${text} NOT NULL,
      limit_id ${integer} NOT NULL,
      PRIMARY KEY (owner, scope)
    )${byKey};
    CREATE TABLE ended_limits (limit_id ${integer} PRIMARY KEY)${strict};
    CREATE TABLE relayed_operations (
      chain_id ${integer} NOT NULL,
      contract ${text} NOT NULL,
      user_operation_hash ${text} NOT NULL CHECK (length(user_operation_hash) = 66),
      hold_id ${integer} NOT NULL REFERENCES holds (hold_id),
      operation ${text} NOT NULL CHECK (${isJson('operation')}),
      state ${text} NOT NULL CHECK (state IN ('waiting', 'taken', 'ended')),
      next_at ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      asked ${integer} NOT NULL,
      PRIMARY KEY (chain_id, contract, user_operation_hash, hold_id)
    )${byKey};
    CREATE INDEX relayed_operations_due ON relayed_operations (chain_id, contract, state, next_at);
    CREATE INDEX relayed_operations_by_hold ON relayed_operations (hold_id);
    CREATE TABLE ledger_archive (
      archive ${integer} PRIMARY KEY CHECK (archive = 1),
      is_open ${integer} NOT NULL CHECK (is_open IN (0, 1)),
      entries_until ${integer} NOT NULL CHECK (entries_until >= 0),
      entries_since ${integer} NOT NULL CHECK (entries_since >= 0)
    )${strict};
    CREATE TABLE archived_entries (
      tank_id ${integer} NOT NULL,
      contract_id ${integer} NOT NULL,
      month ${integer} NOT NULL,
      kind ${text} NOT NULL CHECK (kind IN ('settle', 'cost', 'release')),
      entries ${integer} NOT NULL CHECK (entries > 0),
      amount ${text} NOT NULL CHECK (${isWei('amount')}),
      moved ${text} NOT NULL CHECK (${isWei('moved')}),
      priced ${integer} NOT NULL CHECK (priced BETWEEN 0 AND entries),
      usd_micros ${integer} NOT NULL CHECK (usd_micros >= 0),
      PRIMARY KEY (tank_id, contract_id, month, kind)
    )${byKey};
    CREATE TABLE hot_wallet_transfers (
      transfer_id ${numbered},
      chain_id ${integer} NOT NULL,
      wallet ${text} NOT NULL,
      target ${text} NOT NULL,
      entry_point ${text},
      amount ${text} NOT NULL CHECK (${isWei('amount')}),
      nonce ${integer} NOT NULL CHECK (nonce >= 0),
      gas ${integer} NOT NULL CHECK (gas > 0),
      max_fee ${text} NOT NULL CHECK (${isWei('max_fee')}),
      max_tip ${text} NOT NULL CHECK (${isWei('max_tip')}),
      raw ${text},
      tx_hashes ${text} NOT NULL CHECK (${isJson('tx_hashes')}),
      state ${text} NOT NULL CHECK (state IN ('open', 'landed', 'failed', 'replaced')),
      landed_tx ${text},
      created_at ${integer} NOT NULL,
      signed_at ${integer},
      ended_at ${integer}
    )${strict};
    CREATE UNIQUE INDEX hot_wallet_transfers_by_nonce ON hot_wallet_transfers (chain_id, wallet, nonce) WHERE state <> 'replaced';
    CREATE INDEX hot_wallet_transfers_by_wallet ON hot_wallet_transfers (chain_id, wallet);
    CREATE INDEX hot_wallet_transfers_by_time ON hot_wallet_transfers (chain_id, created_at);
`;

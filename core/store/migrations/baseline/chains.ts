import type { SqlWords } from '../migration.ts';

/** Progress of following chains, and data shared by processes at one database. */
export const chainsTables = ({ integer, text, blob, strict, byKey }: SqlWords) => `
    CREATE TABLE contract_watches (
      chain_id ${integer} NOT NULL,
      contract ${text} NOT NULL,
      next_block ${integer} NOT NULL CHECK (next_block >= 0),
      last_hash ${text} NOT NULL,
      reversals ${integer} NOT NULL DEFAULT 0 CHECK (reversals >= 0),
      archived_block ${integer},
      PRIMARY KEY (chain_id, contract)
    )${byKey};
    CREATE TABLE passed_blocks (
      chain_id ${integer} NOT NULL,
      contract ${text} NOT NULL,
      block_number ${integer} NOT NULL CHECK (block_number >= 0),
      hash ${text} NOT NULL,
      PRIMARY KEY (chain_id, contract, block_number)
    )${byKey};
    CREATE TABLE contract_signers (
      chain_id ${integer} NOT NULL,
      contract ${text} NOT NULL CHECK (length(contract) = 42),
      signer ${text} NOT NULL CHECK (length(signer) = 42),
      since ${integer} NOT NULL,
      until ${integer} CHECK (until >= since),
      PRIMARY KEY (chain_id, contract, signer)
    )${byKey};
    CREATE UNIQUE INDEX contract_signers_now ON contract_signers (chain_id, contract) WHERE until IS NULL;
    CREATE TABLE ledger_states (
      chain_id ${integer} NOT NULL,
      contract ${text} NOT NULL,
      state ${text} NOT NULL CHECK (state IN ('kept', 'reading', 'stopped')),
      fault ${text} CHECK ((fault IS NULL) = (state <> 'stopped')),
      told_at ${integer} NOT NULL,
      PRIMARY KEY (chain_id, contract)
    )${byKey};
    CREATE TABLE chain_settings (
      chain_id ${integer} PRIMARY KEY,
      settings ${text} NOT NULL
    )${strict};
    CREATE TABLE write_probe (
      probe ${integer} PRIMARY KEY CHECK (probe = 1),
      filler ${blob} NOT NULL
    )${strict};
    CREATE TABLE quotes (
      name ${text} PRIMARY KEY,
      maximum ${text} NOT NULL,
      exchange_rate ${text} NOT NULL,
      valid_until ${integer} NOT NULL,
      user_percent ${integer} NOT NULL DEFAULT 100 CHECK (user_percent BETWEEN 1 AND 100)
    )${strict};
    CREATE INDEX quotes_by_end ON quotes (valid_until);
    CREATE TABLE shared_limits (
      name ${text} PRIMARY KEY,
      level ${integer} NOT NULL,
      level_at ${integer} NOT NULL,
      used ${integer} NOT NULL DEFAULT 0
    )${strict};
    CREATE INDEX shared_limits_by_time ON shared_limits (level_at);
`;

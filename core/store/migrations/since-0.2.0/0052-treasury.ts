import type { Migration } from '../migration.ts';

/**
 * Transfers of the operator's hot wallet to executors and deposits, recorded before they are signed. `raw` is the newest
 * signed transaction, null until it is signed; `tx_hashes` has the hashes of all signed ones. `open`: it may still land.
 * `landed`: it is confirmed. `failed`: it reverted on chain. `replaced`: another transaction used its nonce. Every row
 * counts for the daily cap.
 */
export const treasury: Migration = {
  version: 52,
  name: 'treasury',
  sql: ({ integer, text, numbered, strict, isJson }) => `
    CREATE TABLE treasury_transfers (
      transfer_id ${numbered},
      chain_id ${integer} NOT NULL,
      wallet ${text} NOT NULL,
      target ${text} NOT NULL,
      entry_point ${text},
      amount ${text} NOT NULL CHECK (length(amount) = 40),
      nonce ${integer} NOT NULL CHECK (nonce >= 0),
      gas ${integer} NOT NULL CHECK (gas > 0),
      max_fee ${text} NOT NULL CHECK (length(max_fee) = 40),
      max_tip ${text} NOT NULL CHECK (length(max_tip) = 40),
      raw ${text},
      tx_hashes ${text} NOT NULL CHECK (${isJson('tx_hashes')}),
      state ${text} NOT NULL CHECK (state IN ('open', 'landed', 'failed', 'replaced')),
      landed_tx ${text},
      created_at ${integer} NOT NULL,
      signed_at ${integer},
      ended_at ${integer}
    )${strict};
    CREATE UNIQUE INDEX treasury_transfers_by_nonce ON treasury_transfers (chain_id, wallet, nonce) WHERE state <> 'replaced';
    CREATE INDEX treasury_transfers_by_wallet ON treasury_transfers (chain_id, wallet);
    CREATE INDEX treasury_transfers_by_time ON treasury_transfers (chain_id, created_at);
  `,
};

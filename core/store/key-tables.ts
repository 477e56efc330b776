import type { Generated } from 'kysely';

/**
 * The keyed digest of each master key that may have sealed data. All of them are required at startup. `seals` is 1 for the
 * one that seals.
 */
type MasterKeysTable = { digest: string; seals: Generated<0 | 1> };

/**
 * The key for authToken digests derived from a former master key. Tokens are not stored, so their digests cannot be
 * recomputed with another key.
 */
type RetiredDigestKeysTable = { master_key: string; key_sealed: Uint8Array };

/**
 * Which key signed for a paymaster contract, in Unix seconds; `until` is null for the current one. Addresses are
 * checksummed.
 */
type ContractSignersTable = {
  chain_id: number;
  contract: string;
  signer: string;
  since: number;
  until: number | null;
};

/** A temporary row, which proves that the database accepts writes. */
type WriteProbeTable = { probe: 1; filler: Uint8Array };

export type KeyTables = {
  write_probe: WriteProbeTable;
  master_keys: MasterKeysTable;
  retired_digest_keys: RetiredDigestKeysTable;
  contract_signers: ContractSignersTable;
};

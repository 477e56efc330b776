import type { Generated } from 'kysely';

/**
 * The keyed digest of each master key that something may be sealed under. All of them are needed to start. `seals` is
 * 1 for the one that seals.
 */
type MasterKeysTable = { digest: string; seals: Generated<0 | 1> };

/**
 * The key of authToken digests that a master key gave which is gone. Tokens themselves are not stored, so their digests
 * cannot be made again under another key.
 */
type RetiredDigestKeysTable = { master_key: string; key_sealed: Uint8Array };

/**
 * Which key signed for a paymaster contract, in Unix seconds; `until` is null for the one that signs now. Addresses are
 * checksummed.
 */
type ContractSignersTable = {
  chain_id: number;
  contract: string;
  signer: string;
  since: number;
  until: number | null;
};

/** One row for a moment, which proves that the database takes what is written. */
type WriteProbeTable = { probe: 1; filler: Uint8Array };

export type KeyTables = {
  write_probe: WriteProbeTable;
  master_keys: MasterKeysTable;
  retired_digest_keys: RetiredDigestKeysTable;
  contract_signers: ContractSignersTable;
};

import type { Generated } from 'kysely';

/** A gas tank: what one funding wallet has put on chain for one paymaster contract. Amounts are wei text. */
export type TankRow = {
  tank_id: Generated<number>;
  chain_id: number;
  /** Checksummed address of the paymaster contract. */
  contract: string;
  /** Checksummed address of the funding wallet. */
  wallet: string;
  funded: string;
  settled: string;
  held: string;
};

/** All that is held on one paymaster contract, over all its tanks: together they share one on-chain deposit. */
export type ContractTotalRow = { chain_id: number; contract: string; held: string };

/** The worst case of a signature that may still land. */
export type HoldRow = {
  hold_id: Generated<number>;
  tank_id: number;
  /** `sender:nonce`, with the tank the identity of a live hold: only one operation of them can land. */
  slot: string;
  sender: string;
  nonce: string;
  amount: string;
  /** Unix seconds of chain time; after it no operation of this hold can land. */
  valid_until: number;
  state: 'live' | 'settled' | 'released';
  paymaster_id: string;
  created_at: number;
};

/** What a signature was given for: ties the chain's event to the hold. */
export type SignatureRow = { user_operation_hash: string; hold_id: number; created_at: number };

/**
 * One movement, never changed. `deposit`: into the tank. `hold`: set aside. `release`: no longer set aside.
 * `settle`: paid to the EntryPoint. Those that come from the chain carry their transaction and log index.
 */
export type EntryRow = {
  entry_id: Generated<number>;
  tank_id: number;
  kind: 'deposit' | 'hold' | 'release' | 'settle';
  amount: string;
  hold_id: number | null;
  tx_hash: string | null;
  log_index: number | null;
  created_at: number;
};

/** Where watching one EntryPoint of one chain goes on. */
export type WatchRow = { chain_id: number; entry_point: string; next_block: number };

export type LedgerTables = {
  tanks: TankRow;
  contract_totals: ContractTotalRow;
  holds: HoldRow;
  signatures: SignatureRow;
  entries: EntryRow;
  watches: WatchRow;
};

import type { ColumnType, Generated } from 'kysely';
import type { GasTankEntryKind } from '../domain/gas-tank.ts';
import type { HoldsTable } from './hold-fields.ts';

/** A gas tank: what one funding wallet has deposited on chain for one paymaster contract. Amounts are wei text. */
type TanksTable = {
  tank_id: Generated<number>;
  chain_id: number;
  /** Checksummed address of the paymaster contract. */
  contract: string;
  /** Checksummed address of the funding wallet. */
  wallet: string;
  /** What was put in less what was taken out again, other than for operations (`toSignedWeiText`). */
  funded: string;
  /** What it paid for operations. */
  settled: string;
};

/** One paymaster contract over all its tanks, which share its deposit: the sum of what its entries moved (`toSignedWeiText`). */
type ContractTotalsTable = { contract_id: Generated<number>; chain_id: number; contract: string; deposit: string };

/** What its account holds, in wei: a view adds it to the row of a tank or contract. */
type Held = { readonly held: ColumnType<string, never, never> };

/**
 * What a tank paid for the operations of a paymaster (empty if no hold explains them) on the UTC day that begins at `day`
 * (Unix seconds), or what was rolled back on that day (`back` 1): number, sum, number with known worth, and their worth in
 * millionths of a USD.
 */
type TankDaysTable = {
  tank_id: number;
  day: number;
  paymaster_id: string;
  back: number;
  operations: number;
  wei: string;
  priced: number;
  usd_micros: number;
  cost: string;
  premium_usd_micros: number;
  /** What `users_paid` was worth, in millionths of a USD. */
  users_paid_usd_micros: Generated<number>;
  /** The part of `wei` that users paid in tokens. */
  users_paid: Generated<string>;
  /** 1 for the sum of a month, as its first day. */
  is_month: Generated<number>;
};

/** The subject of a signature: connects the chain's event to the hold. */
type SignaturesTable = {
  /** The operation's hash, or its name by content, which is written together with the hold (`contentId`). */
  user_operation_hash: string;
  hold_id: number;
  created_at: number;
  /** 1 if the user is charged after the call. */
  at_risk: Generated<number>;
  /** 1 if its call succeeded in the simulation before signing. */
  simulated: Generated<number>;
  /** The decision that first gave it. Null for an operation that landed otherwise. */
  decision_id: Generated<string | null>;
  /** 1 if `user_operation_hash` is a name by the operation's content. */
  is_content_id: Generated<number>;
  /** When a bundler accepted it through the paymaster's URL, in Unix seconds. */
  sent_at: Generated<number | null>;
  /** Events that subscribers already received, so that none is repeated: 1 landed, 2 dropped. */
  reported: Generated<number>;
};

/** An operation that was accepted for relaying; written together with its hold: see the migrations. */
type RelayedOperationsTable = {
  chain_id: number;
  /** Checksummed address of the relay, which is that of its EntryPoint. */
  contract: string;
  user_operation_hash: string;
  hold_id: number;
  /** In the form for the bundler, JSON. */
  operation: string;
  state: 'waiting' | 'taken' | 'ended';
  next_at: number;
  created_at: number;
  /**
   * How often it was or may have been sent to a bundler, as recorded by the senders: 1 while only the first request can have
   * sent it.
   */
  asked: number;
};

/** What an entry of the journal says: what its event did, or the operator. */
export type EntryKind = GasTankEntryKind | 'cost';

/**
 * One event of the chain, or one entry by the operator, with what it does to a tank and to the contract's deposit; never changed.
 * `deposit`, `withdrawal`: into a tank or the contract, and out of it. `settle`: paid by a tank for an operation. `cost`: the
 * EntryPoint took it, and no tank paid. `credit`, `debit`: by the operator, with a reason. `release`: a hold that an event ended
 * without its operation, or the operator, with a reason.
 */
type JournalTable = {
  entry_id: Generated<number>;
  contract_id: number;
  /** Null for what no tank explains. */
  tank_id: number | null;
  kind: EntryKind;
  /** What the tank gains or pays, or no longer holds; 0 without a tank. */
  amount: string;
  /** What the contract's deposit gains or loses by it, by the kind. */
  moved: string;
  /** The hold that ended by it. It may be archived. */
  hold_id: number | null;
  reason: string | null;
  /** For a deposit: checksummed address of the transaction's sender. Null if it was not recorded or there was none. */
  sender: string | null;
  /** Where the event is on the chain. A credit or debit for a stray deposit has only that deposit's transaction. */
  block_number: number | null;
  tx_hash: string | null;
  log_index: number | null;
  /** How often the ledger of its contract had been rolled back when it was written. */
  reversal: number;
  /** The entry that it reverses, with the same kind, amounts and worth. */
  reverses: number | null;
  /** For a settlement: the part of the amount that users paid for in tokens; null if nothing. */
  users_paid: string | null;
  /** The worth of its amount when it was posted, in millionths of a USD; null if no price was known. */
  usd_micros: number | null;
  /** The price used for it, per 10^18 wei, and when that price was read (Unix seconds). */
  usd_micros_per_coin: number | null;
  priced_at: number | null;
  created_at: number;
};

/** A user's token payment for an operation, in base units as plain decimal text; never changed. */
type TokenPaymentsTable = {
  token_payment_id: Generated<number>;
  chain_id: number;
  contract: string;
  tx_hash: string;
  log_index: number;
  user_operation_hash: string;
  /** Null when no hold explains the operation. */
  hold_id: number | null;
  token: string;
  amount: string;
  block_number: number;
  created_at: number;
  /** How often the ledger of its contract had been rolled back when it was written. */
  reversal: Generated<number>;
  /** The payment that it reverses. */
  reverses: number | null;
};

/** Where watching a contract continues, the hash of the last processed block, and the number of rollbacks. */
type ContractWatchesTable = {
  chain_id: number;
  contract: string;
  next_block: number;
  last_hash: string;
  reversals: Generated<number>;
  /** The newest block with archived rows: the ledger cannot be rolled back before it. Null if there is none. */
  archived_block: Generated<number | null>;
};

/**
 * Blocks that a contract's ledger has passed, to find the rollback point after a reorg. They are per contract, since another
 * contract may already be rolled back.
 */
type PassedBlocksTable = { chain_id: number; contract: string; block_number: number; hash: string };

/**
 * The state of a contract's ledger, as reported by the process that keeps it: `told_at` in Unix milliseconds of the
 * database.
 */
type LedgerStatesTable = {
  chain_id: number;
  contract: string;
  state: 'kept' | 'reading' | 'stopped';
  fault: string | null;
  told_at: number;
};

/** The settings that affect money on a chain, JSON, of the process that keeps its ledger. */
type ChainSettingsTable = { chain_id: number; settings: string };

/** A single row: the progress of archiving. Rows with higher ids were never archived. */
type LedgerArchiveTable = {
  archive: 1;
  /** 1 within the transaction that deletes what it archives. */
  is_open: 0 | 1;
  entries_until: number;
  /** Unix seconds: older entries of operations may be archived. */
  entries_since: number;
};

/**
 * Sums of a contract's archived entries that were written in one UTC month (Unix seconds of its start); `tank_id` is 0 if no tank
 * explains them.
 */
type ArchivedEntriesTable = {
  contract_id: number;
  tank_id: number;
  month: number;
  kind: 'settle' | 'cost' | 'release';
  entries: number;
  amount: string;
  moved: string;
  priced: number;
  usd_micros: number;
};

/** The numbers that are given next, by what is numbered (`core/ledger/counters.ts`). None is given twice. */
type CountersTable = { name: string; next: number };

/**
 * What holds come to for one window of a limit or budget, or for a ticket (`core/ledger/accounts`): operations or calls, and wei or
 * millionths of a USD as wei text. It is `base_…`, which archived holds left, and the legs of all stored holds.
 */
type LedgerAccountsTable = {
  account_id: number;
  name: string;
  count: number;
  amount: string;
  base_count: number;
  base_amount: string;
  /** When it is of no use any more, in Unix seconds; null for good. */
  kept_until: number | null;
};

/** The number under which a limit counts, by whose it is and what it counts. */
type LimitNumbersTable = { owner: string; scope: string; limit_id: number };

/** Limits and budgets that are gone, whose accounts have not been deleted yet. */
type EndedLimitsTable = { limit_id: number };

/** A transfer of the operator's hot wallet, recorded before it is signed. Amounts are wei text. */
type HotWalletTransfersTable = {
  transfer_id: Generated<number>;
  chain_id: number;
  /** Checksummed address of the hot wallet. */
  wallet: string;
  /** Checksummed address of an executor, or of the paymaster contract whose deposit is topped up. */
  target: string;
  /** The EntryPoint of the deposit; null for an executor. */
  entry_point: string | null;
  amount: string;
  nonce: number;
  gas: number;
  /** For the newest attempt, per gas. */
  max_fee: string;
  max_tip: string;
  /** The newest signed transaction; null until it is signed. */
  raw: string | null;
  /** JSON: the hash of each signed transaction, newest last. */
  tx_hashes: string;
  state: 'open' | 'landed' | 'failed' | 'replaced';
  landed_tx: string | null;
  created_at: number;
  signed_at: number | null;
  ended_at: number | null;
};

export type LedgerTables = {
  hot_wallet_transfers: HotWalletTransfersTable;
  ledger_archive: LedgerArchiveTable;
  archived_entries: ArchivedEntriesTable;
  tanks: TanksTable;
  contract_totals: ContractTotalsTable;
  tanks_with_held: TanksTable & Held;
  contract_totals_with_held: ContractTotalsTable & Held;
  holds: HoldsTable;
  counters: CountersTable;
  ledger_accounts: LedgerAccountsTable;
  limit_numbers: LimitNumbersTable;
  ended_limits: EndedLimitsTable;
  tank_days: TankDaysTable;
  signatures: SignaturesTable;
  relayed_operations: RelayedOperationsTable;
  journal: JournalTable;
  token_payments: TokenPaymentsTable;
  contract_watches: ContractWatchesTable;
  passed_blocks: PassedBlocksTable;
  ledger_states: LedgerStatesTable;
  chain_settings: ChainSettingsTable;
};

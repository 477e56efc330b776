import type { Generated } from 'kysely';
import type { SettlementState } from '../domain/decision.ts';
import type { GasTankEntryKind } from '../domain/gas-tank.ts';

/** A gas tank: what one funding wallet has put on chain for one paymaster contract. Amounts are wei text. */
type TanksTable = {
  tank_id: Generated<number>;
  chain_id: number;
  /** Checksummed address of the paymaster contract. */
  contract: string;
  /** Checksummed address of the funding wallet. */
  wallet: string;
  funded: string;
  settled: string;
  held: string;
  /** Part of `funded` that is not there: the chain took it while it was held. 0 except for contracts with balances. */
  shortfall: Generated<string>;
};

/**
 * One paymaster contract over all its tanks, which share its one deposit: the sum of its movements
 * (`toSignedWeiText`) and all that is held.
 */
type ContractTotalsTable = { chain_id: number; contract: string; deposit: string; held: string };

/** The worst case of a signature that may still land. */
type HoldsTable = {
  hold_id: Generated<number>;
  tank_id: number;
  /** `sender:nonce`, with the tank the identity of a live hold: only one operation of them can land. */
  slot: string;
  sender: string;
  nonce: string;
  amount: string;
  /** Unix seconds of chain time; after it no operation of this hold can land. */
  valid_until: number;
  state: SettlementState;
  paymaster_id: string;
  /** The named policy under which it is counted; empty for the default one. */
  policy_id: Generated<string>;
  /** What the limits of that policy count: of the amount, and once settled of the charge. Null in token mode. */
  counted: string | null;
  /** What users pay at least of the operation in a token, in percent; null where they pay nothing of what is counted, or all. */
  user_percent: Generated<number | null>;
  /** What `counted` was worth when it was held, in millionths of a USD, where a limit asked. */
  usd_micros: number | null;
  /** Of a settled one: what the tank paid. */
  charge: string | null;
  /**
   * Of a settled one: what that was worth when it was booked, in millionths of a USD; null where no price was known.
   */
  charge_usd: number | null;
  success: number | null;
  landed_tx: string | null;
  /** Of one that ended: the operation that used its nonce and the block of it, where an event tells. */
  landed_hash: Generated<string | null>;
  landed_block: Generated<number | null>;
  /** When that it ended was recorded, in Unix seconds. Null too of what an earlier version wrote. */
  ended_at: Generated<number | null>;
  /** Of a released one: why nothing can land under it. Null too of what an earlier version wrote. */
  released_because: Generated<ReleaseCause | null>;
  /** Keyed digest of the address that asked for it, while the hold is live. */
  client: Generated<string | null>;
  created_at: number;
  /** Of a live one: what can be lost where the user is charged after the call and the tokens are gone, in wei. */
  at_risk: string | null;
  /** Of a settled one whose operation landed without the payment that was due: what the tank paid. */
  unpaid: string | null;
  /** Of a settled one: what of the charge users paid for in tokens, in wei. Null too of what an earlier version wrote. */
  users_paid: Generated<string | null>;
  /** When that was booked, in Unix seconds. */
  unpaid_at: number | null;
  /** 1 when a signature under it lasts longer than those of most policies may. */
  lasts_long: Generated<number>;
  /** 1 when it is for an operation that makes its account, of code that is known. */
  deploys: Generated<number>;
  /** Of one that ended: what `counted` and `usd_micros` were before. Null too of what an earlier version wrote. */
  counted_held: string | null;
  usd_held: number | null;
  /**
   * What budgets of the account count of it, in millionths of a USD; null where no price was known. Of one that ended
   * what it was before.
   */
  worth: number | null;
  worth_held: number | null;
  /**
   * Checksummed addresses of the keys that have signed under it, between commas; null where no one knows all of them.
   */
  signers: string | null;
  /** Which of the paymaster's keys asked for it: 0 for its own, also where no one asked with a key. */
  key_number: Generated<number>;
  /**
   * Whose ticket it was made with, and which one where that counts its uses or has a budget: digests, forgotten with
   * the decision.
   */
  subject: Generated<string | null>;
  ticket: Generated<string | null>;
  /**
   * 1 where another paymaster has sponsored the operation. Whether it landed is not known, so limits go on counting the hold after its
   * release.
   */
  upstream: Generated<number>;
};

/**
 * What a second paymaster is asked for under a hold. Amounts in millionths of a USD; times in Unix seconds.
 */
type UpstreamHoldsTable = {
  hold_id: number;
  chain_id: number;
  paymaster_id: string;
  /** Set aside in the budget, and what of it an answer was given for. */
  reserved: number;
  answered: number;
  /** Until when an answer is awaited; 0 while none is. */
  asked_until: number;
  /** The request that was answered last, its answer as JSON, and until when that is given again. */
  request_key: string | null;
  answer: string | null;
  valid_until: number;
};

/**
 * What was set aside for a second paymaster on a UTC day, and how many operations it answered: of the whole chain
 * (`whose` empty), of a paymaster, or of a client (`client:` and its keyed digest).
 */
type UpstreamSumsTable = { chain_id: number; whose: string; day: number; operations: number; usd_micros: number };

/**
 * The `worth` of the holds of an account's paymaster (empty: of all of them together) that were made on one UTC day
 * (`span_start`, Unix seconds), or ever.
 */
type WorthSumsTable = {
  account_id: string;
  paymaster_id: string;
  span: 'day' | 'ever';
  span_start: number;
  usd_micros: number;
};

/**
 * What a tank paid for operations in one hour, which begins at `hour` (Unix seconds); those taken back are taken off.
 */
type TankSpendingTable = { tank_id: number; hour: number; spent: string };

/**
 * What a tank paid for the operations of a paymaster (empty where no hold explains them) on the UTC day that begins
 * at `day` (Unix seconds), or what was rolled back that day (`back` 1): how many, their sum, how many of known worth,
 * and what those were worth in millionths of a USD.
 */
type SettledDaysTable = {
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
  /** What of `wei` users paid for in tokens. */
  users_paid: Generated<string>;
};

/** Live holds at a tank of one sender or client (`whose`: address or keyed digest), and their sum; no row for none. */
type OpenHoldsTable = { whose: string; tank_id: number; count: number; amount: string };

/**
 * Why nothing can land under a hold: its signatures ended, its nonce was used for another operation, or the operator released it,
 * with proof.
 */
export type ReleaseCause = 'expired' | 'replaced' | 'operator';

/** What a signature was given for: ties the chain's event to the hold. */
type SignaturesTable = {
  /** The operation's hash. Or its name by what it carries, which is written with the hold (`carriedName`). */
  user_operation_hash: string;
  hold_id: number;
  created_at: number;
  /** 1 where the user is charged after the call. */
  at_risk: Generated<number>;
  /** 1 where its call went through in the simulation that it was signed after. */
  simulated: Generated<number>;
  /** The decision that it was given with first. Null of an operation that landed otherwise, and of what an earlier version wrote. */
  decision_id: Generated<string | null>;
  /** 1 where `user_operation_hash` is a name by what the operation carries. */
  is_name: Generated<number>;
  /** When a bundler accepted it through the paymaster's URL, in Unix seconds. */
  sent_at: Generated<number | null>;
  /** Which events listeners have had about it, so that they get none twice: 1 that it landed, 2 that it was dropped. */
  reported: Generated<number>;
};

/** An operation that was accepted for relaying, written with its hold: see the migration. */
type RelayedOperationsTable = {
  chain_id: number;
  /** Checksummed address of the relay, which is its EntryPoint's. */
  contract: string;
  user_operation_hash: string;
  hold_id: number;
  /** As the bundler gets it, JSON. */
  operation: string;
  state: 'waiting' | 'taken' | 'ended';
  next_at: number;
  created_at: number;
  /** How often it was or may have been given to a bundler, by those who noted it: 1 while only the first request can have. */
  asked: number;
};

/**
 * One entry of a tank, never changed. `deposit`, `withdrawal`: into the tank and out of it, on the chain. `credit`,
 * `debit`: by the operator, with a reason. `hold`: set aside. `release`: no longer set aside. `settle`: paid for an
 * operation. `shortfall`: what the chain took although it was held, into the tank in name only; `recovery`: out of it
 * again. Those that come from the chain carry their transaction and log index; a credit or debit that stands for a
 * deposit of no tank carries that deposit's transaction alone.
 */
type EntriesTable = {
  entry_id: Generated<number>;
  tank_id: number;
  kind: GasTankEntryKind;
  amount: string;
  hold_id: number | null;
  reason: string | null;
  tx_hash: string | null;
  log_index: number | null;
  /** The block of what came from the chain; null too of what an earlier version wrote. */
  block_number: number | null;
  created_at: number;
  /** How often the ledger of its contract had been rolled back when it was written. */
  rewind: Generated<number>;
  /** The entry that it takes back, whose kind, amount and worth it has: it counts the other way. */
  reverses: number | null;
  /** What its wei were worth when it was booked, in millionths of a USD; null where no price was known. */
  usd_micros: number | null;
  /** The price that this was reckoned by, of 10^18 wei, and when it was seen (Unix seconds). */
  usd_micros_per_coin: number | null;
  priced_at: number | null;
};

/** Why the operator released a hold, of the entry that did: in his words, and what showed that nothing could land. */
type OperatorReleasesTable = { entry_id: number; reason: string; ground: string };

/**
 * One change of a paymaster contract's deposit at the EntryPoint, never changed: all of them, whether a tank explains
 * them or not, so that their sum is the deposit on chain.
 */
type MovementsTable = {
  movement_id: Generated<number>;
  chain_id: number;
  contract: string;
  kind: 'deposit' | 'withdrawal' | 'cost';
  amount: string;
  /** The tank that the movement is booked on; null when none explains it. */
  tank_id: number | null;
  block_number: number;
  tx_hash: string;
  log_index: number;
  created_at: number;
  /** Of a deposit: checksummed address of who sent the transaction. Null where it was not kept or there was none. */
  sender: string | null;
  /** How often the ledger of its contract had been rolled back when it was written. */
  rewind: Generated<number>;
  /** The movement that it takes back, whose kind and amount it has: it counts the other way. */
  reverses: number | null;
};

/** What a user paid in a token for an operation, in base units as plain decimal text; never changed. */
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
  rewind: Generated<number>;
  /** The payment that it takes back. */
  reverses: number | null;
};

/** Where watching a contract goes on, the hash of the last block that was taken in, and how often it went back. */
type ContractWatchesTable = {
  chain_id: number;
  contract: string;
  next_block: number;
  last_hash: string;
  rewinds: Generated<number>;
  /** The newest block of which rows are archived: the ledger cannot go back before it. Null without any. */
  archived_block: Generated<number | null>;
};

/**
 * Blocks that the ledger of a contract has passed, by which its way back is found. Those of another contract say
 * nothing of them: it may have gone back already.
 */
type PassedBlocksTable = { chain_id: number; contract: string; block_number: number; hash: string };

/** Where earlier versions watched all contracts of one EntryPoint: a contract goes on from there once. */
type WatchesTable = { chain_id: number; entry_point: string; next_block: number; last_hash: string };

/**
 * How the ledger of a contract stands, as the process that keeps them told it: `told_at` in Unix milliseconds of the
 * database.
 */
type BookStandingsTable = {
  chain_id: number;
  contract: string;
  state: 'kept' | 'reading' | 'stopped';
  fault: string | null;
  told_at: number;
};

/** What decides about money on a chain, JSON, as the process that keeps its ledger has it. */
type ChainSettingsTable = { chain_id: number; settings: string };

/** The one row says how far archiving has come. Rows of a higher id were never archived. */
type LedgerArchiveTable = {
  archive: 1;
  /** 1 within the transaction that deletes what it archives. */
  is_open: 0 | 1;
  entries_until: number;
  movements_until: number;
  /** Unix seconds: entries of operations that were written before may be archived. */
  entries_since: number;
};

/** What archived entries of a tank come to that were written in one UTC month (Unix seconds of its beginning). */
type ArchivedEntriesTable = {
  tank_id: number;
  month: number;
  kind: 'hold' | 'release' | 'settle';
  entries: number;
  amount: string;
  priced: number;
  usd_micros: number;
};

/** What archived costs in the journal of a contract come to; `tank_id` is 0 where no tank explains them. */
type ArchivedMovementsTable = {
  chain_id: number;
  contract: string;
  month: number;
  tank_id: number;
  movements: number;
  amount: string;
};

/**
 * What limits without an end count of archived holds, by policy and subject as in `limit_usage`. `unpriced_wei` are those of
 * holds that no limit in USD has valued.
 */
type ArchivedUsageTable = {
  policy_key: string;
  subject: string;
  operations: number;
  wei: string;
  usd_micros: number;
  unpriced_wei: string;
};

/** A transfer of the operator's hot wallet, written before it is signed. Amounts are wei text. */
type TreasuryTransfersTable = {
  transfer_id: Generated<number>;
  chain_id: number;
  /** Checksummed address of the hot wallet. */
  wallet: string;
  /** Checksummed address of an executor, or of the paymaster contract whose deposit is topped up. */
  target: string;
  /** Where the deposit is; null for an executor. */
  entry_point: string | null;
  amount: string;
  nonce: number;
  gas: number;
  /** Of the newest attempt, per gas. */
  max_fee: string;
  max_tip: string;
  /** The newest signed transaction; null until it is signed. */
  raw: string | null;
  /** JSON: the hash of each signed transaction, the newest last. */
  tx_hashes: string;
  state: 'open' | 'landed' | 'failed' | 'replaced';
  landed_tx: string | null;
  created_at: number;
  signed_at: number | null;
  ended_at: number | null;
};

export type LedgerTables = {
  treasury_transfers: TreasuryTransfersTable;
  ledger_archive: LedgerArchiveTable;
  archived_entries: ArchivedEntriesTable;
  archived_movements: ArchivedMovementsTable;
  archived_usage: ArchivedUsageTable;
  tanks: TanksTable;
  contract_totals: ContractTotalsTable;
  holds: HoldsTable;
  upstream_holds: UpstreamHoldsTable;
  upstream_sums: UpstreamSumsTable;
  worth_sums: WorthSumsTable;
  tank_spending: TankSpendingTable;
  settled_days: SettledDaysTable;
  open_holds: OpenHoldsTable;
  signatures: SignaturesTable;
  relayed_operations: RelayedOperationsTable;
  entries: EntriesTable;
  operator_releases: OperatorReleasesTable;
  movements: MovementsTable;
  token_payments: TokenPaymentsTable;
  watches: WatchesTable;
  contract_watches: ContractWatchesTable;
  passed_blocks: PassedBlocksTable;
  book_standings: BookStandingsTable;
  chain_settings: ChainSettingsTable;
};

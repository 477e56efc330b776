import type { Address, Hex } from 'viem';
import { openHandle } from '../../../core/store/sqlite/open-handle.ts';

/** A row of the ledger, amounts as the store keeps them. */
export type TankRow = {
  readonly tank_id: number;
  readonly contract: Address;
  readonly wallet: Address;
  readonly funded: string;
  readonly settled: string;
  readonly held: string;
};
export type HoldRow = {
  readonly hold_id: number;
  readonly tank_id: number;
  readonly paymaster_id: string;
  readonly operation_key: string;
  readonly amount: string;
  readonly valid_until: number;
  readonly state: 'live' | 'settled' | 'released';
  readonly limit_wei: string | null;
  readonly kept_wei: string | null;
  readonly charge: string | null;
  readonly charge_usd: number | null;
  readonly success: number | null;
  readonly landed_tx: Hex | null;
  readonly created_at: number;
};
export type EntryRow = {
  readonly entry_id: number;
  readonly contract: Address;
  readonly tank_id: number | null;
  readonly kind: string;
  readonly amount: string;
  readonly moved: string;
  readonly block_number: number | null;
  readonly tx_hash: Hex | null;
  readonly log_index: number | null;
  readonly reverses: number | null;
  readonly hold_id: number | null;
  readonly created_at: number;
};
export type TotalRow = { readonly contract: Address; readonly deposit: string; readonly held: string };
/** An account of a limit or budget, by the number of that. */
export type AccountRow = {
  readonly name: string;
  readonly count: number;
  readonly amount: string;
};
export type LimitNumberRow = { readonly owner: string; readonly scope: string; readonly limit_id: number };

export type PaymentRow = {
  readonly tx_hash: Hex;
  readonly log_index: number;
  readonly token: Address;
  readonly amount: string;
  readonly hold_id: number | null;
};

export type BudgetRow = {
  readonly budget_id: string;
  readonly name: string;
  readonly max_usd_micros: number;
  readonly span: 'day' | 'week' | 'month' | 'ever';
  readonly paymaster_ids: string | null;
  readonly limit_id: number;
};

export type DecisionRow = {
  readonly decision_number: number;
  readonly paymaster_id: string;
  readonly created_at: number;
  readonly method: string;
  readonly sender: string;
  readonly token: string | null;
  readonly key_number: number;
  readonly record: string;
  readonly hold_id: number;
};
export type UsageSumRow = {
  readonly paymaster_id: string;
  readonly dimension: string;
  readonly day: number;
  readonly key: string;
  readonly signed: number;
  readonly landed: number;
  readonly charge: string;
  readonly priced: number;
  readonly usd_micros: number;
};

/** Reads the ledger from outside the service, by a connection of its own: what is committed, nothing else. */
export type ObservedLedger = {
  tanks(): readonly TankRow[];
  totals(): readonly TotalRow[];
  liveHolds(): readonly HoldRow[];
  holds(): readonly HoldRow[];
  hold(holdId: number): HoldRow | undefined;
  landedHolds(transaction: Hex): readonly HoldRow[];
  accounts(): readonly AccountRow[];
  limitNumbers(): readonly LimitNumberRow[];
  budgets(): readonly BudgetRow[];
  /** The texts of the policies, by paymaster. */
  policies(): ReadonlyMap<string, string>;
  entriesAfter(entryId: number): readonly EntryRow[];
  /** The number of the newest entry; 0 when there is none. */
  lastEntry(): number;
  /** The hash of the last block that is in the ledger, by contract; empty when there is none any more. */
  lastHashes(): ReadonlyMap<Address, string>;
  /** The hold that is on record for a signed operation. */
  signedHold(userOperationHash: Hex): number | undefined;
  knownTerms(): ReadonlyMap<string, number>;
  payments(): readonly PaymentRow[];
  decisions(): readonly DecisionRow[];
  usageSums(): readonly UsageSumRow[];
  close(): void;
};

/** The entries of the journal, each with its contract. */
export const allEntries = 'SELECT journal.*, contract FROM journal JOIN contract_totals USING (contract_id)';

export function observeLedger(file: string): ObservedLedger {
  const database = openHandle(file);
  const all = <T>(sql: string): ((...parameters: readonly unknown[]) => readonly T[]) => {
    const statement = database.prepare(sql);
    // The row types above are those of the selected columns.
    return (...parameters) => statement.all(...parameters) as T[];
  };
  const hold = all<HoldRow>('SELECT * FROM holds WHERE hold_id = ?');
  const landedHolds = all<HoldRow>('SELECT * FROM holds WHERE landed_tx = ?');
  const lastEntry = all<{ n: number | null }>('SELECT max(entry_id) AS n FROM journal');
  const watches = all<{ contract: Address; last_hash: string }>('SELECT contract, last_hash FROM contract_watches');
  const signed = all<{ hold_id: number }>('SELECT hold_id FROM signatures WHERE user_operation_hash = ?');
  const policies = all<{ paymaster_id: string; policy: string }>('SELECT paymaster_id, policy FROM policies');
  const knownTerms = all<{ request_key: string; hold_id: number }>('SELECT request_key, hold_id FROM signed_terms');
  return {
    tanks: all<TankRow>('SELECT * FROM tanks_with_held'),
    totals: all<TotalRow>('SELECT contract, deposit, held FROM contract_totals_with_held'),
    liveHolds: all<HoldRow>("SELECT * FROM holds WHERE state = 'live' ORDER BY hold_id"),
    holds: all<HoldRow>('SELECT * FROM holds ORDER BY hold_id'),
    hold: (holdId) => hold(holdId)[0],
    landedHolds,
    policies: () => new Map(policies().map(({ paymaster_id, policy }) => [paymaster_id, policy])),
    accounts: all<AccountRow>('SELECT * FROM ledger_accounts'),
    limitNumbers: all<LimitNumberRow>('SELECT * FROM limit_numbers'),
    budgets: all<BudgetRow>('SELECT * FROM budgets ORDER BY name'),
    entriesAfter: all<EntryRow>(`${allEntries} WHERE entry_id > ? ORDER BY entry_id`),
    lastEntry: () => lastEntry()[0]?.n ?? 0,
    lastHashes: () => new Map(watches().map(({ contract, last_hash }) => [contract, last_hash])),
    signedHold: (hash) => signed(hash)[0]?.hold_id,
    knownTerms: () => new Map(knownTerms().map(({ request_key, hold_id }) => [request_key, hold_id])),
    payments: all<PaymentRow>(
      `SELECT * FROM token_payments AS paid WHERE reverses IS NULL
        AND NOT EXISTS (SELECT 1 FROM token_payments WHERE reverses = paid.token_payment_id)
        ORDER BY token_payment_id`,
    ),
    decisions: all<DecisionRow>('SELECT * FROM decisions ORDER BY decision_number'),
    usageSums: all<UsageSumRow>('SELECT * FROM usage_sums'),
    close: () => database.close(),
  };
}

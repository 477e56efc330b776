import type { Generated, Insertable } from 'kysely';
import type { DecisionOutcome } from '../domain/decision.ts';
import type { LimitWindow } from '../domain/policy.ts';
import type { SponsorshipMode } from '../domain/sponsorship.ts';

/** A paymaster's policy as JSON text; none means the default one. */
type PoliciesTable = { paymaster_id: string; policy: string; updated_at: number };

/**
 * What a paymaster's holds of one window come to: live ones with their amount, settled ones with their charge. `subject`
 * is a sender, or empty for all senders together. Wei text, and millionths of a USD.
 */
type LimitUsageTable = {
  paymaster_id: string;
  subject: string;
  span: LimitWindow;
  /** Unix seconds at which the window begins; 0 for `ever`. */
  span_start: number;
  operations: number;
  wei: string;
  usd_micros: number;
  /** 1 when every hold was given a worth before it was counted; else `usd_micros` says nothing. */
  counts_usd: Generated<number>;
  /**
   * While it is counted in steps: the time and id of the last hold that it counts, in that order. Null once it counts all.
   */
  counted_until: number | null;
  counted_hold: number | null;
};

/** The same of all holds of a paymaster that were made in the hour from `hour` (Unix seconds) on, but for USD. Wei text. */
type CountedHoursTable = { paymaster_id: string; hour: number; operations: number; wei: string };

/** What was signed for a request, so that the same request is answered alike while its hold is live. */
type GrantsTable = { hold_id: number; request_key: string; valid_until: number; terms: string };

/** An answer and its reasons. `record` is JSON: message, facts and trace. */
type DecisionsTable = {
  decision_number: Generated<number>;
  decision_id: string;
  paymaster_id: string;
  chain_id: number;
  method: string;
  outcome: DecisionOutcome;
  mode: SponsorshipMode | null;
  reason: string | null;
  sender: string | null;
  nonce: string | null;
  token: string | null;
  hold_id: number | null;
  record: string;
  created_at: number;
};

/** Quotes that several processes keep, by the name of what they were given for. Amounts are decimal text, `valid_until` Unix seconds. */
type QuotesTable = { name: string; maximum: string; exchange_rate: string; valid_until: number };

/** What limits of gateways have left, in thousandths, and when, in Unix milliseconds, and all uses, by the digest of their name. */
type SharedLimitsTable = { name: string; level: number; level_at: number; used: number };

export type DecisionTables = {
  quotes: QuotesTable;
  shared_limits: SharedLimitsTable;
  policies: PoliciesTable;
  limit_usage: LimitUsageTable;
  counted_hours: CountedHoursTable;
  grants: GrantsTable;
  decisions: DecisionsTable;
};

/** A decision as it is written. */
export type DecisionRow = Insertable<DecisionTables['decisions']>;

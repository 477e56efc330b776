import type { Generated, Insertable } from 'kysely';
import type { DecisionOutcome } from '../domain/decision.ts';
import type { LimitWindow } from '../domain/policy.ts';
import type { SponsorshipMode } from '../domain/sponsorship.ts';

/** A paymaster's policy as JSON text; none means the default one. */
type PoliciesTable = { paymaster_id: string; policy: string; updated_at: number };

/** A policy next to the default one, which requests choose by its id. `policy` is JSON text, as that of the default one. */
type NamedPoliciesTable = {
  policy_id: string;
  paymaster_id: string;
  name: string;
  description: string | null;
  author: string | null;
  icon: string | null;
  /** 0 where no request may choose it. */
  enabled: 0 | 1;
  policy: string;
  created_at: number;
  updated_at: number;
};

/**
 * What the holds under a policy come to in one window: live ones with their amount, settled ones with their charge.
 * `policy_key` is that of `core/policies/policy-key.ts`, `subject` a sender, or empty for all senders together; with `called:`
 * and a key of `called-key.ts` before it, operations are calls of that contract or method. Wei text, and millionths of a USD.
 */
type LimitUsageTable = {
  policy_key: string;
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
  /** Of a ticket: when it ends, in Unix seconds; the latest of those with the same `jti`. Null of what an earlier version wrote. */
  ends_at: Generated<number | null>;
};

/** Of a paymaster whose tickets' counts have been pruned: the latest end of these tickets, in Unix seconds. */
type ForgottenTicketsTable = { paymaster_id: string; ended_until: number };

/**
 * How many calls a hold counts for limits of one contract or method (`called` is a key of `called-key.ts`), under its policy
 * and from `created_at` on, as the hold itself says. Those are kept that the policy named when the hold was made or joined.
 */
type HoldCallsTable = { hold_id: number; policy_key: string; called: string; calls: number; created_at: number };

/** The same of all holds under a policy that were made in the hour from `hour` (Unix seconds) on, but for USD. Wei text. */
type CountedHoursTable = { policy_key: string; hour: number; operations: number; wei: string };

/** What was signed for a request, so that the same request is answered alike while its hold is live. */
type GrantsTable = { hold_id: number; request_key: string; valid_until: number; terms: string };

/**
 * An answer and its reasons. `record` is JSON of its facts, `reasons` what else there is to say, packed; null of what an earlier
 * version wrote, whose `record` has all of it.
 */
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
  reasons: Uint8Array | null;
  /** What was asked, packed. Null where it was too long, and of what an earlier version wrote. */
  request: Uint8Array | null;
  created_at: number;
  /** The named policy that it was decided by; empty for the default one. */
  policy_id: Generated<string>;
};

/** Decisions that are kept of a paymaster, or with an empty `paymaster_id` of its account, of those that are counted. */
type KeptDecisionsTable = { account_id: string; paymaster_id: string; decisions: number };

/** The one row says up to which number decisions are counted, and how many of those are kept. */
type CountedDecisionsTable = { counted: 1; until_number: number; decisions: number };

/** Quotes that several processes keep, by the name of what they were given for. Amounts are decimal text, `valid_until` Unix seconds. */
type QuotesTable = {
  name: string;
  maximum: string;
  exchange_rate: string;
  valid_until: number;
  /** What the user pays of the gas at this rate, in percent. */
  user_percent: number;
};

/** What limits of gateways have left, in thousandths, and when, in Unix milliseconds, and all uses, by the digest of their name. */
type SharedLimitsTable = { name: string; level: number; level_at: number; used: number };

export type DecisionTables = {
  quotes: QuotesTable;
  shared_limits: SharedLimitsTable;
  policies: PoliciesTable;
  named_policies: NamedPoliciesTable;
  limit_usage: LimitUsageTable;
  forgotten_tickets: ForgottenTicketsTable;
  hold_calls: HoldCallsTable;
  counted_hours: CountedHoursTable;
  grants: GrantsTable;
  decisions: DecisionsTable;
  kept_decisions: KeptDecisionsTable;
  counted_decisions: CountedDecisionsTable;
};

/** What a decision's `record` says of what was called; empty where it has no facts. */
export type CalledFacts = {
  readonly calls: readonly { readonly target: string; readonly selector?: string }[];
  readonly attribution?: readonly string[];
};

/** A decision as it is written. `called` spares who counts it the reading of `record`. */
export type DecisionRow = Insertable<DecisionTables['decisions']> & { readonly called?: CalledFacts };

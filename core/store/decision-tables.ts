import type { Generated, Insertable } from 'kysely';
import type { DecisionOutcome } from '../domain/decision.ts';
import type { SponsorshipMode } from '../domain/sponsorship.ts';

/** A paymaster's policy as JSON text; no row means the default one. */
type PoliciesTable = { paymaster_id: string; policy: string; updated_at: number };

/** A named policy, which requests choose by its id. `policy` is JSON text, like that of the default one. */
type NamedPoliciesTable = {
  policy_id: string;
  paymaster_id: string;
  name: string;
  description: string | null;
  author: string | null;
  icon: string | null;
  /** 0 if requests may not choose it. */
  enabled: 0 | 1;
  policy: string;
  created_at: number;
  updated_at: number;
};

/** For a paymaster whose ticket counts have been pruned: the latest expiry of these tickets, in Unix seconds. */
type ForgottenTicketsTable = { paymaster_id: string; ended_until: number };

/** The signed answer to a request, so that the same request gets the same answer while its hold is live. */
type SignedTermsTable = {
  hold_id: number;
  request_key: string;
  valid_until: number;
  terms: string;
  /** The token that its user pays with, and the most that it may take, in base units. Null for a sponsored one. */
  token: Generated<string | null>;
  token_most: Generated<string | null>;
};

/**
 * An answer and its reasons. `record` is JSON of its facts; `reasons` is the rest, packed.
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
  reasons: Uint8Array;
  created_at: number;
  /** The named policy that decided; empty for the default one. */
  policy_id: Generated<string>;
  /** The key of the paymaster that the request came with. */
  key_number: Generated<number>;
};

/** How many of the counted decisions are kept, per paymaster, or per account with an empty `paymaster_id`. */
type KeptDecisionsTable = { account_id: string; paymaster_id: string; decisions: number };

/**
 * A single row: up to which number decisions are counted, in the sums of usage and as kept, and how many of those are kept; and up to
 * which entry of the journal costs are counted.
 */
type CountedDecisionsTable = { counted: 1; until_number: number; until_entry: number; decisions: number };

/**
 * Quotes shared by several processes, by the name of their subject. Amounts are decimal text, `valid_until` Unix seconds.
 */
type QuotesTable = {
  name: string;
  maximum: string;
  exchange_rate: string;
  valid_until: number;
  /** The user's share of the gas at this rate, in percent. */
  user_percent: number;
};

/**
 * The level of gateways' limits in thousandths, its time in Unix milliseconds, and all uses, by the digest of the limit's
 * name.
 */
type SharedLimitsTable = { name: string; level: number; level_at: number; used: number };

export type DecisionTables = {
  quotes: QuotesTable;
  shared_limits: SharedLimitsTable;
  policies: PoliciesTable;
  named_policies: NamedPoliciesTable;
  forgotten_tickets: ForgottenTicketsTable;
  signed_terms: SignedTermsTable;
  decisions: DecisionsTable;
  kept_decisions: KeptDecisionsTable;
  counted_decisions: CountedDecisionsTable;
};

/** A decision as written. */
export type DecisionRow = Insertable<DecisionTables['decisions']>;

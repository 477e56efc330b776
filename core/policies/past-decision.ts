import type { Address } from 'viem';
import type { Decision, DecisionFacts } from '../domain/decision.ts';
import type { ChangedDecision } from '../domain/policy-preview.ts';
import type { SponsorshipMode } from '../domain/sponsorship.ts';
import type { AskedCall, CallContent } from './call-rules/call-rules.ts';
import type { SponsoredWay } from './rules/rule-on-relay.ts';

/** A past decision that depended on the policy: signed, or refused by one of its rules. */
export type PastDecision = Pick<Decision, 'decisionId' | 'decidedAt'> & {
  readonly sender: Address;
  readonly nonce: bigint;
  readonly mode: SponsorshipMode;
  readonly way: SponsoredWay;
  /** The token that the user wanted to pay in. */
  readonly token?: Address;
  readonly facts: DecisionFacts;
  /** The contents of the calls in `facts`, in their order; undefined where not recorded. */
  readonly contents: readonly (CallContent | null)[];
  readonly refused?: Pick<ChangedDecision, 'reason' | 'rule' | 'message'>;
  /** Its hold has been released. */
  readonly released: boolean;
};

/** Its calls, in the form that rules and limits use. */
export function askedCalls({ facts, contents }: PastDecision): readonly AskedCall[] {
  return facts.calls.map((call, index) => ({ ...call, content: contents[index] ?? undefined }));
}

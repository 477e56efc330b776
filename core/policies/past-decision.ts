import type { Address } from 'viem';
import type { Decision, DecisionFacts } from '../domain/decision.ts';
import type { ChangedDecision } from '../domain/policy-preview.ts';
import type { SponsorshipMode } from '../domain/sponsorship.ts';
import type { AskedCall, CallContent } from './call-rules/call-rules.ts';
import type { SponsoredWay } from './rules/rule-on-relay.ts';

/** A decision of the past that was up to the policy: signed, or refused by one of its rules. */
export type PastDecision = Pick<Decision, 'decisionId' | 'decidedAt'> & {
  readonly sender: Address;
  readonly nonce: bigint;
  readonly mode: SponsorshipMode;
  readonly way: SponsoredWay;
  /** What the user wanted to pay in. */
  readonly token?: Address;
  readonly facts: DecisionFacts;
  /** What the calls of the facts sent, in their order; nothing where it was not recorded. */
  readonly contents: readonly (CallContent | null)[];
  readonly refused?: Pick<ChangedDecision, 'reason' | 'rule' | 'message'>;
  /** What was held for it has been given back. */
  readonly released: boolean;
};

/** Its calls, as rules and limits look at them. */
export function askedCalls({ facts, contents }: PastDecision): readonly AskedCall[] {
  return facts.calls.map((call, index) => ({ ...call, content: contents[index] ?? undefined }));
}

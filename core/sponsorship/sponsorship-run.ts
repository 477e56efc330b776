import type { DecisionDraft } from '../decisions/decision-draft.ts';
import type { SponsorshipParts } from './run/sponsorship-parts.ts';

/** What the steps of one request work with: the parts, and the decision they are making. */
export type SponsorshipRun = SponsorshipParts & {
  readonly draft: DecisionDraft;
  /**
   * Whether a client that gave limits gets those back that were signed: one that it estimated with a stub can then be
   * raised by what no such estimate sees. Otherwise it is refused.
   */
  readonly mayRaiseLimits?: boolean;
};

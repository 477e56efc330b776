import type { DecisionDraft } from '../../decisions/decision-draft.ts';
import type { SponsorshipContext, SponsorshipRequest } from '../../domain/sponsorship.ts';
import type { SponsorshipParts } from './sponsorship-parts.ts';

/** A request about an operation, the parts that decide it, and the decision in progress. The input of every step. */
export type Asked = {
  readonly parts: SponsorshipParts;
  readonly draft: DecisionDraft;
  readonly request: SponsorshipRequest;
  /** The request's own, completed with the defaults of its method. */
  readonly context: SponsorshipContext;
  /**
   *
   *
   * Whether a client that gave limits gets the signed ones back: limits that it estimated with a stub can then be raised by
   * what no such estimate includes. Otherwise they are refused.
   */
  readonly mayRaiseLimits: boolean;
  /**
   *
   *
   * Whether limits far above the need are lowered, since the client gets the signed ones back. Otherwise they are refused.
   */
  readonly mayLowerLimits: boolean;
};

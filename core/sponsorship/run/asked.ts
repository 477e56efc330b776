import type { DecisionDraft } from '../../decisions/decision-draft.ts';
import type { SponsorshipContext, SponsorshipRequest } from '../../domain/sponsorship.ts';
import type { SponsorshipParts } from './sponsorship-parts.ts';

/** A request about an operation, what decides it, and the decision being made. Every step begins with it. */
export type Asked = {
  readonly parts: SponsorshipParts;
  readonly draft: DecisionDraft;
  readonly request: SponsorshipRequest;
  /** The request's own, completed with what its method leaves out. */
  readonly context: SponsorshipContext;
  /**
   * Whether a client that gave limits gets those back that were signed: limits that it estimated with a stub can then be
   * raised by what no such estimate sees. Otherwise they are refused.
   */
  readonly mayRaiseLimits: boolean;
  /** Whether limits that are far above the need are lowered, since the client gets back those that were signed. Otherwise they are refused. */
  readonly mayLowerLimits: boolean;
};

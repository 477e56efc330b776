import type { DecisionDraft } from '../decisions/decision-draft.ts';
import type { SponsorshipParts } from './sponsorship-parts.ts';

/** What the steps of one request work with: the parts, and the decision they are making. */
export type SponsorshipRun = SponsorshipParts & { readonly draft: DecisionDraft };

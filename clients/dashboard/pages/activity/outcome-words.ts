import type { DecisionOutcome } from '@tollfree/contract/decision-fields';

/** The outcomes as people say them. */
export const outcomeWords: Readonly<Record<DecisionOutcome, string>> = {
  signed: 'Signed',
  quoted: 'Quoted',
  stub: 'Estimated',
  refused: 'Refused',
};

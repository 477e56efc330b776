import type { DecisionOutcome } from '@tollfree/contract/decision-fields';
import { Badge } from '../../parts/badge.tsx';
import { outcomeWords } from './outcome-words.ts';

const kinds = { signed: 'good', quoted: 'info', stub: 'info', refused: 'bad' } as const;

/** What was answered, in a word. */
export function OutcomeBadge({ outcome }: { readonly outcome: DecisionOutcome }) {
  return <Badge kind={kinds[outcome]}>{outcomeWords[outcome]}</Badge>;
}

import type { DecisionItem, FixItem } from '@tollfree/contract/decision-fields';

/** What would change the refusal, as the service says it; undefined for one of before it did, and where nothing would. */
export function fixOf({ trace }: DecisionItem): FixItem | undefined {
  return trace.find(({ verdict }) => verdict === 'refused')?.fix;
}

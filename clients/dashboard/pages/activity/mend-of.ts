import type { DecisionItem, MendItem } from '@tollfree/contract/decision-fields';

/** What would change the refusal, as the service says it; undefined for one of before it did, and where nothing would. */
export function mendOf({ trace }: DecisionItem): MendItem | undefined {
  return trace.find(({ verdict }) => verdict === 'refused')?.mend;
}

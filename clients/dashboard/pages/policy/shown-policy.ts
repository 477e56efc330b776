import type { PolicyItem } from '@tollfree/contract/policy';
import { PolicyRequestSchema } from '@tollfree/contract/policy-fields';
import { useEffect } from 'react';
import { keepDraft, readKeptDraft } from '../../api/kept-drafts.ts';
import { contentOf } from './policy-draft.ts';

/** A policy before anyone has changed it. */
export const untouched = PolicyRequestSchema.parse({}) as PolicyItem;

const keptAs = (name: string) => `shown ${name}`;

/** Remembers in this tab what a policy was when it was shown, for the room that it takes when it is loaded again. */
export function useShownPolicy(name: string, policy: PolicyItem | undefined): void {
  useEffect(() => {
    if (policy !== undefined) keepDraft(keptAs(name), contentOf(policy));
  }, [name, policy]);
}

/** The policy as this tab has shown it last; one that no one has changed if it has not. */
export function lastShownPolicy(name: string): PolicyItem {
  // A service of another version may have kept it.
  const kept = PolicyRequestSchema.safeParse(readKeptDraft(keptAs(name)));
  return kept.success ? (kept.data as PolicyItem) : untouched;
}

import type { PolicyItem } from '@tollfree/contract/policy';
import { useEffect, useState } from 'react';
import { forgetDraft, keepDraft, readKeptDraft } from '../../api/kept-drafts.ts';
import { isSame } from '../../api/merge-settings.ts';
import { useUnsaved } from '../../parts/unsaved.tsx';
import { type Choices, mergePolicies } from './merge-policies.ts';
import { contentOf, type PolicyDraft } from './policy-draft.ts';

/** A draft, and the policy that it was begun from. */
type KeptDraft = { readonly seen: PolicyItem; readonly draft: PolicyDraft };

/**
 * A draft of a policy, and what of it would be saved: its changes, on top of the policy in force, which others may change
 * meanwhile. A draft that is left is found again.
 */
export function usePolicyDraft(name: string, policy: PolicyItem) {
  const [kept] = useState(() => readKeptDraft(name) as KeptDraft | undefined);
  const [seen, setSeen] = useState(kept?.seen ?? policy);
  const [draft, setDraft] = useState<PolicyDraft>(kept?.draft ?? policy);
  const [choices, setChoices] = useState<Choices>({});
  // Fields keep typed text, so new initial values need a new form.
  const [beginning, setBeginning] = useState(0);
  const begin = (next: PolicyDraft) => {
    setDraft(next);
    setBeginning(beginning + 1);
  };
  const beginWith = (next: PolicyItem) => {
    setSeen(next);
    setChoices({});
    begin(next);
  };
  const own = contentOf(draft);
  const [was, theirs] = [contentOf(seen), contentOf(policy)];
  const isEdited = !isSame(own, was);
  const isOther = !isSame(theirs, was);
  if (isOther && !isEdited) beginWith(policy);
  const [isKept, setKept] = useState(true);
  useEffect(() => {
    if (isEdited) setKept(keepDraft(name, { seen, draft } satisfies KeptDraft));
    else forgetDraft(name);
  }, [name, seen, draft, isEdited]);
  // It asks only about what would be lost.
  useUnsaved(isEdited && !isKept);
  const merged = mergePolicies({ was, mine: own, theirs }, choices);
  return {
    /** The policy that the draft was begun from. */
    seen,
    draft,
    setDraft,
    beginning,
    begin,
    beginWith,
    proposed: merged.policy,
    isEdited,
    isOther,
    isKept,
    rules: merged.rules,
    ownChanges: merged.rules.filter(({ changedBy }) => changedBy !== 'others').length,
    choices,
    setChoices,
  };
}

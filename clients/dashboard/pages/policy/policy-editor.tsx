import { useMutation, useQuery } from '@tanstack/react-query';
import type { PolicyItem, PolicyPreviewItem } from '@tollfree/contract/policy';
import { useEffect, useState } from 'react';
import { forgetDraft, keepDraft, readKeptDraft } from '../../api/kept-drafts.ts';
import { isSame, mergeSettings } from '../../api/merge-settings.ts';
import { contractsQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { othersChange } from '../../api/use-save.ts';
import { Notice, Problem } from '../../parts/problem.tsx';
import { useUnsaved } from '../../parts/unsaved.tsx';
import { Bounds } from './bounds.tsx';
import { describeFields, describePolicy } from './describe-policy.ts';
import { labelOf } from './field-names.ts';
import { policySchema, withoutEmpty } from './field-schema.ts';
import { PolicyBeginnings } from './policy-beginnings.tsx';
import type { PolicyDraft } from './policy-draft.ts';
import { PolicyFields } from './policy-fields.tsx';
import { PolicyPreview } from './policy-preview.tsx';
import { SaveBar } from './save-bar.tsx';

type PolicyEditorProps = {
  /** Names the policy among all of the account's, for its draft. */
  readonly name: string;
  readonly policy: PolicyItem;
  /** Fields that do not apply to this policy. */
  readonly omit?: readonly string[];
  /** The service validates what is proposed. */
  readonly preview: (proposed: PolicyDraft) => Promise<PolicyPreviewItem>;
  /** Saves what is proposed if the policy is still the shown one. Resolves to the saved policy. */
  readonly save: (proposed: PolicyDraft) => Promise<PolicyItem>;
};

/** A draft, and the policy that it was begun from. */
type KeptDraft = { readonly seen: PolicyItem; readonly draft: PolicyDraft };

/**
 * A draft of a policy, and what of it would be saved: its changes, on top of the policy in force, which others may change
 * meanwhile. A draft that is left is found again.
 */
function usePolicyDraft(name: string, policy: PolicyItem) {
  const [kept] = useState(() => readKeptDraft(name) as KeptDraft | undefined);
  const [seen, setSeen] = useState(kept?.seen ?? policy);
  const [draft, setDraft] = useState<PolicyDraft>(kept?.draft ?? policy);
  // Fields keep typed text, so new initial values need a new form.
  const [beginning, setBeginning] = useState(0);
  const begin = (next: PolicyDraft) => {
    setDraft(next);
    setBeginning(beginning + 1);
  };
  const beginWith = (next: PolicyItem) => {
    setSeen(next);
    begin(next);
  };
  const own = contentOf(draft);
  const isEdited = !isSame(own, contentOf(seen));
  const isOther = !isSame(contentOf(policy), contentOf(seen));
  if (isOther && !isEdited) beginWith(policy);
  const [isKept, setKept] = useState(true);
  useEffect(() => {
    if (isEdited) setKept(keepDraft(name, { seen, draft } satisfies KeptDraft));
    else forgetDraft(name);
  }, [name, seen, draft, isEdited]);
  // It asks only about what would be lost.
  useUnsaved(isEdited && !isKept);
  const { settings, conflicts } = mergeSettings(contentOf(seen), own, contentOf(policy));
  return { draft, setDraft, beginning, begin, beginWith, proposed: settings, isEdited, isOther, conflicts };
}

/** What is sent of a draft. The version is no setting. */
function contentOf(draft: PolicyDraft): PolicyDraft {
  const { etag: _, ...content } = (withoutEmpty(draft, policySchema) ?? {}) as PolicyDraft;
  return content;
}

/** How long nothing is typed before a draft is previewed. */
const previewAfterMs = 400;

/** Previews what is proposed a moment after it has changed. */
function usePreview(name: string, proposed: PolicyDraft, isEdited: boolean, preview: PolicyEditorProps['preview']) {
  const text = JSON.stringify(proposed);
  const [asked, setAsked] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), previewAfterMs);
    return () => clearTimeout(timer);
  }, [text]);
  return useQuery({
    queryKey: ['policy-preview', name, asked],
    enabled: isEdited && asked === text,
    retry: false,
    gcTime: 60_000,
    queryFn: () => preview(JSON.parse(asked) as PolicyDraft),
  });
}

/**
 * Edits a policy: rules as sentences with fields in them, and a preview on recent decisions that follows each change. Only the
 * service validates it. It may know more fields and values than this page: these are sent back unchanged.
 */
export function PolicyEditor({ name, policy, omit = [], ...calls }: PolicyEditorProps) {
  const { draft, setDraft, beginning, begin, beginWith, proposed, ...state } = usePolicyDraft(name, policy);
  const preview = usePreview(name, proposed, state.isEdited, calls.preview);
  const save = useMutation({ mutationFn: calls.save, onSuccess: beginWith });
  const names = usePolicyNames();
  const foreign = Object.keys(contentOf(policy)).filter((field) => policySchema.properties?.[field] === undefined);
  const verdict =
    preview.data === undefined ? undefined : { refused: preview.data.cutOff.length, tried: preview.data.replayed };
  return (
    <div className="stack">
      <PolicyBeginnings policy={policy} draft={draft} onBegin={begin} />
      <Bounds draft={draft} onChange={begin} />
      {state.isEdited ? <PolicyPreview preview={preview.data} error={preview.error} /> : null}
      <PolicyFields
        key={beginning}
        draft={draft}
        saved={policy}
        omit={omit}
        describe={(fields) => describeFields(draft, fields, names)}
        onChange={setDraft}
      />
      {foreign.length === 0 ? null : (
        <Notice>
          It also has settings that this page does not support: {foreign.join(', ')}. They stay unchanged.
        </Notice>
      )}
      {state.isEdited ? (
        <SaveBar
          before={describePolicy(policy, names)}
          after={describePolicy(proposed, names)}
          verdict={verdict}
          isSaving={save.isPending}
          onSave={() => save.mutate(proposed)}
          onDiscard={() => {
            save.reset();
            beginWith(policy);
          }}
        >
          {state.isOther ? <OthersChanges conflicts={state.conflicts} refusal={save.error} /> : null}
          {draft.requireTicket === true || !hasLimitPerUser(proposed) ? null : (
            <p className="warn-text">
              A limit per user of a ticket needs tickets: say that a ticket is needed, and add a key on the page
              Tickets.
            </p>
          )}
          <Problem error={state.isOther && othersChange(save.error) ? null : save.error} />
        </SaveBar>
      ) : null}
    </div>
  );
}

function hasLimitPerUser({ limits }: PolicyDraft): boolean {
  return Array.isArray(limits) && limits.some((limit) => (limit as PolicyDraft).per === 'SUBJECT');
}

/** Someone else has changed the policy since the draft was begun. */
function OthersChanges({ conflicts, refusal }: { readonly conflicts: readonly string[]; readonly refusal: unknown }) {
  const what = othersChange(refusal) ?? 'Someone else has changed the policy meanwhile.';
  if (conflicts.length === 0) return <Notice>{what} Those changes stay; yours are added to them.</Notice>;
  return (
    <Notice kind="warn">
      {what} You have changed the same: {conflicts.map(labelOf).join(', ')}. Saving replaces that with yours.
    </Notice>
  );
}

/** Names for the sentences of this paymaster's policies. */
function usePolicyNames(): Parameters<typeof describePolicy>[1] {
  const paymaster = usePaymaster();
  const { data = [] } = useQuery(contractsQuery(paymaster));
  const nameOf = (address: string) =>
    data.find((each) => each.address.toLowerCase() === address.toLowerCase())?.name ?? address;
  return { chainId: paymaster.chainId, nameOf };
}

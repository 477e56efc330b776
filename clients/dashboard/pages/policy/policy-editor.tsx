import { useMutation, useQuery } from '@tanstack/react-query';
import type { PolicyItem, PolicyPreviewItem } from '@tollfree/contract/policy';
import { useEffect, useState } from 'react';
import { isSame, mergeSettings } from '../../api/merge-settings.ts';
import { contractsQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { othersChange } from '../../api/use-save.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Notice, Problem } from '../../parts/problem.tsx';
import { useUnsaved } from '../../parts/unsaved.tsx';
import { describePolicy } from './describe-policy.ts';
import { labelOf } from './field-names.ts';
import { policySchema, withoutEmpty } from './field-schema.ts';
import { PolicyBeginnings } from './policy-beginnings.tsx';
import type { PolicyDraft } from './policy-draft.ts';
import { PolicyFields } from './policy-fields.tsx';
import { PolicyPreview } from './policy-preview.tsx';

type PolicyEditorProps = {
  readonly policy: PolicyItem;
  /** Fields that do not apply to this policy. */
  readonly omit?: readonly string[];
  /** The service validates what is proposed. */
  readonly preview: (proposed: PolicyDraft) => Promise<PolicyPreviewItem>;
  /** Saves what is proposed if the policy is still the shown one. Resolves to the saved policy. */
  readonly save: (proposed: PolicyDraft) => Promise<PolicyItem>;
};

/**
 * A draft of a policy, and what of it would be saved: its changes, on top of the policy in force, which others may change
 * meanwhile.
 */
function usePolicyDraft(policy: PolicyItem) {
  const [seen, setSeen] = useState(policy);
  const [draft, setDraft] = useState<PolicyDraft>(policy);
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
  const { settings, conflicts } = mergeSettings(contentOf(seen), own, contentOf(policy));
  return { draft, setDraft, beginning, begin, beginWith, proposed: settings, isEdited, isOther, conflicts };
}

/** What is sent of a draft. The version is no setting. */
function contentOf(draft: PolicyDraft): PolicyDraft {
  const { etag: _, ...content } = (withoutEmpty(draft, policySchema) ?? {}) as PolicyDraft;
  return content;
}

/**
 * Edits a policy: a form generated from the contract's schema, with a summary and a preview of the changes before saving.
 * Only the service validates it. It may know more fields and values than this page: these are sent back unchanged.
 */
export function PolicyEditor({ policy, omit = [], ...calls }: PolicyEditorProps) {
  const { draft, setDraft, beginning, begin, beginWith, proposed, ...state } = usePolicyDraft(policy);
  const preview = useMutation({ meta: { onlyReads: true }, mutationFn: calls.preview });
  const save = useMutation({ mutationFn: calls.save, onSuccess: beginWith });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a preview is of one policy
  useEffect(() => preview.reset(), [JSON.stringify(proposed)]);
  useUnsaved(state.isEdited);
  const foreign = Object.keys(contentOf(policy)).filter((name) => policySchema.properties?.[name] === undefined);
  return (
    <div className="columns">
      <section className="stack" aria-label="Edit policy">
        <PolicyBeginnings policy={policy} draft={draft} onBegin={begin} />
        <PolicyFields key={beginning} draft={draft} omit={omit} onChange={setDraft} />
      </section>
      <div className="stack sticky">
        <Card title="Current policy">
          <PolicyText policy={policy} />
        </Card>
        <Card title="Your changes" lead="Preview them on recent decisions before you save.">
          <Changes policy={policy} proposed={proposed} />
          {state.isOther ? <OthersChanges conflicts={state.conflicts} refusal={save.error} /> : null}
          {draft.requireTicket === true || !hasLimitPerUser(proposed) ? null : (
            <Notice kind="warn">
              A limit per user of a ticket needs tickets: select “{labelOf('requireTicket')}”, and add a key on the page
              Tickets.
            </Notice>
          )}
          {foreign.length === 0 ? null : (
            <Notice>
              It also has settings that this page does not support: {foreign.join(', ')}. They stay unchanged.
            </Notice>
          )}
          <div className="actions">
            <Button
              kind={preview.data === undefined ? 'primary' : 'plain'}
              isPending={preview.isPending}
              onPress={() => preview.mutate(proposed)}
            >
              Preview
            </Button>
            <Button
              kind={preview.data === undefined ? 'plain' : 'primary'}
              needs={['manage']}
              isDisabled={preview.data === undefined}
              isPending={save.isPending}
              onPress={() => save.mutate(proposed)}
            >
              Save policy
            </Button>
          </div>
          <Problem error={preview.error ?? (state.isOther && othersChange(save.error) ? null : save.error)} />
          <div role="status" className="stack">
            {preview.data === undefined ? null : <PolicyPreview preview={preview.data} />}
          </div>
        </Card>
      </div>
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

/** The added and removed sentences. */
function Changes({ policy, proposed }: { readonly policy: PolicyDraft; readonly proposed: PolicyDraft }) {
  const names = usePolicyNames();
  const before = describePolicy(policy, names);
  const after = describePolicy(proposed, names);
  const added = after.filter((sentence) => !before.includes(sentence));
  const gone = before.filter((sentence) => !after.includes(sentence));
  if (added.length + gone.length === 0) return <p className="muted">Nothing has changed.</p>;
  return (
    <ul className="changes">
      {gone.map((sentence) => (
        <li key={sentence}>
          <del>{sentence}</del>
        </li>
      ))}
      {added.map((sentence) => (
        <li key={sentence}>
          <ins>{sentence}</ins>
        </li>
      ))}
    </ul>
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

/** A policy in sentences. */
function PolicyText({ policy }: { readonly policy: PolicyItem }) {
  return (
    <ul className="sentences">
      {describePolicy(policy, usePolicyNames()).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

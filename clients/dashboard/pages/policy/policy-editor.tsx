import { useMutation, useQuery } from '@tanstack/react-query';
import type { PolicyItem, PolicyPreviewItem } from '@tollfree/contract/policy';
import { useState } from 'react';
import { contractsQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Notice, Problem } from '../../parts/problem.tsx';
import { describePolicy } from './describe-policy.ts';
import { labelOf } from './field-names.ts';
import { policySchema, withoutEmpty } from './field-schema.ts';
import { PolicyBeginnings } from './policy-beginnings.tsx';
import { type PolicyDraft, PolicyFields } from './policy-fields.tsx';
import { PolicyPreview } from './policy-preview.tsx';

type PolicyEditorProps = {
  readonly policy: PolicyItem;
  /** Fields that do not apply to this policy. */
  readonly omit?: readonly string[];
  readonly preview: (proposed: PolicyItem) => Promise<PolicyPreviewItem>;
  readonly save: (proposed: PolicyItem) => Promise<unknown>;
};

/**
 * Edits a policy: a form generated from the contract's schema, with a summary and a preview of the changes before saving.
 * Only the service validates it. It may know more fields and values than this page: these are sent back unchanged.
 */
export function PolicyEditor({ policy, omit = [], ...calls }: PolicyEditorProps) {
  const [draft, setDraft] = useState<PolicyDraft>(policy);
  // Fields keep typed text, so new initial values need a new form.
  const [beginning, setBeginning] = useState(0);
  const preview = useMutation({ meta: { onlyReads: true }, mutationFn: calls.preview });
  const save = useMutation({ mutationFn: calls.save });
  const proposed = (withoutEmpty(draft, policySchema) ?? {}) as PolicyItem;
  const foreign = Object.keys(policy).filter((name) => policySchema.properties?.[name] === undefined);
  const change = (next: PolicyDraft) => {
    setDraft(next);
    preview.reset();
  };
  const begin = (next: PolicyDraft) => {
    change(next);
    setBeginning(beginning + 1);
  };
  return (
    <div className="columns">
      <section className="stack" aria-label="Edit policy">
        <PolicyBeginnings draft={draft} onBegin={begin} />
        <PolicyFields key={beginning} draft={draft} omit={omit} onChange={change} />
      </section>
      <div className="stack sticky">
        <Card title="Current policy">
          <PolicyText policy={policy} />
        </Card>
        <Card title="Your changes" lead="Preview them on recent decisions before you save.">
          <Changes policy={policy} proposed={proposed} />
          {draft.requireTicket === true || !proposed.limits?.some(({ per }) => per === 'SUBJECT') ? null : (
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
          <Problem error={preview.error ?? save.error} />
          <div role="status" className="stack">
            {preview.data === undefined ? null : <PolicyPreview preview={preview.data} />}
          </div>
        </Card>
      </div>
    </div>
  );
}

/** The added and removed sentences. */
function Changes({ policy, proposed }: { readonly policy: PolicyItem; readonly proposed: PolicyItem }) {
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

import { useMutation } from '@tanstack/react-query';
import type { PolicyItem, PolicyPreviewItem } from '@tollfree/contract/policy';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Problem } from '../../parts/problem.tsx';
import { fieldNames } from './field-names.ts';
import { policySchema } from './field-schema.ts';
import { type PolicyDraft, PolicyFields } from './policy-fields.tsx';
import { PolicyPreview } from './policy-preview.tsx';
import { PolicyText } from './policy-text.tsx';
import { withoutEmpty } from './without-empty.ts';

export type PolicyEditorProps = {
  readonly policy: PolicyItem;
  /** Fields that mean nothing for this policy. */
  readonly omit?: readonly string[];
  readonly preview: (proposed: PolicyItem) => Promise<PolicyPreviewItem>;
  readonly save: (proposed: PolicyItem) => Promise<unknown>;
};

/**
 * Changes a policy: a form made from the contract's schema, a preview of what it would change, and only then saved. The service
 * alone judges it, which may know more fields and values than this page: those go back to it as they came.
 */
export function PolicyEditor({ policy, omit = [], ...calls }: PolicyEditorProps) {
  const [draft, setDraft] = useState<PolicyDraft>(policy);
  const preview = useMutation({ mutationFn: calls.preview });
  const save = useMutation({ mutationFn: calls.save });
  const proposed = (withoutEmpty(draft, policySchema) ?? {}) as PolicyItem;
  const foreign = Object.keys(policy).filter((name) => policySchema.properties?.[name] === undefined);
  return (
    <div className="form">
      <PolicyFields
        draft={draft}
        omit={omit}
        onChange={(next) => {
          setDraft(next);
          preview.reset();
        }}
      />
      {draft.requireTicket === true || !proposed.limits?.some(({ per }) => per === 'SUBJECT') ? null : (
        <Notice kind="warn">
          A limit per user of a ticket needs tickets: select “{fieldNames.requireTicket}”, and add a key on the page
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
        {preview.data === undefined ? <span className="muted">Preview it first, then save.</span> : null}
      </div>
      <Problem error={preview.error ?? save.error} />
      <div role="status">
        {preview.data === undefined ? null : (
          <div className="stack">
            <h3>Result:</h3>
            <PolicyText policy={proposed} />
            <PolicyPreview preview={preview.data} />
          </div>
        )}
      </div>
    </div>
  );
}

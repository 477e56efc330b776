import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { PolicyItem } from '@tollfree/contract/policy';
import { PolicyRequestSchema } from '@tollfree/contract/policy-fields';
import { useState } from 'react';
import { dataOf } from '../../api/data-of.ts';
import { headersOf, policyQuery } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Problem } from '../../parts/problem.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { policySchema } from './field-schema.ts';
import { PolicyPreview } from './policy-preview.tsx';
import { PolicyText } from './policy-text.tsx';
import { SchemaField } from './schema-field.tsx';
import { withoutEmpty } from './without-empty.ts';

/** Changes the policy: a form made from the contract's schema, a preview of what it would change, and only then saved. */
export function PolicyEditor({ policy }: { readonly policy: PolicyItem }) {
  const headers = headersOf(usePaymaster());
  const paymaster = usePaymaster();
  const client = useQueryClient();
  const [draft, setDraft] = useState<Readonly<Record<string, unknown>>>(policy);
  const parsed = PolicyRequestSchema.safeParse(withoutEmpty(draft, policySchema) ?? {});
  const preview = useMutation({
    mutationFn: (body: PolicyItem) => dataOf(routes.policy.preview({ headers, query: {}, body })),
  });
  const save = useMutation({
    mutationFn: (body: PolicyItem) => dataOf(routes.policy.set({ headers, body })),
    onSuccess: (saved) => client.setQueryData(policyQuery(paymaster).queryKey, saved),
  });
  const change = (name: string, value: unknown) => {
    setDraft({ ...draft, [name]: value });
    preview.reset();
  };
  const proposed = parsed.data;
  return (
    <div className="form">
      {Object.entries(policySchema.properties ?? {}).map(([name, schema]) => (
        <SchemaField
          key={name}
          name={name}
          schema={schema}
          value={draft[name]}
          onChange={(value) => change(name, value)}
        />
      ))}
      {parsed.success ? null : <Notice kind="bad">{parsed.error.issues[0]?.message}.</Notice>}
      <div className="actions">
        <Button
          kind={preview.data === undefined ? 'primary' : 'plain'}
          isDisabled={proposed === undefined}
          isPending={preview.isPending}
          onPress={() => proposed && preview.mutate(proposed)}
        >
          Preview
        </Button>
        <Button
          kind={preview.data === undefined ? 'plain' : 'primary'}
          isDisabled={proposed === undefined || preview.data === undefined}
          isPending={save.isPending}
          onPress={() => proposed && save.mutate(proposed)}
        >
          Save policy
        </Button>
        {preview.data === undefined ? <span className="muted">Preview it first: it can be saved then.</span> : null}
      </div>
      <Problem error={preview.error ?? save.error} />
      <div role="status">
        {preview.data === undefined || proposed === undefined ? null : (
          <div className="stack">
            <h3>It would be</h3>
            <PolicyText policy={proposed} />
            <PolicyPreview preview={preview.data} />
          </div>
        )}
      </div>
    </div>
  );
}

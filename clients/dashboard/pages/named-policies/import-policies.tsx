import { useMutation } from '@tanstack/react-query';
import type { NamedPolicyItem, NamedPolicyRequest } from '@tollfree/contract/named-policy';
import { useState } from 'react';
import { isSame } from '../../api/merge-settings.ts';
import { headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { ifMatch } from '../../api/use-save.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Problem } from '../../parts/problem.tsx';
import { counted } from '../../parts/text/counted.ts';
import { FileInput } from '../../parts/text-input.tsx';
import { toast } from '../../parts/toast.tsx';
import { type FilePolicy, readPolicyFile } from '../policy/policy-beginnings.tsx';

type ImportPoliciesProps = { readonly current: readonly NamedPolicyItem[]; readonly onDone: () => void };

const changes = {
  create: ['good', 'New'],
  replace: ['warn', 'Changes'],
  none: ['info', 'Unchanged'],
} as const;

/** Imports named policies from a file, showing the changes first. */
export function ImportPolicies({ current, onDone }: ImportPoliciesProps) {
  const paymaster = usePaymaster();
  const [steps, setSteps] = useState<readonly ImportStep[]>();
  const [problem, setProblem] = useState<Error>();
  const due = (steps ?? []).filter(({ change }) => change !== 'none');
  const take = (text: string) => {
    const file = readPolicyFile(text);
    const hasNone = file === undefined || file.named.length === 0;
    setProblem(hasNone ? new Error('This file holds no named policies.') : undefined);
    setSteps(hasNone ? undefined : comparePolicies(file.named, current));
  };
  const run = useMutation({
    mutationFn: async () => {
      // Sequentially, so that a refusal can be attributed to one policy.
      for (const { policy, policyId, etag } of due) {
        // The service checks it.
        const body = policy as unknown as NamedPolicyRequest;
        const headers = headersOf(paymaster);
        const change =
          policyId === undefined
            ? routes.namedPolicy.create({ headers, body })
            : routes.namedPolicy.replace({ headers: { ...headers, ...ifMatch(etag) }, params: { policyId }, body });
        await change.catch((cause: unknown) => {
          throw new Error(`${policy.name}: ${cause instanceof Error ? cause.message : 'it could not be imported.'}`, {
            cause,
          });
        });
      }
    },
    onSuccess: () => {
      toast(`${counted(due.length, 'policy', 'policies')} imported.`);
      onDone();
    },
  });
  return (
    <div className="form">
      <FileInput
        label="File"
        hint="A file from “Export” on the page Policy, or from “tollfree policy export”."
        accept=".json,application/json"
        onText={take}
      />
      {steps === undefined ? null : (
        <>
          <DataTable
            caption="Policies of the file"
            rows={steps}
            keyOf={({ policy }) => policy.name}
            columns={[
              { title: 'Policy', cell: ({ policy }) => policy.name },
              {
                title: 'Import',
                cell: ({ change }) => <Badge kind={changes[change][0]}>{changes[change][1]}</Badge>,
              },
            ]}
          />
          <p className="muted">Policies that the file does not have stay as they are.</p>
          <div className="actions">
            <Button
              kind="primary"
              needs={['manage']}
              isDisabled={due.length === 0}
              isPending={run.isPending}
              onPress={() => run.mutate()}
            >
              {`Import ${counted(due.length, 'policy', 'policies')}`}
            </Button>
          </div>
        </>
      )}
      <Problem error={problem ?? run.error} />
    </div>
  );
}

type ImportStep = {
  readonly policy: FilePolicy;
  readonly change: 'create' | 'replace' | 'none';
  /** Of the existing policy with this name. */
  readonly policyId: string | undefined;
  /** Its version, which was compared with the file. */
  readonly etag: string | undefined;
};

/** What an import does with each policy of a file, by name. Policies missing in the file stay. */
function comparePolicies(file: readonly FilePolicy[], current: readonly NamedPolicyItem[]): readonly ImportStep[] {
  return file.map((policy) => {
    const known = current.find(({ name }) => name === policy.name);
    if (known === undefined) return { policy, change: 'create', policyId: undefined, etag: undefined };
    const { policyId, etag, createdAt: _, updatedAt: __, ...fields } = known;
    return { policy, change: isSame(fields, policy) ? 'none' : 'replace', policyId, etag };
  });
}

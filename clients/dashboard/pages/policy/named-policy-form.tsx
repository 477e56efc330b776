import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { headersOf, namedPoliciesQuery, policyQuery } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Choice } from '../../parts/choice.tsx';
import { HeadForm, type PolicyHead } from './head-form.tsx';
import { untouched } from './shown-policy.ts';

const beginnings = [
  { value: 'copy', text: 'The current default policy' },
  { value: 'plain', text: 'An empty policy' },
] as const;
type Beginning = (typeof beginnings)[number]['value'];

/** Creates a policy, closed to requests at first, and opens its page. */
export function NamedPolicyForm() {
  const paymaster = usePaymaster();
  const client = useQueryClient();
  const navigate = useNavigate();
  const defaults = useQuery(policyQuery(paymaster));
  const [beginning, setBeginning] = useState<Beginning>('copy');
  const create = useMutation({
    mutationFn: async (head: PolicyHead) => {
      const { etag: _, ...policy } =
        beginning === 'plain' ? untouched : await client.ensureQueryData(policyQuery(paymaster));
      const body = { ...head, enabled: false, policy: { ...policy, ignoreForeignPolicyIds: false } };
      return routes.namedPolicy.create({ headers: headersOf(paymaster), body });
    },
    onSuccess: async ({ policyId }) => {
      await client.invalidateQueries(namedPoliciesQuery(paymaster));
      const { paymasterId } = paymaster;
      await navigate({ to: '/paymasters/$paymasterId/policies/$policyId', params: { paymasterId, policyId } });
    },
  });
  return (
    <HeadForm
      submit="Create policy"
      action={{ isPending: create.isPending, error: create.error ?? defaults.error }}
      onSubmit={create.mutate}
    >
      <Choice
        label="Start from"
        hint="Edit it on the next page. Requests can choose it once you open it there."
        value={beginning}
        options={beginnings}
        onChange={setBeginning}
      />
    </HeadForm>
  );
}

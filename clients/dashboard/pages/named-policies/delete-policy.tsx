import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { NamedPolicyItem } from '@tollfree/contract/named-policy';
import { bodyOf } from '../../api/body-of.ts';
import { headersOf, namedPoliciesQuery } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';

/** Deletes a named policy, and goes back to the others. */
export function DeletePolicy({ policy: { policyId, name } }: { readonly policy: NamedPolicyItem }) {
  const paymaster = usePaymaster();
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => bodyOf(routes.namedPolicy.delete({ headers: headersOf(paymaster), params: { policyId } })),
    onSuccess: async () => {
      const { paymasterId } = paymaster;
      await navigate({ to: '/paymasters/$paymasterId/policies', params: { paymasterId } });
    },
    onSettled: () => client.invalidateQueries(namedPoliciesQuery(paymaster)),
  });
  return (
    <div className="stack">
      <p>Close it instead if you may need it again. Deleting it also deletes the usage of its limits.</p>
      <div className="actions">
        <ConfirmButton
          text="Delete policy"
          needs={['manage']}
          title={`Delete the policy “${name}”?`}
          confirm="Delete permanently"
          isPending={remove.isPending}
          onConfirm={() => remove.mutate()}
        >
          Requests that choose it are refused from now on. This cannot be undone.
        </ConfirmButton>
      </div>
      <Problem error={remove.error} />
    </div>
  );
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { NamedPolicyItem } from '@tollfree/contract/named-policy';
import { dataOf } from '../../api/data-of.ts';
import { headersOf, namedPoliciesQuery } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { toast } from '../../parts/toast.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';

/** Changes part of a named policy, which is sent as a whole with all other fields unchanged. */
export function useReplacePolicy({ policyId, createdAt: _, updatedAt: __, ...policy }: NamedPolicyItem) {
  const paymaster = usePaymaster();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: Partial<typeof policy>) =>
      dataOf(
        routes.namedPolicy.replace({
          headers: headersOf(paymaster),
          params: { policyId },
          body: { ...policy, ...changes },
        }),
      ),
    onSuccess: () => toast('Policy saved.'),
    onSettled: () => client.invalidateQueries(namedPoliciesQuery(paymaster)),
  });
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { PaymasterItem, UpdatePaymasterRequest } from '@tollfree/contract/paymaster';
import { dataOf } from '../../api/data-of.ts';
import { paymastersQuery } from '../../api/paymasters.ts';
import { routes } from '../../api/routes.ts';

/** Renames a paymaster, pauses it or resumes it. */
export function useChangePaymaster({ paymasterId }: PaymasterItem) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdatePaymasterRequest) =>
      dataOf(routes.paymaster.update({ headers: {}, params: { paymasterId }, body })),
    onSettled: () => client.invalidateQueries(paymastersQuery),
  });
}

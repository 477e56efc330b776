import { queryOptions } from '@tanstack/react-query';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { headersOf, keyOf } from './of-paymaster.ts';
import { routes } from './routes.ts';

/** The newest decision of the paymaster alone, in a list that is empty before the first one. */
export function newestDecisionQuery(paymaster: PaymasterItem) {
  return queryOptions({
    queryKey: keyOf(paymaster, 'decisions', 'newest'),
    queryFn: () => routes.decision.list({ headers: headersOf(paymaster), query: { limit: '1' } }),
  });
}

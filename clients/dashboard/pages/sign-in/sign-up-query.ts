import { queryOptions } from '@tanstack/react-query';
import { dataOf } from '../../api/data-of.ts';
import { routes } from '../../api/routes.ts';

/** What the operator allows, read with a nonce that is not used. */
export const signUpQuery = queryOptions({
  queryKey: ['sign-up'],
  retry: false,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => (await dataOf(routes.session.createNonce())).signUp,
});

import { queryOptions } from '@tanstack/react-query';
import { dataOf } from '../../api/data-of.ts';
import { routes } from '../../api/routes.ts';

/** The operator's sign-up mode. */
export const signUpQuery = queryOptions({
  queryKey: ['sign-up'],
  retry: false,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => (await dataOf(routes.session.readSignUp())).signUp,
});

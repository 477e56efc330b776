import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { dataOf } from '../../api/data-of.ts';
import { routes } from '../../api/routes.ts';
import { changeSession } from '../../api/session.ts';

/** Goes on as a member of another account of the wallet; with the first time, the wallet joins it. */
export function useGoToAccount() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (accountId: string) => {
      // What is under way would be refused to the session that ends, as if no one was signed in any more.
      await client.cancelQueries();
      return dataOf(routes.session.switchAccount({ headers: {}, body: { accountId } }));
    },
    onSuccess: (next) => {
      changeSession(client, next);
      return navigate({ to: '/' });
    },
  });
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { routes } from '../../api/routes.ts';
import { changeSession } from '../../api/session.ts';

/** Switches to another account of the wallet; the first time, the wallet joins it. */
export function useGoToAccount() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (accountId: string) => {
      // Pending requests of the ending session would be refused, and the page would seem signed out.
      await client.cancelQueries();
      return routes.session.switchAccount({ headers: {}, body: { accountId } });
    },
    onSuccess: (next) => {
      changeSession(client, next);
      return navigate({ to: '/' });
    },
  });
}

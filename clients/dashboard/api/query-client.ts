import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { TollfreeApiError } from '@tollfree/sdk';
import { sessionKey } from './session.ts';

/** Caches answers. A 401 on any call means that the session has ended: the page asks to sign in again. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: endSession }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => {
      if (mutation.meta?.signsIn !== true) endSession(error);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < 2 && !(error instanceof TollfreeApiError && error.status < 500),
    },
  },
});

function endSession(error: Error): void {
  if (error instanceof TollfreeApiError && error.status === 401) queryClient.setQueryData(sessionKey, null);
}

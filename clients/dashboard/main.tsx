import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/fonts.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/controls.css';
import './styles/content.css';
import './styles/rules.css';
import './styles/chart.css';
import './styles/money.css';
import './styles/placeholder.css';
import './styles/statement.css';
import './styles/print.css';
import { TollfreeApiError } from '@tollfree/sdk';
import { paymastersQuery } from './api/of-account.ts';
import { sessionKey, sessionQuery } from './api/session.ts';
import { router } from './router.tsx';
import { applyTheme, readTheme } from './shell/theme.ts';

/**
 * Caches answers. A 401 on any call means that the session has ended: the page asks to sign in again. What a page shows is
 * read again after every change, before the change counts as done.
 */
const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: endSession }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => {
      if (mutation.meta?.signsIn !== true) endSession(error);
    },
    onSettled: (_data, _error, _variables, _result, { meta }) =>
      meta?.onlyReads || meta?.signsIn ? undefined : queryClient.invalidateQueries(),
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

applyTheme(readTheme());
// Every page needs both. The session comes first, since it takes the answer that index.html has asked for: left there, a later
// read would get it. If no one is signed in, both answers are a 401.
void queryClient.prefetchQuery(sessionQuery);
void queryClient.prefetchQuery(paymastersQuery);
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root.');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

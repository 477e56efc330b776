import type { UseQueryResult } from '@tanstack/react-query';

/** That what is shown follows the service by itself, or that it cannot just now. */
export function Live({ query }: { readonly query: Pick<UseQueryResult, 'isError' | 'isRefetchError'> }) {
  const isFailing = query.isError || query.isRefetchError;
  return <span className={isFailing ? 'live failing' : 'live'}>{isFailing ? 'Not up to date' : 'Live'}</span>;
}

import type { UseQueryResult } from '@tanstack/react-query';

/** Shows that the page updates by itself, or that it currently cannot. */
export function Live({ query }: { readonly query: Pick<UseQueryResult, 'isError' | 'isRefetchError'> }) {
  const isFailing = query.isError || query.isRefetchError;
  return <span className={isFailing ? 'live failing' : 'live'}>{isFailing ? 'Not up to date' : 'Live'}</span>;
}

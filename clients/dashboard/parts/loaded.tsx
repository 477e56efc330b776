import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Problem } from './problem.tsx';

type LoadedProps<Data> = {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  readonly children: (data: Data) => ReactNode;
};

/** What was read, or that it is being read, or why it could not be. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error === null) return <Loading />;
  return (
    <>
      <Problem error={query.error} />
      <Button onPress={() => void query.refetch()}>Try again</Button>
    </>
  );
}

/** That what is shown follows the service by itself, or that it cannot just now. */
export function Live({ query }: { readonly query: Pick<UseQueryResult, 'isError' | 'isRefetchError'> }) {
  const isFailing = query.isError || query.isRefetchError;
  return <span className={isFailing ? 'live failing' : 'live'}>{isFailing ? 'Not up to date' : 'Live'}</span>;
}

const lines = ['first', 'second', 'third', 'fourth', 'fifth'] as const;

/** While something is read: grey lines about where it will be. */
export function Loading() {
  return (
    <div role="status" className="skeleton">
      <p className="only-read">Loading …</p>
      {lines.map((line) => (
        <span key={line} aria-hidden="true" />
      ))}
    </div>
  );
}

/** Instead of a list that has nothing in it: what it is for and what to do. */
export function Empty({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      <div>{children}</div>
    </div>
  );
}

import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { useOfflineSince } from './offline.tsx';
import { Problem } from './problem.tsx';
import { clockText } from './text/moment-text.ts';

type LoadedProps<Data> = {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  /** What is shown while it loads, as high as the data: a `Placeholder`. */
  readonly placeholder?: ReactNode;
  readonly children: (data: Data) => ReactNode;
};

/** Renders a query's data, its loading state or its error. */
export function Loaded<Data>({ query, placeholder = <Loading />, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error === null) return placeholder;
  return (
    <>
      <Problem error={query.error} />
      <Button onPress={() => void query.refetch()}>Try again</Button>
    </>
  );
}

type LoadMoreProps = {
  readonly query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
  /** What the next page has. */
  readonly label: string;
};

/** Loads the next page of a list that has one. */
export function LoadMore({ query, label }: LoadMoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <div>
      <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
        {label}
      </Button>
    </div>
  );
}

/** Shows that the page updates by itself, or that it currently cannot. */
export function Live({
  query,
}: {
  readonly query: Pick<UseQueryResult, 'isError' | 'isRefetchError' | 'dataUpdatedAt'>;
}) {
  const isOffline = useOfflineSince() !== undefined;
  const isFailing = query.isError || query.isRefetchError;
  // Since when is said above every page.
  if (isOffline) return <span className="live failing">Offline</span>;
  if (!isFailing) return <span className="live">Live</span>;
  const { dataUpdatedAt } = query;
  return (
    <span className="live failing">
      {dataUpdatedAt === 0 ? 'Not up to date' : `Not up to date since ${clockText(dataUpdatedAt)}`}
    </span>
  );
}

const lines = ['first', 'second', 'third', 'fourth', 'fifth'] as const;

/** A loading placeholder: grey lines at the position of the content. */
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

/** As high as what is loading, at any width: the part itself with sample data, whose text is invisible. */
export function Placeholder({ children }: { readonly children: ReactNode }) {
  return (
    <div role="status" className="stack">
      <p className="only-read">Loading …</p>
      <div className="placeholder" aria-hidden="true" inert>
        {children}
      </div>
    </div>
  );
}

/** Fills the window until it is known who is signed in. */
export function Splash() {
  return (
    <div role="status" className="splash">
      <img src="/dashboard/icon.svg" alt="" />
      Loading …
    </div>
  );
}

/** Replaces an empty list: its purpose and what to do. */
export function Empty({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      <div>{children}</div>
    </div>
  );
}

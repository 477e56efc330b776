import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Loading } from './loading.tsx';
import { Problem } from './problem.tsx';

type LoadedProps<Data> = {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  readonly children: (data: Data) => ReactNode;
};

/** Renders a query's data, its loading state or its error. */
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

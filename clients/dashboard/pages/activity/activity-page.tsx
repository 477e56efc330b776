import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { decisionsQuery } from '../../api/of-paymaster.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { ActivityFilters } from './activity-filters.tsx';
import type { DecisionFilters } from './decision-filters.ts';
import { DecisionTable } from './decision-table.tsx';

/** What the paymaster was asked and what it answered, newest first. */
export function ActivityPage() {
  const [filters, setFilters] = useState<DecisionFilters>({});
  const query = useInfiniteQuery(decisionsQuery(usePaymaster(), filters));
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page
      title="Activity"
      lead="Every answer of this paymaster, with its reasons."
      actions={
        <Button isPending={query.isFetching} onPress={() => void query.refetch()}>
          Refresh
        </Button>
      }
    >
      <ActivityFilters filters={filters} onChange={setFilters} />
      <Card title="Answers">
        <Loaded query={query}>
          {({ pages }) => {
            const decisions = pages.flatMap((page) => page.decisions);
            if (decisions.length > 0) return <DecisionTable decisions={decisions} />;
            return isFiltered ? (
              <Empty title="No answer matches these filters.">Change the filters or load older answers.</Empty>
            ) : (
              <Empty title="No requests yet.">
                Put the RPC URL of the page Connect into your application. Its requests appear here.
              </Empty>
            );
          }}
        </Loaded>
        {query.hasNextPage ? (
          <div>
            <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
              Load older
            </Button>
          </div>
        ) : null}
      </Card>
    </Page>
  );
}

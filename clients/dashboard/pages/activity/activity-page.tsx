import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { live } from '../../api/live.ts';
import { operationsQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { Empty, Live, Loaded, LoadOlder } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { ActivityFilters } from './activity-filters.tsx';
import { type ActivitySearch, queryOf } from './activity-search.ts';
import { foldOperations } from './fold-operations.ts';
import { OperationTable } from './operation-table.tsx';

/** A reader of older pages is not interrupted by updates. */
const mostLivePages = 2;

const route = '/paymasters/$paymasterId/activity/';

/** The operations of the paymaster, newest first. */
export function ActivityPage() {
  const search: ActivitySearch = useSearch({ from: route });
  const navigate = useNavigate({ from: route });
  const { status } = search;
  const paymaster = usePaymaster();
  const pace = live();
  const query = useInfiniteQuery({
    ...operationsQuery(paymaster, queryOf(search), search),
    refetchInterval: (each) => ((each.state.data?.pages.length ?? 0) > mostLivePages ? false : pace(each)),
  });
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <Page
      title="Activity"
      lead="One row for each operation, with all requests for it."
      actions={<Live query={query} />}
    >
      <ActivityFilters search={search} onChange={(next) => void navigate({ search: next })} />
      <Card title="Operations">
        <Loaded query={query}>
          {({ pages }) => {
            const operations = foldOperations(pages.flatMap((page) => page.decisions)).filter(
              (operation) => status === undefined || operation.status === status,
            );
            if (operations.length > 0) return <OperationTable operations={operations} />;
            return isFiltered ? (
              <Empty title="No operation matches these filters.">Change the filters or load older ones.</Empty>
            ) : (
              <Empty title="No requests yet.">
                Put the RPC URL into your application, or try one in the{' '}
                <Link to="/paymasters/$paymasterId/playground" params={{ paymasterId: paymaster.paymasterId }}>
                  playground
                </Link>
                . Its operations appear here by themselves.
              </Empty>
            );
          }}
        </Loaded>
        <LoadOlder query={query} />
      </Card>
    </Page>
  );
}

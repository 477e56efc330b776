import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { TollfreeApiError } from '@tollfree/sdk';
import { useEffect, useState } from 'react';
import { useCallNames } from '../../abi/use-call-names.ts';
import { live } from '../../api/live.ts';
import {
  type DecisionList,
  foundDecisionsQuery,
  mostNew,
  newerDecisionsQuery,
  newestOf,
  operationsQuery,
} from '../../api/operations.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty, Live, Loaded, LoadMore } from '../../parts/loaded.tsx';
import { NewPill } from '../../parts/new-pill.tsx';
import { Page } from '../../parts/page.tsx';
import { locale } from '../../parts/text/moment-text.ts';
import { ActivityFilters } from './activity-filters.tsx';
import { type ActivitySearch, queryOf } from './activity-search.ts';
import { addNewer, foldOperations, type Operation } from './fold-operations.ts';
import { OperationPlaceholder, OperationTable } from './operation-table.tsx';
import { hasText, isExact } from './sought-text.ts';

/** A reader of older pages is not interrupted by updates. */
const mostLivePages = 2;

const route = '/paymasters/$paymasterId/activity/';

type Change = (search: ActivitySearch) => void;

/** The operations of the paymaster, newest first. */
export function ActivityPage() {
  const search: ActivitySearch = useSearch({ from: route });
  const navigate = useNavigate({ from: route });
  const text = search.text?.trim() ?? '';
  // Typing leaves one step to go back, not one for each letter.
  const change: Change = (next) =>
    void navigate({ search: next, replace: search.text !== undefined && next.text !== undefined });
  return isExact(text) ? (
    <FoundPage search={search} text={text} onChange={change} />
  ) : (
    <ListPage search={search} text={text} onChange={change} />
  );
}

type ActivityProps = { readonly search: ActivitySearch; readonly text: string; readonly onChange: Change };

const head = { title: 'Activity', lead: 'One row for each operation, with all requests for it.' } as const;

function FoundPage({ search, text, onChange }: ActivityProps) {
  const query = useQuery({ ...foundDecisionsQuery(usePaymaster(), text), refetchInterval: live() });
  // What does not exist is an answer; everything else is a fault.
  const isNone = query.error instanceof TollfreeApiError && query.error.status < 500;
  return (
    <Page {...head} actions={<Live query={query} />}>
      <ActivityFilters search={search} onChange={onChange} />
      <Card title="Operations">
        {isNone ? (
          <Empty title="No operation has this hash or id.">
            The service keeps hashes of what it signed, and of the transactions that it landed in.
          </Empty>
        ) : (
          <Loaded query={query} placeholder={<OperationPlaceholder />}>
            {(decisions) => <OperationTable operations={foldOperations(decisions)} />}
          </Loaded>
        )}
      </Card>
    </Page>
  );
}

/** Decisions of a page, for reading and for searching. */
const pageSizes = { reading: mostNew, searching: 200 } as const;

function ListPage({ search, text, onChange }: ActivityProps) {
  const { status } = search;
  const paymaster = usePaymaster();
  const nameOf = useCallNames();
  // Whoever comes back sees what happened meanwhile.
  const [begunAt, setBegunAt] = useState(Date.now);
  const { range, from, until } = search;
  const size = text === '' ? pageSizes.reading : pageSizes.searching;
  const list: DecisionList = { filters: queryOf(search), time: { range, from, until }, size, begunAt };
  const pace = live();
  const query = useInfiniteQuery({
    ...operationsQuery(paymaster, list),
    refetchInterval: (each) => ((each.state.data?.pages.length ?? 0) > mostLivePages ? false : pace(each)),
  });
  const newest = newestOf(query.data);
  const newer = useQuery({
    ...newerDecisionsQuery(paymaster, list, newest),
    // More than that are not counted.
    refetchInterval: (each) => {
      const { decisions = [] } = each.state.data ?? {};
      const areAllNew = decisions.every(({ decidedAt }) => decidedAt > (newest?.decidedAt ?? 0));
      return decisions.length >= mostNew && areAllNew ? false : pace(each);
    },
  });
  const isShown = (operation: Operation) =>
    (status === undefined || operation.status === status) && (text === '' || hasText(operation, text, nameOf));
  const decisions = (query.data?.pages ?? []).flatMap((page) => page.decisions);
  const { shown, unseen } = addNewer(foldOperations(decisions).filter(isShown), newer.data?.decisions ?? []);
  const count = unseen.filter(isShown).length;
  useSeekMore(query, text === '' ? undefined : shown.length);
  return (
    <Page {...head} actions={<Live query={query} />}>
      <ActivityFilters search={search} onChange={onChange} />
      <Card
        title="Operations"
        actions={
          <NewPill
            text={count < mostNew ? `${count} new` : `${mostNew}+ new`}
            isShown={count > 0}
            onPress={() => setBegunAt(Date.now())}
          />
        }
      >
        <Loaded query={query} placeholder={<OperationPlaceholder />}>
          {() =>
            shown.length > 0 ? (
              <OperationTable operations={shown} />
            ) : (
              <NoOperations search={search} onChange={onChange} />
            )
          }
        </Loaded>
        {text === '' || query.isPending ? null : (
          <p className="small muted" role="status">
            Searched the last {decisions.length.toLocaleString(locale)} requests{query.isFetching ? ' …' : '.'}
          </p>
        )}
        <LoadMore query={query} label="Load older" />
      </Card>
    </Page>
  );
}

/** What stops a search in older operations: so many are found, or so many pages were read. */
const enough = { found: 20, pages: 10 } as const;

type Pages = Pick<
  ReturnType<typeof useInfiniteQuery>,
  'hasNextPage' | 'isFetching' | 'isError' | 'fetchNextPage' | 'data'
>;

/** Reads older pages while a search has found little. */
function useSeekMore(
  { data, hasNextPage, isFetching, isError, fetchNextPage }: Pages & { readonly data: unknown },
  found: number | undefined,
): void {
  const pages = (data as { readonly pages?: readonly unknown[] } | undefined)?.pages?.length ?? 0;
  const isShort = found !== undefined && found < enough.found && pages < enough.pages;
  const goesOn = isShort && hasNextPage && !isFetching && !isError;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
}

function NoOperations({ search, onChange }: { readonly search: ActivitySearch; readonly onChange: Change }) {
  const { paymasterId } = usePaymaster();
  const { sender, text } = search;
  if (sender !== undefined && text === undefined) {
    return (
      <Empty title="No operation of this sender matches.">
        <Button onPress={() => onChange({ ...search, sender: undefined, text: sender })}>
          Search for calls to this address
        </Button>
      </Empty>
    );
  }
  if (Object.values(search).some((value) => value !== undefined)) {
    return <Empty title="No operation matches these filters.">Change the filters or load older ones.</Empty>;
  }
  return (
    <Empty title="No requests yet.">
      Put the RPC URL into your application, or try one in the{' '}
      <Link to="/paymasters/$paymasterId/playground" params={{ paymasterId }}>
        playground
      </Link>
      . Its operations appear here by themselves.
    </Empty>
  );
}

import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  replaceEqualDeep,
} from '@tanstack/react-query';
import type { DecisionItem, DecisionPage, ListDecisionsQuery } from '@tollfree/contract/decision-fields';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { boundsOf, type TimeRange } from '../time/time-range.ts';
import { headersOf, keyOf } from './of-paymaster.ts';
import { routes } from './routes.ts';

type Filters = Omit<ListDecisionsQuery, 'cursor' | 'from' | 'until' | 'limit'>;

/** Which decisions a list has. */
export type DecisionList = {
  readonly filters: Filters;
  readonly time: TimeRange;
  /** Decisions of a page. */
  readonly size: number;
  /** When it began, in milliseconds: another time is another list, with the newest decisions. */
  readonly begunAt: number;
};

type Pages = InfiniteData<DecisionPage, unknown>;

/** A list that has rows keeps them and their order: a later read brings them up to date, and only adds further pages. */
export function keepRows(shown: Pages | undefined, read: Pages): Pages {
  if (shown === undefined || newestOf(shown) === undefined) return replaceEqualDeep(shown, read);
  const latest = new Map(read.pages.flatMap((page) => page.decisions.map((each) => [each.decisionId, each])));
  const known = shown.pages.length;
  const pages = shown.pages.map((page) => ({
    ...page,
    decisions: page.decisions.map((each) => latest.get(each.decisionId) ?? each),
  }));
  return replaceEqualDeep(shown, {
    pages: [...pages, ...read.pages.slice(known)],
    pageParams: [...shown.pageParams, ...read.pageParams.slice(known)],
  });
}

/** The newest decision of a list. */
export function newestOf(list: Pages | undefined): DecisionItem | undefined {
  return list?.pages.find(({ decisions }) => decisions.length > 0)?.decisions[0];
}

/** Decisions, in pages large enough to contain all requests of most operations. Those that come later are not added. */
export function operationsQuery(paymaster: PaymasterItem, list: DecisionList) {
  const { filters, time, size } = list;
  const queryKey = keyOf(paymaster, 'decisions', 'operations', list);
  return infiniteQueryOptions({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, client }) => {
      const bounds = boundsOf(time);
      const newest = newestOf(client.getQueryData<Pages>(queryKey))?.decidedAt;
      const last = Math.min(Number(bounds.until ?? Number.POSITIVE_INFINITY), (newest ?? Number.POSITIVE_INFINITY) + 1);
      return routes.decision.list({
        headers: headersOf(paymaster),
        query: {
          limit: String(size),
          ...filters,
          ...bounds,
          ...(Number.isFinite(last) ? { until: String(last) } : {}),
          cursor,
        },
      });
    },
    getNextPageParam: ({ nextCursor }: DecisionPage) => nextCursor,
    structuralSharing: (shown, read) => keepRows(shown as Pages | undefined, read as Pages), // the type of all queries
    placeholderData: keepPreviousData,
  });
}

/** Most new decisions that are counted. */
export const mostNew = 50;

/** A decision may be written so many seconds later than another of its time. */
const lateSeconds = 5;

/** Decisions that came after the newest one of a list, and some before. */
export function newerDecisionsQuery(
  paymaster: PaymasterItem,
  { filters, time }: DecisionList,
  newest: DecisionItem | undefined,
) {
  const from = String((newest?.decidedAt ?? 0) - lateSeconds);
  return queryOptions({
    queryKey: keyOf(paymaster, 'decisions', 'newer', filters, time, newest?.decisionId),
    enabled: newest !== undefined,
    queryFn: () =>
      routes.decision.list({
        headers: headersOf(paymaster),
        query: { limit: String(mostNew), ...filters, ...boundsOf(time), from },
      }),
  });
}

/** The last decisions of a sender. */
export function senderDecisionsQuery(paymaster: PaymasterItem, sender: string) {
  return queryOptions({
    queryKey: keyOf(paymaster, 'decisions', 'sender', sender),
    queryFn: () => routes.decision.list({ headers: headersOf(paymaster), query: { sender, limit: '50' } }),
  });
}

/** The decisions with an id, those of the operation with a hash, or those that landed in the transaction with it. */
export function foundDecisionsQuery(paymaster: PaymasterItem, text: string) {
  const headers = headersOf(paymaster);
  const readOne = (decisionId: string) => routes.decision.read({ headers, params: { decisionId } });
  return queryOptions({
    queryKey: keyOf(paymaster, 'decisions', 'found', text),
    queryFn: async (): Promise<readonly DecisionItem[]> => {
      if (!text.startsWith('0x')) return [await readOne(text.toLowerCase())];
      const { decisions } = await routes.decision.list({ headers, query: { txHash: text } });
      if (decisions.length > 0) return decisions;
      const { decisionIds } = await routes.userOperation.read({ headers, params: { userOperationHash: text } });
      return Promise.all(decisionIds.map(readOne));
    },
  });
}

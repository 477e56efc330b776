import type { ListDecisionsQuery } from '@tollfree/contract/decision-fields';
import { type OperationStatus, operationStatuses } from '@tollfree/contract/operation-status';
import { eventPresets, readTimeRange, type TimeRange } from '../../time/time-range.ts';

/** The filters, as stored in the page's URL. */
export type ActivitySearch = TimeRange & {
  readonly status?: OperationStatus | undefined;
  readonly reason?: string | undefined;
  readonly sender?: string | undefined;
  readonly mode?: 'SPONSORED' | 'ERC20' | undefined;
  /** What the operations have in their calls, hashes or refusals, as typed. */
  readonly text?: string | undefined;
};

/** Longest text that is searched. */
export const maxSoughtLength = 100;

/** Parses the filters; unknown values are dropped. */
export function readActivitySearch(search: Readonly<Record<string, unknown>>): ActivitySearch {
  const { reason, sender, mode, text } = search;
  const status = operationStatuses.find((each) => each === search.status);
  return {
    ...(status === undefined ? {} : { status }),
    ...readTimeRange(search, eventPresets),
    ...(typeof reason === 'string' && /^[A-Z_\d]{1,64}$/.test(reason) ? { reason } : {}),
    ...(typeof sender === 'string' && isAddress(sender) ? { sender } : {}),
    ...(mode === 'SPONSORED' || mode === 'ERC20' ? { mode } : {}),
    ...(typeof text === 'string' && text !== '' ? { text: text.slice(0, maxSoughtLength) } : {}),
  };
}

export function isAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text);
}

/**
 * The filters that the service supports. Quotes are filtered on the page, since most of them belong to operations that got
 * further.
 */
export function queryOf({
  status,
  reason,
  sender,
  mode,
}: ActivitySearch): Omit<ListDecisionsQuery, 'cursor' | 'from' | 'until' | 'limit'> {
  return {
    ...(reason === undefined ? {} : { outcome: 'refused', reason }),
    ...(status === undefined || status === 'quoted' || reason !== undefined ? {} : { status }),
    ...(sender === undefined ? {} : { sender }),
    ...(mode === undefined ? {} : { mode }),
  };
}

import type { ReadUsageQuery } from '@tollfree/contract/usage';
import { type Preset, readTimeRange, type TimeRange } from '../../time/time-range.ts';

export const dimensionLabels = {
  method: 'Method',
  sender: 'Sender',
  contract: 'Contract',
  day: 'Day',
  token: 'Token',
  attribution: 'Code',
  apiKey: 'API key',
  via: 'Way',
  outcome: 'Answer',
} as const satisfies Readonly<Partial<Record<ReadUsageQuery['by'], string>>>;
/** Hours are only charted, since they are too many for a table. */
type Dimension = keyof typeof dimensionLabels;
export const dimensions = Object.keys(dimensionLabels) as readonly Dimension[];

export const presets = ['24h', '7d', '30d', '90d'] as const satisfies readonly Preset[];

/** The view, as stored in the page's URL. */
export type UsageSearch = TimeRange & { readonly by?: Dimension };

/** Parses it; invalid values are dropped. */
export function readUsageSearch(search: Readonly<Record<string, unknown>>): UsageSearch {
  const by = dimensions.find((each) => each === search.by);
  return { ...readTimeRange(search, presets), ...(by === undefined ? {} : { by }) };
}

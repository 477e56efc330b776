import type { ReadUsageQuery } from '@tollfree/contract/usage';
import { type Days, isDay, lastDays } from '../../parts/text/days.ts';

export const dimensionLabels = {
  day: 'Day',
  sender: 'Sender',
  contract: 'Contract',
  method: 'Method',
  token: 'Token',
  attribution: 'Attribution code',
  via: 'Way',
  outcome: 'Answer',
} as const satisfies Readonly<Partial<Record<ReadUsageQuery['by'], string>>>;
/** Hours are only charted, since they are too many for a table. */
type Dimension = keyof typeof dimensionLabels;
export const dimensions = Object.keys(dimensionLabels) as readonly Dimension[];

export const presets = [
  { value: '24h', text: '24 h' },
  { value: '7d', text: '7 d' },
  { value: '30d', text: '30 d' },
  { value: '90d', text: '90 d' },
] as const;
type Preset = (typeof presets)[number]['value'];

/** The view, as stored in the page's URL. */
export type UsageSearch = {
  readonly by?: Dimension;
  readonly range?: Preset | 'custom';
  readonly from?: string;
  readonly until?: string;
};

/** Parses it; invalid values are dropped. */
export function readUsageSearch({ by, range, from, until }: Readonly<Record<string, unknown>>): UsageSearch {
  const dimension = dimensions.find((each) => each === by);
  const preset = presets.find(({ value }) => value === range)?.value ?? (range === 'custom' ? range : undefined);
  return {
    ...(dimension === undefined ? {} : { by: dimension }),
    ...(preset === undefined ? {} : { range: preset }),
    ...(isDay(from) ? { from } : {}),
    ...(isDay(until) ? { until } : {}),
  };
}

export function daysOf({ range = '30d', from, until }: UsageSearch): Days {
  const usual = lastDays({ '24h': 2, '7d': 7, '30d': 30, '90d': 90, custom: 30 }[range]);
  return range === 'custom' ? { from: from ?? usual.from, until: until ?? usual.until } : usual;
}

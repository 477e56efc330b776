/** Days, both included, `YYYY-MM-DD`. */
export type Days = { readonly from: string; readonly until: string };

/** Whose days: sums are kept by UTC days, and single events are looked up by those of the reader. */
export type Calendar = 'UTC' | 'local';

/** The last days up to today. */
export function lastDays(count: number, calendar: Calendar): Days {
  const day = (back: number) => {
    const date = new Date();
    if (calendar === 'UTC') return new Date(date.getTime() - back * 86_400_000).toISOString().slice(0, 10);
    date.setDate(date.getDate() - back);
    const two = (part: number) => String(part).padStart(2, '0');
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  };
  return { from: day(count - 1), until: day(0) };
}

/** Whether a text is a day, `YYYY-MM-DD`. */
export function isDay(text: unknown): text is string {
  return typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Seconds back from now. */
const secondsBack = { '1h': 3_600, '24h': 86_400, '7d': 7 * 86_400, '30d': 30 * 86_400, '90d': 90 * 86_400 } as const;
export type Preset = keyof typeof secondsBack;

/** A time range, as stored in a page's URL. Without `range`, a page shows what it shows by default. */
export type TimeRange = {
  readonly range?: Preset | 'custom' | undefined;
  /** Days of a custom range, both included, `YYYY-MM-DD`. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
};

/** The ranges that a page of single events offers. */
export const eventPresets = ['1h', '24h', '7d', '30d'] as const satisfies readonly Preset[];

/** Parses a range; what the page does not offer is dropped. */
export function readTimeRange(
  { range, from, until }: Readonly<Record<string, unknown>>,
  presets: readonly Preset[],
): TimeRange {
  if (range === 'custom') return { range, ...(isDay(from) ? { from } : {}), ...(isDay(until) ? { until } : {}) };
  const preset = presets.find((each) => each === range);
  return preset === undefined ? {} : { range: preset };
}

/** The days of a range; of a custom one without days, the last 30. */
export function daysOf({ range = '30d', from, until }: TimeRange, calendar: Calendar): Days {
  if (range !== 'custom') return lastDays(range === '24h' ? 2 : Math.ceil(secondsBack[range] / 86_400), calendar);
  const usual = lastDays(30, calendar);
  return { from: from ?? usual.from, until: until ?? usual.until };
}

/** The bounds of a range in Unix seconds, for a query. Days are those of the reader's calendar. */
export function boundsOf(time: TimeRange): { readonly from?: string | undefined; readonly until?: string | undefined } {
  if (time.range === undefined) return {};
  if (time.range !== 'custom') return { from: String(Math.floor(Date.now() / 1_000) - secondsBack[time.range]) };
  const { from, until } = daysOf(time, 'local');
  return { from: startOfDay(from), until: startOfDay(until, 1) };
}

/** Start of a day in the reader's calendar, or some days later, in Unix seconds; undefined for an invalid day. */
function startOfDay(day: string, later = 0): string | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  return String(new Date(year, month - 1, date + later).getTime() / 1_000);
}

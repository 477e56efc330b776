/** UTC days, both included, `YYYY-MM-DD`. */
export type Days = { readonly from: string; readonly until: string };

/** The last days up to today. */
export function lastDays(count: number): Days {
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  return { from: day(count - 1), until: day(0) };
}

/** Whether a text is a day, `YYYY-MM-DD`. */
export function isDay(text: unknown): text is string {
  return typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

const form = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** A UTC day, `YYYY-MM-DD`, as a chart label. */
export function dayText(day: string): string {
  return form.format(new Date(`${day}T00:00:00Z`));
}

const most = 3_650;

/** How long a tank lasts; capped at ten years. */
export function daysLeftText(days: number): string {
  if (days > most) return 'over 10 years';
  return days === 1 ? '1 day' : `${days} days`;
}

/** Start of a day in the reader's calendar, or some days later, in Unix seconds; undefined for an invalid day. */
export function startOfDay(day: string, later = 0): string | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  return String(new Date(year, month - 1, date + later).getTime() / 1_000);
}

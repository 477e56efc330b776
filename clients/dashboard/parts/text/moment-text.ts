/** Of all dates and numbers, as the texts around them are in English. Hours count to 23 everywhere. */
export const locale = 'en';

const short = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
const full = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short', hourCycle: 'h23' });

/** A time in Unix seconds, in the reader's time zone: `Nov 28, 2026, 14:02`. */
export function momentText(at: number): string {
  return short.format(at * 1_000);
}

/** A time in Unix seconds with its second, in the reader's time zone: `Nov 28, 2026, 14:02:09`. */
export function exactMomentText(at: number): string {
  return full.format(at * 1_000);
}

/** A time of day in milliseconds, in the reader's time zone: `14:02`. */
export function clockText(ms: number): string {
  return clock.format(ms);
}

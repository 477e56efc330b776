import { counted } from './counted.ts';
import { locale } from './moment-text.ts';

const form = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** A UTC day, `YYYY-MM-DD`, as a chart label. */
export function dayText(day: string): string {
  return form.format(new Date(`${day}T00:00:00Z`));
}

const withYear = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

/** A day with its year: `Nov 28, 2026`. */
export function fullDayText(day: string): string {
  return withYear.format(new Date(`${day}T00:00:00Z`));
}

const most = 3_650;
/** Later days are too uncertain to be named. */
const maxDatedDays = 366;

/** How long a tank lasts; capped at ten years. */
export function daysLeftText(days: number): string {
  if (days > most) return 'over 10 years';
  return counted(days, 'day');
}

/** How long a tank lasts, and until which day. `now` is in milliseconds. */
export function lastsShortText(days: number | undefined, now: number): string {
  if (days === undefined) return 'Nothing was spent in 7 days';
  if (days === 0) return 'Lasts less than a day';
  if (days > maxDatedDays) return `Lasts ${daysLeftText(days)}`;
  return `Lasts ${daysLeftText(days)}, until ${dayText(new Date(now + days * 86_400_000).toISOString().slice(0, 10))}`;
}

/** How long a tank lasts, with the reason. `now` is in milliseconds. */
export function lastsText(days: number | undefined, now: number): string {
  return `${lastsShortText(days, now)}${days === undefined ? '' : ' at the pace of the last 7 days'}.`;
}

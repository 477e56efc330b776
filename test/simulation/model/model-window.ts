import type { LimitWindow } from '../../../core/domain/policy.ts';

const known = new Map<LimitWindow, Map<number, string>>();

/** Names the UTC window that a moment lies in, by the calendar: two moments share a window when the names are equal. */
export function modelWindow(window: LimitWindow, moment: number): string {
  const names = known.get(window) ?? new Map<number, string>();
  known.set(window, names);
  const name = names.get(moment) ?? nameWindow(window, new Date(moment * 1_000));
  names.set(moment, name);
  return name;
}

function nameWindow(window: LimitWindow, date: Date): string {
  switch (window) {
    case 'hour':
      return date.toISOString().slice(0, 13);
    case 'day':
      return date.toISOString().slice(0, 10);
    case 'week':
      return mondayOf(date);
    case 'month':
      return date.toISOString().slice(0, 7);
    case 'ever':
      return 'ever';
  }
}

function mondayOf(date: Date): string {
  const day = new Date(date);
  while (day.getUTCDay() !== 1) day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 10);
}

import type { LimitWindow } from '../domain/policy.ts';

const hourSeconds = 3_600;
const daySeconds = 86_400;
const weekSeconds = 7 * daySeconds;
/** 1 January 1970 was a Thursday; three days before it a week began. */
const mondayOffset = 3 * daySeconds;

/** Start of the window that contains the moment, in Unix seconds, by the UTC calendar; 0 for `ever`. */
export function windowStart(window: LimitWindow, moment: number): number {
  switch (window) {
    case 'hour':
      return moment - (moment % hourSeconds);
    case 'day':
      return moment - (moment % daySeconds);
    case 'week':
      return Math.max(0, moment - ((moment + mondayOffset) % weekSeconds));
    case 'month': {
      const date = new Date(moment * 1000);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1000;
    }
    case 'ever':
      return 0;
  }
}

/** Start of the next window, in Unix seconds; undefined for `ever`. `start` is the result of `windowStart`. */
export function windowEnd(window: LimitWindow, start: number): number | undefined {
  switch (window) {
    case 'hour':
      return start + hourSeconds;
    case 'day':
      return start + daySeconds;
    case 'week':
      // The week of the epoch began before it.
      return start === 0 ? weekSeconds - mondayOffset : start + weekSeconds;
    case 'month': {
      const date = new Date(start * 1000);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000;
    }
    case 'ever':
      return undefined;
  }
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LimitWindow, PolicyPause, Weekday } from '../../core/domain/policy.ts';
import { windowEnd, windowStart } from '../../core/policies/limit-window.ts';
import { findPause } from '../../core/policies/rules/rule-on-time.ts';
import { countOutcomes } from '../support/arbitrary/count-outcomes.ts';

const weekMinutes = 7 * 24 * 60;
const moment = fc.integer({ min: 0, max: 4_102_444_800 });
const bounded = fc.constantFrom<LimitWindow>('hour', 'day', 'week', 'month');
const minute = fc.integer({ min: 0, max: 1_439 });
const pause: fc.Arbitrary<PolicyPause> = fc.record({
  days: fc.uniqueArray(fc.constantFrom<Weekday>(1, 2, 3, 4, 5, 6, 7), { minLength: 1 }),
  from: minute,
  until: minute,
});
const pauses = fc.array(pause, { maxLength: 6 });

/** Which minutes of the week, from Monday on, are paused: marked one by one. */
function pausedMinutes(schedule: readonly PolicyPause[]): boolean[] {
  const marked = Array.from({ length: weekMinutes }, () => false);
  for (const { days, from, until } of schedule) {
    const length = until > from ? until - from : until - from + 1_440;
    for (const day of days) {
      for (let index = 0; index < length; index += 1) marked[((day - 1) * 1_440 + from + index) % weekMinutes] = true;
    }
  }
  return marked;
}

function minuteOfWeek(seconds: number): number {
  const date = new Date(seconds * 1_000);
  return ((date.getUTCDay() + 6) % 7) * 1_440 + date.getUTCHours() * 60 + date.getUTCMinutes();
}

describe('the pause schedule', () => {
  test('pauses exactly the minutes that its pauses cover, in every week', () => {
    fc.assert(
      fc.property(pauses, moment, (schedule, now) => {
        expect(findPause(schedule, now).paused).toBe(pausedMinutes(schedule)[minuteOfWeek(now)]);
      }),
    );
  });

  test('ends in the first minute that no pause covers', () => {
    const outcomes = countOutcomes('not paused', 'never ends', 'ends');
    fc.assert(
      fc.property(pauses, moment, (schedule, now) => {
        const state = findPause(schedule, now);
        if (!state.paused) return outcomes.note('not paused');
        const marked = pausedMinutes(schedule);
        if (state.ends === 'never') {
          expect(marked).not.toContain(false);
          return outcomes.note('never ends');
        }
        let open = minuteOfWeek(now);
        let minutes = 0;
        for (; marked[open]; open = (open + 1) % weekMinutes) minutes += 1;
        expect(state.ends).toBe(now - (now % 60) + minutes * 60);
        outcomes.note('ends');
      }),
    );
    outcomes.expectAllSeen();
  });
});

describe('limit windows', () => {
  test('every moment lies in its window', () => {
    fc.assert(
      fc.property(bounded, moment, (window, now) => {
        const start = windowStart(window, now);
        expect(start).toBeLessThanOrEqual(now);
        expect(windowEnd(window, start)).toBeGreaterThan(now);
      }),
    );
  });

  test('windows follow each other without gap or overlap', () => {
    fc.assert(
      fc.property(bounded, moment, (window, now) => {
        const start = windowStart(window, now);
        const end = windowEnd(window, start) ?? 0;
        expect(windowStart(window, end)).toBe(end);
        expect(windowStart(window, end - 1)).toBe(start);
      }),
    );
  });

  test('begin where the UTC calendar does: weeks on Monday, months on the first', () => {
    fc.assert(
      fc.property(moment, (now) => {
        // The week of the epoch is cut short.
        const week = new Date(windowStart('week', now) * 1_000);
        if (week.getTime() > 0) expect([week.getUTCDay(), week.getUTCHours(), week.getUTCMinutes()]).toEqual([1, 0, 0]);
        const month = new Date(windowStart('month', now) * 1_000);
        expect(month.toISOString()).toBe(`${new Date(now * 1_000).toISOString().slice(0, 7)}-01T00:00:00.000Z`);
      }),
    );
  });

  test('ever has one window without an end', () => {
    fc.assert(
      fc.property(moment, (now) => {
        expect(windowStart('ever', now)).toBe(0);
      }),
    );
    expect(windowEnd('ever', 0)).toBeUndefined();
  });
});

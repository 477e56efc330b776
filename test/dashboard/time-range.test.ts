import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { boundsOf, daysOf } from '../../clients/dashboard/time/time-range.ts';

const zones = ['Pacific/Auckland', 'America/Los_Angeles', 'UTC', 'Asia/Kolkata'];
const zone = process.env.TZ;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const hours = Array.from({ length: 24 }, (_, hour) => hour);

test.each(zones)('in %s the last days up to today contain now, at every hour', (timeZone) => {
  process.env.TZ = timeZone;
  for (const hour of hours) {
    const now = Date.UTC(2026, 5, 15, hour, 30);
    vi.setSystemTime(now);
    const days = daysOf({ range: 'custom' }, 'local');
    const { from, until } = boundsOf({ range: 'custom', ...days });
    expect(Number(from)).toBeLessThan(now / 1_000);
    expect(Number(until)).toBeGreaterThan(now / 1_000);
    expect((Number(until) - Number(from)) / 86_400).toBe(30);
  }
});

test.each(zones)('in %s sums are asked for by UTC days', (timeZone) => {
  process.env.TZ = timeZone;
  for (const hour of hours) {
    vi.setSystemTime(Date.UTC(2026, 5, 15, hour, 30));
    expect(daysOf({ range: '7d' }, 'UTC')).toEqual({ from: '2026-06-09', until: '2026-06-15' });
  }
});

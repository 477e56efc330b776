import type { Clock } from '../core/base/time/clock.ts';

/** The time of this machine. */
export const systemClock: Clock = { now: () => Date.now() };

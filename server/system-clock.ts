import type { Clock } from '../core/domain/time/clock.ts';

/** The time of this machine. */
export const systemClock: Clock = { now: () => Date.now() };

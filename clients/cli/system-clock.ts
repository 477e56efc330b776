import type { Clock } from '../../core/domain/clock.ts';

/** The time of this machine. */
export const systemClock: Clock = { now: () => Date.now() };

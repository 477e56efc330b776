import type { TurnLimits } from '../sponsorship/run/simulation-turns.ts';

/**
 * Concurrent requests to a bundler, and how many may wait. Far fewer wait than for a simulation: each occupies a slot of the
 * gateway while a slow bundler works, and paymaster requests need those slots too.
 */
export const bundlerTurns: TurnLimits = {
  atOnceOfClient: 16,
  atOnceOfAccount: 64,
  waitingOfClient: 64,
  waitingOfAccount: 128,
  maxWaitMs: 5_000,
};

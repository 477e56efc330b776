import type { TurnLimits } from '../sponsorship/run/simulation-turns.ts';

/**
 * Requests for a bundler at once, and those that wait. Much fewer wait than for a simulation: each takes a place of the gateway
 * for as long as a slow bundler takes, and paymaster requests need those places too.
 */
export const bundlerTurns: TurnLimits = {
  atOnceOfClient: 16,
  atOnceOfAccount: 64,
  waitingOfClient: 64,
  waitingOfAccount: 128,
  maxWaitMs: 5_000,
};

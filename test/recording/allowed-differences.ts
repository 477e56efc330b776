import type { AllowedDifference } from './compare.ts';

/**
 * What a change of the service is meant to change, while it is under way. `where` matches the action and the path of a difference as
 * the replay prints them: `ask sponsorUserOperation decision.trace.3.message`. Empty this list when a new recording is made.
 */
export const allowedDifferences: readonly AllowedDifference[] = [
  { where: /statement\S*\.tanks\.\d+\.atBlock$/, reason: 'A statement says which block its ledger has come to.' },
];

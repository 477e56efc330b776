import type { AllowedDifference } from './compare.ts';

/**
 * What a change of the service is meant to change, while it is under way. `where` matches the action and the path of a difference as
 * the replay prints them: `ask sponsorUserOperation decision.trace.3.message`. Empty this list when a new recording is made.
 */
export const allowedDifferences: readonly AllowedDifference[] = [
  { where: /statement\S*\.tanks\.\d+\.atBlock$/, reason: 'A statement says which block its ledger has come to.' },
  { where: /\.(?:cutOff|letIn)\.\d+\.firstCall$/, reason: 'A preview names the first call of each operation.' },
  { where: /\.(?:cutOff|letIn)\.\d+\.charge\w*$/, reason: 'A preview tells what a hold cost once.' },
  { where: /\bdetails\.mutability$/, reason: 'The refusal of a view method says that it is one.' },
  {
    where: /\btrace\.\d+\.(?:remedy|fix)$/,
    reason: 'A view method is said not to be sponsorable, and remedies fit refusals as they are explained.',
  },
  { where: /\bhasNoCode$/, reason: 'The registration of a contract says that its chain has no code there.' },
  { where: /\busage\.(?:cost|relayedMethod)\b/, reason: 'Usage tells what operations cost, and relayed methods.' },
  { where: /\bcostOf95PercentUsdMicros$/, reason: 'Usage in total says what 95 of 100 operations cost at most.' },
];

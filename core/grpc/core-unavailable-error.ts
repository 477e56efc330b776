/**
 * The core could not be reached or did not answer in time. Nothing is known about the outcome: a call that changes
 * something may have done so.
 */
export class CoreUnavailableError extends Error {
  override readonly name = 'CoreUnavailableError';
}

/**
 * Whether a call of the core failed because a remote core could not be reached or did not answer in time. Told by the
 * error's name: the gateway knows no core handle.
 */
export function isCoreUnavailable(error: unknown): boolean {
  return error instanceof Error && error.name === 'CoreUnavailableError';
}

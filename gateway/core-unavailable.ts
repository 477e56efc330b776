/** What a core cannot answer for now: a remote one that is away, or one in this process whose database is. */
const outages: readonly string[] = ['CoreUnavailableError', 'DatabaseLostError'];

/** Milliseconds to wait before a request is sent again that met an outage. */
export const outageRetryMs = 3_000;

/**
 * Whether a call of the core failed because it could not be reached or did not answer in time, or because its database did
 * not. Told by the error's name: the gateway knows no core handle.
 */
export function isCoreUnavailable(error: unknown): boolean {
  return error instanceof Error && outages.includes(error.name);
}

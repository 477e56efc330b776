/** What may be said of an error in a log: its messages can hold anything. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}

/** A Unix time in seconds, formatted for an audit. */
export function auditTime(unixSeconds: number): string {
  return new Date(unixSeconds * 1_000).toISOString().replace('.000Z', 'Z');
}

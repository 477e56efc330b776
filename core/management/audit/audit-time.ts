/** A Unix time in seconds, as an audit says it. */
export function auditTime(unixSeconds: number): string {
  return new Date(unixSeconds * 1_000).toISOString().replace('.000Z', 'Z');
}

/** A moment in Unix seconds as people read it: `2026-01-31T08:00:00Z`. */
export function utcTime(moment: number): string {
  return new Date(moment * 1000).toISOString().replace('.000Z', 'Z');
}

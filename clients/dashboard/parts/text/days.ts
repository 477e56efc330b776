/** UTC days, both included, `YYYY-MM-DD`. */
export type Days = { readonly from: string; readonly until: string };

/** The last days up to today. */
export function lastDays(count: number): Days {
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  return { from: day(count - 1), until: day(0) };
}

/** Whether a text is a day, `YYYY-MM-DD`. */
export function isDay(text: unknown): text is string {
  return typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

const most = 24;

/** The UTC months up to that of a moment (milliseconds), `YYYY-MM`, the newest first. */
export function monthsUpTo(moment: number): readonly string[] {
  const now = new Date(moment);
  return Array.from({ length: most }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7),
  );
}

const form = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** A month as the reader writes it. */
export function monthName(month: string): string {
  return form.format(new Date(`${month}-01T00:00:00Z`));
}

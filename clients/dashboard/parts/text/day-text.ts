const form = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** A UTC day, `YYYY-MM-DD`, as a chart label. */
export function dayText(day: string): string {
  return form.format(new Date(`${day}T00:00:00Z`));
}

const form = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** A UTC day, `YYYY-MM-DD`, as a chart label. */
export function dayText(day: string): string {
  return form.format(new Date(`${day}T00:00:00Z`));
}

const most = 3_650;

/** How long a tank lasts; capped at ten years. */
export function daysLeftText(days: number): string {
  if (days > most) return 'over 10 years';
  return days === 1 ? '1 day' : `${days} days`;
}

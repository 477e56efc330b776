const most = 3_650;

/** How long a tank lasts; capped at ten years. */
export function daysLeftText(days: number): string {
  if (days > most) return 'over 10 years';
  return days === 1 ? '1 day' : `${days} days`;
}

const most = 3_650;

/** How long a tank lasts; beyond ten years the number says nothing. */
export function daysLeftText(days: number): string {
  if (days > most) return 'over 10 years';
  return days === 1 ? '1 day' : `${days} days`;
}

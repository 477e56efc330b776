const most = 3_650;

/** Days that a tank lasts; beyond ten years the number says nothing. */
export function daysLeftText(days: number): string {
  return days > most ? 'over 10 years' : String(days);
}

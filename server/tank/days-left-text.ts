import { counted } from '@tollfree/contract/counted';

const tenYears = 3_650;

/** How long a gas tank lasts at the rate of the last week, for a person: a tank that is hardly used lasts for ages. */
export function daysLeftText(days: number): string {
  return days > tenYears ? 'more than ten years' : counted(Number(days.toFixed(1)), 'day');
}

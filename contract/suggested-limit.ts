import type { PolicyItem } from './policy.ts';

/** What all operations of a day may cost together unless the owner of a new paymaster says otherwise, in USD. */
export const suggestedDailyUsd = '50.00';

/** A limit on what all senders together can spend in a UTC day, in USD. */
export function dailyLimit(usd: string): PolicyItem['limits'][number] {
  return { per: 'TOTAL', window: 'DAY', unit: 'USD', max: usd };
}

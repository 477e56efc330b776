import { dailyLimit, suggestDailyUsd } from '@tollfree/contract/suggested-limit';
import { type Finding, findingsAbout } from '../finding.ts';

/** Most paymasters that the finding names. */
const mostNamed = 3;

/** Warns of paymasters whose tanks any number of senders can empty, by their names. */
export function boundFindings(unbounded: readonly { readonly name: string }[]): readonly Finding[] {
  if (unbounded.length === 0) return [];
  const names = unbounded.slice(0, mostNamed).map(({ name }) => `"${name}"`);
  const others = unbounded.length > mostNamed ? ` and ${unbounded.length - mostNamed} more` : '';
  const [who, have] = unbounded.length === 1 ? ['The paymaster', 'has'] : ['The paymasters', 'have'];
  const message = `${who} ${names.join(', ')}${others} ${have} no total limit: strangers can spend the whole gas tank.`;
  const limit = JSON.stringify(dailyLimit(suggestDailyUsd()));
  const remedy = `Add ${limit} to the limits of the policy, or create a budget for the account.`;
  return [findingsAbout('paymasters').warning('paymaster-unbounded', message, remedy)];
}

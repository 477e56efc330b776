import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { dailyLimit } from '@tollfree/contract/suggested-limit';
import { headersOf } from './of-paymaster.ts';
import { routes } from './routes.ts';
import { ifMatch } from './use-save.ts';

/** Adds a limit on what all senders together can spend in a UTC day, in USD, to the paymaster's default policy. */
export async function limitDay(paymaster: PaymasterItem, usd: string): Promise<void> {
  const headers = headersOf(paymaster);
  const { etag, ...policy } = await routes.policy.read({ headers });
  const body = { ...policy, limits: [...policy.limits, dailyLimit(usd)] };
  await routes.policy.set({ headers: { ...headers, ...ifMatch(etag) }, body });
}

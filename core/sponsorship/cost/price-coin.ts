import { accept, type Result } from '../../domain/result/result.ts';
import type { SponsorProfile } from '../../paymasters/sponsor-profile.ts';
import { countsUsd } from '../../policies/worth-usd.ts';
import type { Identified } from '../identify/identify.ts';
import type { Ticketed } from '../permit/check-ticket.ts';
import type { Asked } from '../run/asked.ts';
import { notedIfRefused, type Step } from '../run/steps.ts';

/** The worth of 10^18 wei in millionths of a USD; undefined if nothing needs it. */
export type PricedCost = { readonly usdMicrosPerCoin: bigint | undefined };

/** Reads the coin's price if the policy, the ticket or a key of the paymaster counts in USD. */
export const priceCoin: Step<Asked & Identified & Ticketed, PricedCost> = notedIfRefused(
  { rule: 'coin-price', finding: ['coin-price'] },
  async ({ profile, chain, draft, ticket }: Asked & Identified & Ticketed): Promise<Result<PricedCost>> => {
    const isAsked = countsUsd(profile.policy) || ticket?.budgetUsdMicros !== undefined || keysCountUsd(profile);
    if (!isAsked) return accept({ usdMicrosPerCoin: undefined });
    const price = await chain.rates.nativeUsdMicros();
    if (!price.ok) return price;
    draft.usdMicrosPerCoin = price.value;
    return accept({ usdMicrosPerCoin: price.value });
  },
);

/** Another key with a limit in USD may have requested the operation before. */
function keysCountUsd({ keyLimits }: SponsorProfile): boolean {
  return [...keyLimits.values()].some((limits) => limits.some(({ unit }) => unit === 'usdMicros'));
}

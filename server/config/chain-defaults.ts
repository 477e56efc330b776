import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { z } from 'zod';
import { hasDollarCoin } from '../../core/domain/fee-model.ts';
import { coinbasePrice } from '../chains/token-entry.ts';
import { findWellKnownChain } from '../chains/well-known-chains.ts';
import { sequencerGraceSeconds } from './fixed-settings.ts';
import { priceSchema } from './price-schema.ts';
import { weiAmountSchema } from './value-schemas.ts';

/** What a section of the configuration may leave out. */
type Given = {
  readonly chainId: number;
  readonly name?: string | undefined;
  readonly nativePrice?: z.output<typeof priceSchema> | undefined;
  readonly sequencerUptime?: { readonly feed: `0x${string}`; readonly graceSeconds: number } | undefined;
  readonly explorerPageUrl?: string | undefined;
  readonly maxFeePerGasCeiling?: bigint | 'none' | undefined;
  readonly maxCostPerOperation?: bigint | 'none' | undefined;
};

/** Whether the sections of this chain may leave out what others need: it is a well-known one. */
export function isWellKnown(chainId: number): boolean {
  return findWellKnownChain(String(chainId)) !== undefined;
}

/** Of a coin that is a dollar. */
const dollarPrice = { sources: [{ kind: 'fixed', usd: '1' }], minimumSources: 1 } as const;

/**
 * What a chain's section leaves out, as it is known for the chain. The schema has refused sections that leave out something
 * which is not known. The uptime feed belongs to the known price: where the section names a price of its own, it names both.
 */
export function chainDefaults(given: Given) {
  const { chainId, name, nativePrice, maxFeePerGasCeiling, maxCostPerOperation } = given;
  const chain = findWellKnownChain(String(chainId));
  const { ceilings = { maxFeePerGas: 'none', maxCostPerOperation: 'none' } } = chain ?? {};
  const sequencer =
    nativePrice === undefined && chain?.sequencerFeed !== undefined
      ? { feed: chain.sequencerFeed, graceSeconds: sequencerGraceSeconds }
      : undefined;
  return {
    name: name ?? chain?.name ?? `Chain ${chainId}`,
    nativePrice: nativePrice ?? priceSchema.parse(knownPrice(chainId)),
    maxFeePerGasCeiling: maxFeePerGasCeiling ?? ceilingOf(ceilings.maxFeePerGas),
    maxCostPerOperation: maxCostPerOperation ?? ceilingOf(ceilings.maxCostPerOperation),
    ...omitAbsent({
      sequencerUptime: given.sequencerUptime ?? sequencer,
      explorerPageUrl: given.explorerPageUrl ?? chain?.explorerPageUrl,
    }),
  };
}

/** Two sources that have to agree, of a coin that is not a dollar. */
function knownPrice(chainId: number) {
  const chain = findWellKnownChain(String(chainId));
  if (chain === undefined || hasDollarCoin(chainId)) return dollarPrice;
  const { aggregator, maxAgeSeconds } = chain.feed;
  return { sources: [{ kind: 'chainlink', aggregator, maxAgeSeconds }, coinbasePrice(chain.coin)] };
}

function ceilingOf(amount: string): bigint | 'none' {
  return amount === 'none' ? amount : weiAmountSchema.parse(amount);
}

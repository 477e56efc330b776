import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { z } from 'zod';
import { hasDollarCoin } from '../../core/domain/chain-config.ts';
import { coinbasePrice } from '../chains/well-known-chain.ts';
import { findWellKnownChain } from '../chains/well-known-chains.ts';
import { sequencerGraceSeconds } from './fixed-settings.ts';
import { priceSchema } from './price-schema.ts';
import { weiAmountSchema } from './value-schemas.ts';

/** Optional parts of a chain's section. */
type Given = {
  readonly chainId: number;
  readonly name?: string | undefined;
  readonly nativePrice?: z.output<typeof priceSchema> | undefined;
  readonly sequencerUptime?: { readonly feed: `0x${string}`; readonly graceSeconds: number } | undefined;
  readonly explorerPageUrl?: string | undefined;
  readonly maxFeePerGasCeiling?: bigint | 'none' | undefined;
  readonly maxCostPerOperation?: bigint | 'none' | undefined;
};

/** Whether the chain is well known, so that its section may leave out what others require. */
export function isWellKnown(chainId: number): boolean {
  return findWellKnownChain(String(chainId)) !== undefined;
}

/** For a coin that is a dollar. */
const dollarPrice = { sources: [{ kind: 'fixed', usd: '1' }], minimumSources: 1 } as const;

/**
 * Known defaults for what a chain's section leaves out; the schema has refused other omissions. The uptime feed belongs to
 * the known price: a section with its own price names both.
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

/** Two sources that must agree, for a coin that is not a dollar. */
function knownPrice(chainId: number) {
  const chain = findWellKnownChain(String(chainId));
  if (chain === undefined || hasDollarCoin(chainId)) return dollarPrice;
  const { aggregator, maxAgeSeconds } = chain.feed;
  return { sources: [{ kind: 'chainlink', aggregator, maxAgeSeconds }, coinbasePrice(chain.coin)] };
}

function ceilingOf(amount: string): bigint | 'none' {
  return amount === 'none' ? amount : weiAmountSchema.parse(amount);
}

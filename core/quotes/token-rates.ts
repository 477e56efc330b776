import { type Address, getAddress, isAddress } from 'viem';
import type { ChainClient } from '../chain/chain-client.ts';
import type { ChainConfig, TokenConfig } from '../core-config.ts';
import type { Clock } from '../domain/clock.ts';
import { accept, type Result } from '../domain/result.ts';
import { createPriceSource } from './create-price-source.ts';
import { exchangeRate, rateWithPremium } from './exchange-rate.ts';
import type { PriceSource, UsdPrice } from './price-source.ts';

/** What a token costs at this moment. Rates are token base units for 10^18 wei. */
export type TokenRate = {
  readonly token: TokenConfig;
  readonly usd: UsdPrice;
  readonly rate: bigint;
  readonly rateWithPremium: bigint;
};

/** The tokens of one chain and their rates. */
export type TokenRates = {
  /** All configured tokens, in the order of the configuration. */
  readonly tokens: readonly TokenConfig[];
  /** The token at an address, whatever the case of its letters; undefined when the chain does not take it. */
  find(address: string): TokenConfig | undefined;
  /** The token's rate now, or `PRICE_UNAVAILABLE`. */
  rate(token: TokenConfig): Promise<Result<TokenRate>>;
};

export function createTokenRates(
  config: ChainConfig,
  context: { readonly client: ChainClient; readonly clock: Clock },
): TokenRates {
  const native = createPriceSource(config.nativePrice, context);
  const sources = new Map<Address, { token: TokenConfig; source: PriceSource }>(
    config.tokens.map((token) => [
      getAddress(token.address),
      { token, source: createPriceSource(token.price, context) },
    ]),
  );

  return {
    tokens: config.tokens,
    find: (address) => (isAddress(address, { strict: false }) ? sources.get(getAddress(address))?.token : undefined),
    rate: async (token) => {
      const source = sources.get(getAddress(token.address))?.source;
      if (source === undefined) throw new Error('Rate asked for a token of another chain.');
      const [nativeUsd, tokenUsd] = await Promise.all([native.read(), source.read()]);
      if (!nativeUsd.ok) return nativeUsd;
      if (!tokenUsd.ok) return tokenUsd;
      const rate = exchangeRate(nativeUsd.value, tokenUsd.value, token.decimals);
      return accept({
        token,
        usd: tokenUsd.value,
        rate,
        rateWithPremium: rateWithPremium(rate, token.premiumBasisPoints),
      });
    },
  };
}

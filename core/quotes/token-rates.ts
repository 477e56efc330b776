import { type Address, getAddress, isAddress } from 'viem';
import type { Clock } from '../base/time/clock.ts';
import { divideUp } from '../base/values/integers.ts';
import type { ChainConfig, PriceConfig, TokenConfig } from '../domain/core-config.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { type AgreedPrice, createAgreedPrice } from './agreed-price.ts';
import { createPriceSources, createSequencerCheck, type PriceTimesNote } from './create-price-sources.ts';
import type { UsdPrice } from './price-source.ts';

/** A token's current cost. Rates are token base units for 10^18 wei. */
export type TokenRate = {
  readonly token: TokenConfig;
  readonly usd: UsdPrice;
  /** Price of the chain's own coin. */
  readonly nativeUsd: UsdPrice;
  readonly rate: bigint;
  /** The token's premium plus the paymaster contract's, in basis points. */
  readonly premiumBasisPoints: number;
  readonly rateWithPremium: bigint;
};

/** The tokens of one chain and their rates. */
export type TokenRates = {
  /** All configured tokens, in the order of the configuration. */
  readonly tokens: readonly TokenConfig[];
  /** The token at an address, in any letter case; undefined when the chain does not accept it. */
  find(address: string): TokenConfig | undefined;
  /** The current worth of 10^18 wei, in millionths of a USD, rounded up, or `PRICE_UNAVAILABLE`. */
  nativeUsdMicros(): Promise<Result<bigint>>;
  /** The token's current rate, with `contractPremiumBasisPoints` added to its own premium, or `PRICE_UNAVAILABLE`. */
  rate(token: TokenConfig, contractPremiumBasisPoints: number): Promise<Result<TokenRate>>;
};

/**
 * Highest rate that is signed. A contract multiplies it with a cost in wei; with this rate the product fits 256 bits up to a
 * cost of 10^28 wei. No real token comes near it, but a price with misplaced decimals does.
 */
const maxRate = 2n ** 160n;

const weiDecimals = 18;

/**
 * Uses the highest price that sources agree on for the native coin, and the lowest for tokens ({@link createAgreedPrice}).
 */
export function createTokenRates(
  config: ChainConfig,
  context: {
    readonly client: ChainClient;
    readonly clock: Clock;
    readonly noteTimes?: PriceTimesNote | undefined;
  },
): TokenRates {
  const sourceOf = createPriceSources(context);
  const checkSequencer = createSequencerCheck(config, context);
  const native = agree(`the native coin of chain ${config.chainId}`, config.nativePrice, {
    choice: 'highest',
    source: (source) => sourceOf(source, { address: undefined, decimals: weiDecimals }),
  });
  const prices = new Map<Address, { readonly token: TokenConfig; readonly price: AgreedPrice }>(
    config.tokens.map((token) => {
      const { symbol, address, decimals } = token;
      const source = (named: PriceConfig['sources'][number]) => sourceOf(named, { address, decimals });
      return [getAddress(address), { token, price: agree(symbol, token.price, { choice: 'lowest', source }) }];
    }),
  );

  return {
    tokens: config.tokens,
    find: (address) => (isAddress(address, { strict: false }) ? prices.get(getAddress(address))?.token : undefined),
    nativeUsdMicros: async () => {
      const [sequencer, nativeUsd] = await Promise.all([checkSequencer(), native.read()]);
      if (!sequencer.ok) return sequencer;
      return nativeUsd.ok ? accept(usdMicros(10n ** BigInt(weiDecimals), nativeUsd.value, weiDecimals)) : nativeUsd;
    },
    rate: async (token, contractPremiumBasisPoints) => {
      const price = prices.get(getAddress(token.address))?.price;
      if (price === undefined) throw new Error('A rate was requested for a token of another chain.');
      const [sequencer, nativeUsd, tokenUsd] = await Promise.all([checkSequencer(), native.read(), price.read()]);
      if (!sequencer.ok) return sequencer;
      if (!nativeUsd.ok) return nativeUsd;
      if (!tokenUsd.ok) return tokenUsd;
      const premiumBasisPoints = token.premiumBasisPoints + contractPremiumBasisPoints;
      const rate = exchangeRate(nativeUsd.value, tokenUsd.value, token.decimals);
      const charged = rateWithPremium(rate, premiumBasisPoints);
      if (charged > maxRate) return tooHigh(token);
      return accept({
        token,
        usd: tokenUsd.value,
        nativeUsd: nativeUsd.value,
        rate,
        premiumBasisPoints,
        rateWithPremium: charged,
      });
    },
  };
}

function agree(
  asset: string,
  { sources, ...limits }: PriceConfig,
  how: Pick<Parameters<typeof createAgreedPrice>[0], 'choice'> & {
    readonly source: (config: PriceConfig['sources'][number]) => ReturnType<ReturnType<typeof createPriceSources>>;
  },
): AgreedPrice {
  return createAgreedPrice({ asset, sources: sources.map(how.source), limits, choice: how.choice });
}

function tooHigh({ symbol }: TokenConfig): Result<never> {
  return refuse({
    reason: 'PRICE_UNAVAILABLE',
    message: `There is no price of ${symbol}: the reported price would make gas implausibly expensive.`,
    details: { asset: symbol, sources: '' },
  });
}

/**
 * Token base units for 10^18 wei, rounded up by at most one base unit so that a rate never costs the sponsor.
 *
 * @param native USD for one whole native coin (10^18 wei).
 * @param token USD for one whole token (10^`tokenDecimals` base units).
 */
export function exchangeRate(native: UsdPrice, token: UsdPrice, tokenDecimals: number): bigint {
  const numerator = native.value * 10n ** BigInt(token.decimals + tokenDecimals);
  const denominator = token.value * 10n ** BigInt(native.decimals);
  return divideUp(numerator, denominator);
}

/** The rate plus a premium in basis points, rounded up. */
export function rateWithPremium(rate: bigint, premiumBasisPoints: number): bigint {
  return divideUp(rate * BigInt(10_000 + premiumBasisPoints), 10_000n);
}

/** Worth of an amount of token base units in millionths of a dollar, rounded up. */
export function usdMicros(amount: bigint, token: UsdPrice, tokenDecimals: number): bigint {
  return divideUp(amount * token.value * 1_000_000n, 10n ** BigInt(tokenDecimals + token.decimals));
}

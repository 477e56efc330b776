import { counted } from '@tollfree/contract/counted';
import { parseAbi } from 'viem';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import type { ChainConfig, ChainlinkPriceConfig, PlainPriceConfig, PriceSourceConfig } from '../domain/core-config.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { createHttpPrice } from './http-price.ts';
import {
  createObservedPrice,
  type Observation,
  type PriceSource,
  priceSourceName,
  type ReadNote,
  readDecimal,
} from './price-source.ts';
import { type ReadOutcome, shareRead } from './shared-read.ts';
import { createUniswapPrice, type PricedToken } from './uniswap-price.ts';

/** Creates the source that a configuration describes; `priced` is the asset. */
type PriceSourceFactory = (config: PriceSourceConfig, priced: PricedToken) => PriceSource;

/** Called with the duration of each read of a source; `source` is its {@link priceSourceName}. */
export type PriceTimesNote = (source: string, ...read: Parameters<ReadNote>) => void;

/**
 * Builds the sources of one chain. A feed that is configured several times, such as the dollar price of a quote token,
 * becomes one source and is read once.
 */
export function createPriceSources(context: {
  readonly client: ChainClient;
  readonly clock: Clock;
  readonly noteTimes?: PriceTimesNote | undefined;
}): PriceSourceFactory {
  const { client, clock, noteTimes } = context;
  const made = new Map<string, PriceSource>();

  function share(key: readonly unknown[], make: () => PriceSource): PriceSource {
    const name = JSON.stringify(key);
    const source = made.get(name) ?? make();
    made.set(name, source);
    return source;
  }

  /** The dependencies of a source. */
  function contextOf(config: PriceSourceConfig) {
    const source = priceSourceName(config);
    const noteRead: ReadNote | undefined = noteTimes && ((...read) => noteTimes(source, ...read));
    return { client, clock, noteRead };
  }

  function plain(config: PlainPriceConfig): PriceSource {
    return share([config], () => {
      switch (config.kind) {
        case 'fixed':
          return createFixedPrice(config.usd);
        case 'chainlink':
          return createChainlinkPrice(config, contextOf(config));
        case 'http':
          return createHttpPrice(config, contextOf(config));
      }
    });
  }

  return (config, priced) =>
    config.kind === 'uniswap-v3'
      ? share([config, priced], () =>
          createUniswapPrice(config, { ...contextOf(config), priced, quote: plain(config.quotePrice) }),
        )
      : plain(config);
}

/**
 * A price set by the operator. `usd` is decimal text above zero.
 *
 * @throws RangeError when it is not; configuration is checked before this runs.
 */
export function createFixedPrice(usd: string): PriceSource {
  const price = readDecimal(usd);
  if (price === undefined || price.value <= 0n) throw new RangeError('A fixed price is decimal text above zero.');
  return { kind: 'fixed', read: async () => ({ price }) };
}

/** The feed's answer: 0 if the sequencer is up, 1 if it is down. */
const running = 0n;

/**
 * Whether the chain's sequencer allows its prices to be trusted. While a layer 2's sequencer is down, feeds and pools do not
 * update; for `graceSeconds` after it is back they catch up. Both cases return `PRICE_UNAVAILABLE`, as does an unreadable
 * feed. A chain without `sequencerUptime` always passes.
 */
export function createSequencerCheck(
  { chainId, sequencerUptime }: Pick<ChainConfig, 'chainId' | 'sequencerUptime'>,
  context: { readonly client: ChainClient; readonly clock: Clock },
): () => Promise<Result<true>> {
  if (sequencerUptime === undefined) return async () => accept(true);
  const { feed, graceSeconds } = sequencerUptime;
  const readFeed = shareRead(async () => {
    const [, answer, startedAt] = await context.client.readContract({
      address: feed,
      abi: aggregatorAbi,
      functionName: 'latestRoundData',
    });
    return { value: { answer, startedAt: Number(startedAt) } };
  }, context.clock);

  function unavailable(why: string): Result<never> {
    return refuse({
      reason: 'PRICE_UNAVAILABLE',
      message: `Prices on chain ${chainId} are not used: the uptime feed of its sequencer ${why}.`,
      details: { asset: `chain ${chainId}`, sources: 'sequencer-uptime' },
    });
  }

  return async () => {
    const outcome = await readFeed();
    if ('problem' in outcome) return unavailable(outcome.problem);
    const { answer, startedAt } = outcome.value;
    if (answer !== running) return unavailable('reports that it is down');
    // A feed that was never updated has a round without a start.
    if (startedAt === 0) return unavailable('has no answer yet');
    const seconds = unixSeconds(context.clock) - startedAt;
    if (seconds <= graceSeconds) {
      return unavailable(
        `reports that it has been up for ${counted(seconds, 'second')}, but ${graceSeconds} are required`,
      );
    }
    return accept(true);
  };
}

/** The used part of Chainlink's `AggregatorV3Interface`. */
const aggregatorAbi = parseAbi([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
]);

/** A Chainlink-style aggregator on chain: `latestRoundData`, dated by its `updatedAt`. */
export function createChainlinkPrice(
  config: ChainlinkPriceConfig,
  context: { readonly client: ChainClient; readonly clock: Clock; readonly noteRead?: ReadNote | undefined },
): PriceSource {
  const aggregator = { address: config.aggregator, abi: aggregatorAbi } as const;
  let decimals: number | undefined;

  async function observe(): Promise<ReadOutcome<Observation>> {
    decimals ??= await context.client.readContract({ ...aggregator, functionName: 'decimals' });
    const round = await context.client.readContract({ ...aggregator, functionName: 'latestRoundData' });
    const [, answer, , updatedAt] = round;
    return { value: { price: { value: answer, decimals }, observedAt: Number(updatedAt) } };
  }

  const { maxAgeSeconds } = config;
  const { clock, noteRead } = context;
  return { kind: 'chainlink', read: createObservedPrice({ observe, maxAgeSeconds, clock, noteRead }) };
}

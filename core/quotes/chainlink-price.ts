import { parseAbi } from 'viem';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import type { ChainConfig, ChainlinkPriceConfig } from '../domain/core-config.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { createObservedPrice, type Observation, type PriceSource, type ReadNote } from './price-source.ts';
import { type ReadOutcome, shareRead } from './shared-read.ts';

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
      return unavailable(`reports that it has been up for ${seconds} seconds, but ${graceSeconds} are required`);
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

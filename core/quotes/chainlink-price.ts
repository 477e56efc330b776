import { parseAbi } from 'viem';
import type { Clock } from '../base/time/clock.ts';
import type { ChainlinkPriceConfig } from '../domain/core-config.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { createObservedPrice, type Observation, type ReadNote } from './observed-price.ts';
import type { PriceSource } from './price-source.ts';
import type { ReadOutcome } from './shared-read.ts';

/** The used part of Chainlink's `AggregatorV3Interface`. */
export const aggregatorAbi = parseAbi([
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

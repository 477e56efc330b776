import { type Address, parseAbi } from 'viem';
import type { ChainClient } from '../chain/chain-client.ts';
import type { Clock } from '../domain/clock.ts';
import { accept, type Result, refuse } from '../domain/result.ts';
import type { PriceSource, UsdPrice } from './price-source.ts';

const aggregatorAbi = parseAbi([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
]);

/** How long an answer is used before the aggregator is read again, in milliseconds. */
const cacheMilliseconds = 5_000;

/** An `updatedAt` this far ahead of our clock is taken for skew, in seconds; further ahead it is not believed. */
const maxFutureSeconds = 120;

/**
 * A Chainlink-style aggregator read on chain (`latestRoundData`). An answer that is zero, negative or older than
 * `maxAgeSeconds` is refused with `PRICE_UNAVAILABLE`. One read is in flight at a time, whatever the number of callers.
 */
export function createChainlinkPrice(options: {
  readonly client: ChainClient;
  readonly aggregator: Address;
  readonly maxAgeSeconds: number;
  readonly clock: Clock;
}): PriceSource {
  const { client, aggregator, maxAgeSeconds, clock } = options;
  let decimals: number | undefined;
  let cached: { round: Round; readAt: number } | undefined;
  let inFlight: Promise<Round> | undefined;

  async function readRound(): Promise<Round> {
    const base = { address: aggregator, abi: aggregatorAbi } as const;
    decimals ??= await client.readContract({ ...base, functionName: 'decimals' });
    const [, answer, , updatedAt] = await client.readContract({ ...base, functionName: 'latestRoundData' });
    const round = { answer, updatedAt, decimals };
    cached = { round, readAt: clock.now() };
    return round;
  }

  async function latest(): Promise<Round> {
    if (cached && clock.now() - cached.readAt < cacheMilliseconds) return cached.round;
    inFlight ??= readRound().finally(() => {
      inFlight = undefined;
    });
    return inFlight;
  }

  return {
    name: `chainlink ${aggregator}`,
    read: async () => {
      try {
        return judge(await latest(), maxAgeSeconds, clock);
      } catch {
        return unavailable('The price feed could not be read.');
      }
    },
  };
}

type Round = { readonly answer: bigint; readonly updatedAt: bigint; readonly decimals: number };

function judge(round: Round, maxAgeSeconds: number, clock: Clock): Result<UsdPrice> {
  const age = BigInt(Math.floor(clock.now() / 1000)) - round.updatedAt;
  if (round.answer <= 0n) return unavailable('The price feed answered a price that is not above zero.');
  if (age > BigInt(maxAgeSeconds)) return unavailable('The price feed has not been updated for too long.');
  if (age < -BigInt(maxFutureSeconds)) return unavailable('The price feed was updated in the future.');
  return accept({ value: round.answer, decimals: round.decimals });
}

function unavailable(message: string): Result<UsdPrice> {
  return refuse({ reason: 'PRICE_UNAVAILABLE', message });
}

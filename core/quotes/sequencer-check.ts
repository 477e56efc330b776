import { type Clock, unixSeconds } from '../base/time/clock.ts';
import type { ChainConfig } from '../domain/core-config.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { aggregatorAbi } from './chainlink-price.ts';
import { shareRead } from './shared-read.ts';

/** The feed's answers: 0 the sequencer runs, 1 it does not. */
const running = 0n;

/**
 * Whether prices of this chain can be trusted as far as its sequencer goes. While a layer 2's sequencer is down, feeds and
 * pools stand still; for `graceSeconds` after it is back they catch up. Both are `PRICE_UNAVAILABLE`, and so is a feed
 * that cannot be read. A chain without `sequencerUptime` always passes.
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
    // A feed that has never been told anything has a round that never began.
    if (startedAt === 0) return unavailable('has no answer yet');
    const seconds = unixSeconds(context.clock) - startedAt;
    if (seconds <= graceSeconds) {
      return unavailable(`reports that it has been up for ${seconds} seconds, but ${graceSeconds} are required`);
    }
    return accept(true);
  };
}

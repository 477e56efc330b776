import { type Clock, unixSeconds } from '../base/time/clock.ts';
import type { ChainConfig } from '../domain/core-config.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { aggregatorAbi } from './chainlink-price.ts';
import { shareRead } from './shared-read.ts';

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

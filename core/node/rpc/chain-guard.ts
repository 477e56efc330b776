import { BaseError, hexToNumber, isHex } from 'viem';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Endpoint } from './create-endpoint.ts';
import { isFailure } from './rpc-answer.ts';

/** How long until a node of another chain is asked for its chain again, in milliseconds. */
export const recheckMs = 10_000;

/** Prevents questions to a node or bundler of another chain. */
export type ChainGuard = {
  /**
   * An endpoint, which first checks the node's chain: before its first question, and after each failure, when another
   * node may have taken over its address. If the chain differs, it asks nothing else and rejects.
   */
  guard(endpoint: Endpoint): Endpoint;
  /** The node's actual chain if it is the wrong one; undefined if it is right, or not known yet. */
  otherChain(): number | undefined;
};

/**
 * `node` counts from 1, as in logs; absent for the bundler. Logs once when the node is of another chain, and once when it no
 * longer is.
 */
export function createChainGuard(options: {
  readonly chainId: number;
  readonly node?: number;
  readonly clock: Clock;
  readonly logger?: Logger | undefined;
}): ChainGuard {
  const { chainId, node, clock, logger } = options;
  const who = node === undefined ? 'bundler' : 'node';
  const fields = { chainId, ...(node === undefined ? {} : { node }) };
  let isChecked = false;
  let other: { readonly chainId: number; readonly at: number } | undefined;
  let checking: Promise<void> | undefined;

  function take(answer: unknown): void {
    if (!isHex(answer)) return;
    const found = hexToNumber(answer);
    isChecked = found === chainId;
    if (isChecked) {
      if (other !== undefined) logger?.info(fields, `The ${who} is of the right chain again`);
      other = undefined;
      return;
    }
    if (other?.chainId !== found) logger?.error({ ...fields, found }, `A ${who} is of another chain. It is not asked`);
    other = { chainId: found, at: clock.now() };
  }

  async function check(endpoint: Endpoint): Promise<void> {
    if (isChecked) return;
    // If the clock was set back, the elapsed time is unknown.
    if (other === undefined || Math.abs(clock.now() - other.at) >= recheckMs) {
      checking ??= endpoint
        .ask({ method: 'eth_chainId' })
        .then(take)
        .finally(() => {
          checking = undefined;
        });
      await checking;
    }
    if (other !== undefined) throw new BaseError(`The ${who} is of chain ${other.chainId} instead of ${chainId}.`);
  }

  return {
    otherChain: () => other?.chainId,
    guard: (endpoint) => ({
      ask: async (question, signal) => {
        try {
          if (question.method !== 'eth_chainId') await check(endpoint);
          const answer = await endpoint.ask(question, signal);
          if (question.method === 'eth_chainId') take(answer);
          return answer;
        } catch (error) {
          if (isFailure(error)) isChecked = false;
          throw error;
        }
      },
    }),
  };
}

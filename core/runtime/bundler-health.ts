import { createClient, http } from 'viem';
import type { Logger } from '../domain/logger.ts';
import type { Clock } from '../domain/time/clock.ts';
import { repeat } from '../domain/time/repeat.ts';
import { createTimers, type Timers } from '../domain/time/timers.ts';
import { boundedFetch } from '../node/rpc/bounded-fetch.ts';
import { readRpcAnswer } from '../node/rpc/rpc-answer.ts';

/** Milliseconds between two questions. */
const betweenQuestions = 5_000;

/** Whether the bundler that estimates for a chain is there. */
export type BundlerHealth = {
  /** Why it is not, in words; undefined when it answered the last question. */
  fault(): string | undefined;
  close(): void;
};

type BundlerSchema = { Method: 'eth_supportedEntryPoints'; Parameters: []; ReturnType: unknown };

/**
 * Asks the bundler every few seconds for what it supports (ERC-7769). Any answer of JSON-RPC will do, an error too. Logs
 * once when it goes away, with the cause, and once when it is back.
 */
export function watchBundler(options: {
  readonly chainId: number;
  readonly bundlerUrl: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timers?: Timers;
}): BundlerHealth {
  const { chainId, clock, logger, timers = createTimers(clock) } = options;
  const client = createClient({
    transport: http(options.bundlerUrl, { fetchFn: boundedFetch, retryCount: 0, timeout: options.timeoutMs }),
  });
  let state: 'unasked' | 'there' | 'gone' = 'unasked';
  let closed = false;

  function gone(cause: unknown): void {
    if (closed) return;
    if (state !== 'gone') {
      logger.warn({ err: cause, chainId }, 'The bundler does not answer; gas cannot be estimated until it does');
    }
    state = 'gone';
  }

  async function ask(): Promise<void> {
    try {
      await client.request<BundlerSchema>({ method: 'eth_supportedEntryPoints', params: [] });
    } catch (cause) {
      if (readRpcAnswer(cause)?.code === undefined) return gone(cause);
    }
    if (state === 'gone') logger.info({ chainId }, 'The bundler answers again');
    state = 'there';
  }

  void ask();
  const asking = repeat({ clock, timers }, betweenQuestions, ask, gone);
  return {
    fault: () => {
      if (state === 'gone') return 'the bundler does not answer';
      return state === 'unasked' ? 'the bundler has not answered yet' : undefined;
    },
    close: () => {
      closed = true;
      // A question under way is not waited for: nobody needs its answer.
      void asking.close();
    },
  };
}

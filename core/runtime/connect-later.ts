import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import { createTimers, repeat, type Timers } from '../base/time/timers.ts';
import type { PreparedChain } from './open-chain.ts';

/**
 * Tries to connect a chain that was away, once in a poll interval, until it succeeds. Logs why not whenever the reason is
 * another one, and once that it is connected. A mistake that shows only now does not end a process that serves others.
 */
export function connectLater(
  chain: PreparedChain,
  firstCause: Error,
  context: { readonly clock: Clock; readonly logger: Logger; readonly timers?: Timers },
): { close(): Promise<void> } {
  const { clock, logger, timers = createTimers(clock) } = context;
  const { chainId, pollIntervalMs } = chain.runtime.config;
  let said: string | undefined;

  function say(cause: unknown): void {
    const message = cause instanceof Error ? cause.message : '';
    if (said === message) return;
    said = message;
    logger.error(
      { err: cause, chainId },
      'The chain could not be opened; trying again while the other chains are served',
    );
  }

  say(firstCause);
  const trying = repeat(
    { clock, timers },
    pollIntervalMs,
    async () => {
      await chain.connect();
      logger.info({ chainId }, 'The chain is open');
      void trying.close();
    },
    say,
  );
  return trying;
}

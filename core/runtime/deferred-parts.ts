import type { Logger } from '../base/logger.ts';
import { type Clock, createTimers, repeat, type Timers } from '../base/time/clock.ts';
import type { ChainConfig } from '../domain/core-config.ts';
import type { BundlerNotes } from '../gas/create-gas-estimator.ts';
import type { ChainWatcher } from '../node/followed-chain.ts';
import { createEndpoint } from '../node/rpc/create-endpoint.ts';
import { readRpcAnswer } from '../node/rpc/rpc-answer.ts';

/** The state of a chain's bundlers, which are watched only after the chain was checked. */
export type DeferredBundler = BundlerHealth & { begin(): void };

/** Undefined where no bundler is configured. */
export function createDeferredBundler(
  { chainId, bundler, callTimeoutMs: timeoutMs }: ChainConfig,
  context: { readonly clock: Clock; readonly logger: Logger },
): DeferredBundler | undefined {
  if (bundler === undefined) return undefined;
  let watched: readonly BundlerHealth[] = [];
  return {
    begin: () => {
      watched = bundler.urls.map((bundlerUrl) => watchBundler({ chainId, bundlerUrl, timeoutMs, ...context }));
    },
    fault: () => faultOfAll(watched),
    // Only the first one is asked for limits.
    estimates: {
      rests: (cause) => watched[0]?.estimates.rests(cause),
      returns: () => watched[0]?.estimates.returns(),
    },
    close: () => {
      for (const one of watched) one.close();
    },
  };
}

function faultOfAll(watched: readonly BundlerHealth[]): string | undefined {
  if (watched.length === 1) return watched[0]?.fault();
  const faults = watched.flatMap((one, index) => {
    const fault = one.fault();
    return fault === undefined ? [] : [`${fault} (${index + 1} of ${watched.length})`];
  });
  return faults.length === 0 ? undefined : faults.join('; ');
}

/** Milliseconds between two questions. */
const betweenQuestions = 5_000;

/** Whether the bundler that estimates for a chain is reachable and useful. */
type BundlerHealth = {
  /** What is wrong with it, in words; undefined if no problem is known. Our own estimates replace its. */
  fault(): string | undefined;
  /** The usefulness of its estimates. */
  readonly estimates: BundlerNotes;
  close(): void;
};

/**
 * Asks the bundler every few seconds for its EntryPoints (ERC-7769). Any JSON-RPC answer counts, even an error. Logs once
 * when it becomes unreachable, with the cause, and once when it is back; likewise for its estimates.
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
  const endpoint = createEndpoint(options.bundlerUrl, options.timeoutMs);
  let isGone = false;
  let isUseless = false;
  let closed = false;

  function gone(cause: unknown): void {
    if (closed) return;
    if (!isGone) {
      logger.warn({ err: cause, chainId }, 'The bundler does not respond; only the service’s own estimates are used');
    }
    isGone = true;
  }

  async function ask(): Promise<void> {
    try {
      await endpoint.ask({ method: 'eth_supportedEntryPoints', params: [] });
    } catch (cause) {
      if (readRpcAnswer(cause)?.code === undefined) return gone(cause);
    }
    if (isGone) logger.info({ chainId }, 'The bundler responds again');
    isGone = false;
  }

  void ask();
  const asking = repeat({ clock, timers }, betweenQuestions, ask, gone);
  return {
    fault: () => {
      if (isGone) return 'the bundler does not respond';
      return isUseless ? 'the bundler’s estimates cannot be used' : undefined;
    },
    estimates: {
      rests: (cause) => {
        isUseless = true;
        logger.warn({ err: cause, chainId }, 'The bundler’s estimates cannot be used; the service’s own are used');
      },
      returns: () => {
        isUseless = false;
        logger.info({ chainId }, 'The bundler’s estimates can be used again');
      },
    },
    close: () => {
      closed = true;
      // Does not wait for a pending question: no one needs its answer.
      void asking.close();
    },
  };
}

/** Placeholder for the watcher of a chain that was not checked yet. */
type DeferredWatcher = ChainWatcher & {
  /** From now on `watcher` answers. It is closed together with this one, or at once if this one is closed already. */
  begin(watcher: ChainWatcher): void;
  /** Why it has not begun, in words. */
  wait(fault: string): void;
};

/** Until it begins, nothing is known of the chain, so nothing is signed on it. */
export function createDeferredWatcher(chainId: number): DeferredWatcher {
  let begun: ChainWatcher | undefined;
  let waitingFor = 'the chain has not been read yet';
  let closed = false;
  return {
    begin: (watcher) => {
      begun = watcher;
      // It was started during shutdown and has no work that others wait for.
      if (closed) void watcher.close();
    },
    wait: (fault) => {
      waitingFor = fault;
    },
    view: () => begun?.view(),
    faultOf: (contract) => begun?.faultOf(contract),
    fault: () => (begun === undefined ? waitingFor : begun.fault()),
    catchUp: () => begun?.catchUp() ?? Promise.reject(new Error(`Chain ${chainId} is not open yet`)),
    close: async () => {
      closed = true;
      await begun?.close();
    },
  };
}

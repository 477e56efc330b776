import type { Address } from 'viem';
import type { Logger } from '../domain/logger.ts';
import type { Clock } from '../domain/time/clock.ts';
import { DeepReorganisation } from '../ledger/following/deep-reorganisation.ts';
import { followEntryPoint } from '../ledger/following/follow-entry-point.ts';
import type { ChainClient } from '../node/chain-client.ts';
import type { ChainView, ChainWatcher } from '../node/chain-watcher.ts';
import { depositAbi } from '../node/entry-point-events.ts';
import type { Watched } from '../node/watched-contract.ts';
import type { Store } from '../store/store.ts';

/** After this time without an answer from the node what was seen is no longer used, in milliseconds. */
const maxSilence = 30_000;

export function startChainWatcher(options: {
  readonly chainId: number;
  readonly client: ChainClient;
  readonly watched: readonly Watched[];
  readonly confirmations: number;
  readonly pollIntervalMs: number;
  readonly startBlock: bigint;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
}): ChainWatcher {
  const { clock, logger, chainId } = options;
  let seen: { view: ChainView; at: number } | undefined;
  let underWay: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let offChain: string | undefined;

  function fault(): string | undefined {
    if (offChain !== undefined) return offChain;
    const fresh = seen !== undefined && clock.now() - seen.at <= maxSilence;
    return fresh ? undefined : 'the node does not answer';
  }

  async function look(): Promise<void> {
    const head = await options.client.getBlock({ blockTag: 'latest' });
    const deposits = await readDeposits(options.client, options.watched);
    seen = { view: { headTime: Number(head.timestamp), deposits }, at: clock.now() };
    const confirmed = head.number - BigInt(options.confirmations);
    for (const watched of options.watched)
      await followEntryPoint({ ...options, watched, confirmed, isClosed: () => closed });
    offChain = undefined;
  }

  function startLook(): Promise<void> {
    underWay ??= look()
      .catch((cause: unknown) => {
        if (cause instanceof DeepReorganisation) offChain = cause.message;
        throw cause;
      })
      .finally(() => {
        underWay = undefined;
      });
    return underWay;
  }

  function catchUp(): Promise<void> {
    if (underWay === undefined) return startLook();
    // The look under way may have passed by what the caller waits for; all who come meanwhile share the next one.
    next ??= underWay
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return startLook();
      });
    return next;
  }

  async function poll(): Promise<void> {
    try {
      await startLook();
    } catch (error) {
      if (offChain === undefined)
        logger.warn({ err: error, chainId }, 'The chain could not be read; it is tried again');
      else logger.error({ err: error, chainId }, offChain);
    }
    if (!closed) timer = setTimeout(() => void poll(), options.pollIntervalMs);
  }

  void poll();
  return {
    view: () => (fault() === undefined ? seen?.view : undefined),
    fault,
    catchUp,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await (next ?? underWay)?.catch(() => undefined);
    },
  };
}

async function readDeposits(client: ChainClient, watched: readonly Watched[]): Promise<ReadonlyMap<Address, bigint>> {
  const pairs = watched.flatMap(({ entryPoint, contracts }) =>
    contracts.map(({ address: contract }) => ({ entryPoint, contract })),
  );
  const amounts = await Promise.all(
    pairs.map(({ entryPoint, contract }) =>
      client.readContract({ address: entryPoint, abi: depositAbi, functionName: 'balanceOf', args: [contract] }),
    ),
  );
  return new Map(pairs.map(({ contract }, index) => [contract, amounts[index] ?? 0n]));
}

import type { Address } from 'viem';
import type { Logger } from '../domain/logger.ts';
import type { Clock } from '../domain/time/clock.ts';
import { followEntryPoint } from '../ledger/following/follow-entry-point.ts';
import { createNonceSweep } from '../ledger/following/nonce-sweep.ts';
import type { ChainClient } from '../node/chain-client.ts';
import type { ChainView, ChainWatcher } from '../node/chain-watcher.ts';
import { depositAbi } from '../node/entry-point-events.ts';
import type { FeeView } from '../node/fee-view.ts';
import { readFees } from '../node/read-fees.ts';
import type { Watched } from '../node/watched-contract.ts';
import type { Store } from '../store/store.ts';
import { createFollowHealth } from './follow-health.ts';

/** What was seen is not used for longer than this, in milliseconds. */
const maxAge = 30_000;

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
  const { clock } = options;
  const health = createFollowHealth(options);
  const sweeps = options.watched.map((watched) => createNonceSweep({ ...options, watched }));
  let seen: { view: ChainView; at: number } | undefined;
  let fees: { readonly view: FeeView; readonly at: number } | undefined;
  let underWay: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function isFresh(at: number): boolean {
    return clock.now() - at <= maxAge;
  }

  function view(): ChainView | undefined {
    if (seen === undefined || !isFresh(seen.at) || !health.booksFollow()) return undefined;
    return fees === undefined || !isFresh(fees.at) ? seen.view : { ...seen.view, fees: fees.view };
  }

  /** The books are kept also where the price of gas is not known. */
  async function lookAtFees(head: { readonly baseFeePerGas: bigint | null }): Promise<void> {
    try {
      fees = { view: await readFees(options.client, head), at: clock.now() };
    } catch (error) {
      const { logger, chainId } = options;
      logger.warn({ err: error, chainId }, 'What gas costs could not be read; it is tried again');
    }
  }

  async function look(store: Store): Promise<void> {
    health.asked();
    const head = await options.client.getBlock({ blockTag: 'latest' });
    const [deposits] = await Promise.all([readDeposits(options.client, options.watched), lookAtFees(head)]);
    health.answered();
    seen = { view: { headTime: Number(head.timestamp), deposits }, at: clock.now() };
    const confirmed = head.number - BigInt(options.confirmations);
    for (const watched of options.watched)
      await followEntryPoint({ ...options, store, watched, confirmed, isClosed: () => closed });
    if (!closed) health.completed();
    await sweepNonces(confirmed);
  }

  /** A node that does not tell leaves the holds to their expiry. */
  async function sweepNonces(confirmed: bigint): Promise<void> {
    for (const sweep of sweeps) {
      if (closed) return;
      await sweep.turn(confirmed).catch((error: unknown) => {
        const { logger, chainId } = options;
        logger.warn({ err: error, chainId }, 'Nonces of open holds could not be read; it is tried again');
      });
    }
  }

  async function lookAndJudge(): Promise<void> {
    const noted = noteFailures(options.store);
    try {
      await look(noted.store);
    } catch (cause) {
      health.failed(cause, noted.has(cause));
      throw cause;
    }
  }

  function startLook(): Promise<void> {
    underWay ??= lookAndJudge().finally(() => {
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
    await startLook().catch(() => undefined);
    if (!closed) timer = setTimeout(() => void poll(), options.pollIntervalMs);
  }

  void poll();
  return {
    view,
    fault: () =>
      health.fault() ?? (view() === undefined ? 'what was seen of the chain is too old to sign on' : undefined),
    catchUp,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await (next ?? underWay)?.catch(() => undefined);
    },
  };
}

/** The store, with the failures of its transactions kept apart from those of the node. */
function noteFailures(store: Store): { readonly store: Store; has(cause: unknown): boolean } {
  const failures = new Set<unknown>();
  const transaction: Store['transaction'] = (work) =>
    store.transaction(work).catch((cause: unknown) => {
      failures.add(cause);
      throw cause;
    });
  return { store: { ...store, transaction }, has: (cause) => failures.has(cause) };
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

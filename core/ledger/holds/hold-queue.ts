import type { Transaction } from 'kysely';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import { traced } from '../../base/traced.ts';
import { createFairQueue } from '../../base/values/fair-queue.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';
import { holdBatch, tryHold } from './hold-batch.ts';
import type { HoldOutcome, HoldRequest } from './hold-request.ts';

/** Decides holds as the real queue would now, without holding anything. */
export function createDryHolds(store: Store, clock: Clock): HoldQueue {
  return { hold: (request) => store.transaction((transaction) => tryHold(transaction, request, unixSeconds(clock))) };
}

/** Holds decided in one transaction. */
const maxBatch = 256;

/** Turns of the event loop in which a commit collects requests, as long as each brings some. */
const maxTurns = 16;

/**
 * Requests that may wait; beyond that, those of the account with the most are refused rather than made to wait long.
 * Accounts take turns in each transaction.
 */
const maxQueue = 4_096;

type Waiting = {
  readonly request: HoldRequest;
  readonly resolve: (outcome: HoldOutcome) => void;
  readonly reject: (cause: unknown) => void;
};

/**
 * Commits many holds at a time. While one transaction is being written to disk, arriving requests collect for the next, so
 * durability costs one commit for all of them. `hold` resolves after the commit, never before.
 */
export type HoldQueue = { hold(request: HoldRequest): Promise<HoldOutcome> };

/**
 * What takes part in the transaction of the holds, which fail if it throws; the function that it returns is called once they are
 * committed. Records have no part in it.
 */
type AlsoWrite = { alsoWrite(transaction: Transaction<Database>): Promise<() => void> };

export function createHoldQueue(store: Store, clock: Clock, alsoWrites: readonly AlsoWrite[] = []): HoldQueue {
  const waiting = createFairQueue<Waiting>(maxQueue);
  /** What the last transaction had no room for: it comes first in the next one. */
  let leftOver: readonly Waiting[] = [];
  let running = false;

  async function run(): Promise<void> {
    running = true;
    while (waiting.size() + leftOver.length > 0) {
      await gather();
      leftOver = await commit();
    }
    running = false;
  }

  /**
   * Waiting one turn of the event loop lets requests that are ready now share the commit, and lets those of the last one
   * finish first. When many are coming, each turn brings some more; one that comes alone waits for no other.
   */
  async function gather(): Promise<void> {
    let before = -1;
    for (let turn = 0; turn < maxTurns && waiting.size() > before && waiting.size() < maxBatch; turn += 1) {
      before = waiting.size();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /**
   * Requests that arrive while the transaction waits for another core's belong to it, too. Returns those that it had no room
   * for.
   */
  async function commit(): Promise<readonly Waiting[]> {
    let batch: readonly Waiting[] | undefined;
    const takeBatch = () => {
      batch ??= [...leftOver, ...waiting.take(maxBatch - leftOver.length)];
      return batch;
    };
    try {
      const { outcomes, whenCommitted } = await store.transaction(async (transaction) => {
        const requests = takeBatch().map((item) => item.request);
        const held = await holdBatch(transaction, requests, unixSeconds(clock));
        const written: (() => void)[] = [];
        for (const also of alsoWrites) written.push(await also.alsoWrite(transaction));
        return { outcomes: held, whenCommitted: written };
      });
      for (const call of whenCommitted) call();
      for (const [index, outcome] of outcomes.entries()) {
        // In a turn of its own, so that each is signed and sent before the next: together, all would wait for the last.
        setImmediate(() => takeBatch()[index]?.resolve(outcome));
      }
      return takeBatch().slice(outcomes.length);
    } catch (cause) {
      for (const item of takeBatch()) item.reject(cause);
      return [];
    }
  }

  const wait = (request: HoldRequest): Promise<HoldOutcome> =>
    new Promise((resolve, reject) => {
      waiting.add(request.accountId, { request, resolve, reject })?.resolve({ kind: 'busy' });
      if (!running) void run();
    });

  return {
    hold: (request) =>
      traced(
        { name: 'hold transaction' },
        () => wait(request),
        ({ kind }) => ({ 'tollfree.outcome': kind }),
      ),
  };
}

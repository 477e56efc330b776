import { setImmediate as nextTurn } from 'node:timers/promises';
import { createFairQueue } from '../values/fair-queue.ts';

/** Pieces of work that wait, by account. */
const waiting = createFairQueue<() => void>();
let isTaking = false;

/**
 * Does a piece of work that takes milliseconds in a separate turn of the event loop, so that many concurrent requests do not
 * block it for long. Accounts take turns, whatever their number of paymasters: an account with much work delays another by
 * one piece for each of the other's own.
 */
export function inOwnTurn<T>(accountId: string, work: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const piece = () => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    };
    waiting.add(accountId, piece);
    if (isTaking) return;
    isTaking = true;
    void takeTurns();
  });
}

async function takeTurns(): Promise<void> {
  await nextTurn();
  for (let [piece] = waiting.take(1); piece !== undefined; [piece] = waiting.take(1)) {
    piece();
    await nextTurn();
  }
  isTaking = false;
}

/** How long steps run before other work gets a turn, in milliseconds. A sponsorship takes some thirty turns. */
const maxStepsMs = 2;

/** Runs small steps in as many turns as needed. */
export async function inOwnTurns<T>(accountId: string, steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const taken = await inOwnTurn(accountId, () => takeSteps(steps));
    if (taken.done === true) return taken.value;
  }
}

function takeSteps<T>(steps: Generator<void, T>): IteratorResult<void, T> {
  const end = performance.now() + maxStepsMs;
  let step = steps.next();
  while (step.done !== true && performance.now() < end) step = steps.next();
  return step;
}

/** Maps many items, in as many turns of the event loop as that needs. */
export async function mapInTurns<Item, Mapped>(
  items: Iterable<Item>,
  map: (item: Item) => Mapped,
): Promise<readonly Mapped[]> {
  const mapped: Mapped[] = [];
  let end = performance.now() + maxStepsMs;
  for (const item of items) {
    if (performance.now() >= end) {
      await nextTurn();
      end = performance.now() + maxStepsMs;
    }
    mapped.push(map(item));
  }
  return mapped;
}

/** Runs all steps at once, for small work. */
export function inOneTurn<T>(steps: Generator<void, T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

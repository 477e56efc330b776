import { setImmediate as nextTurn } from 'node:timers/promises';
import { createFairQueue } from '../values/fair-queue.ts';

/** Pieces of work that wait, by the account they are done for. */
const waiting = createFairQueue<() => void>();
let isTaking = false;

/**
 * Does a piece of work that takes milliseconds in a turn of the event loop of its own. What many requests ask for at once does
 * not add up to one long turn, in which nothing else is answered. Accounts take turns, however many
 * paymasters they have: one with much work delays another by one piece for each of its own.
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

/** How long steps are taken before others have their turn, in milliseconds. */
const maxStepsMs = 10;

/** Takes steps, of which each takes a few milliseconds at most, in as many turns as they need. */
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

/** Takes all steps at once: for what is known to be little. */
export function inOneTurn<T>(steps: Generator<void, T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

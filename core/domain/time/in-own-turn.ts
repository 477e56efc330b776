import { setImmediate as nextTurn } from 'node:timers/promises';

let last: Promise<unknown> = Promise.resolve();

/**
 * Does a piece of work that takes milliseconds in a turn of the event loop of its own, after the pieces that were asked for
 * before it. What many requests ask for at once does not add up to one long turn, in which nothing else is answered.
 */
export function inOwnTurn<T>(work: () => T): Promise<T> {
  const done = last.then(() => nextTurn()).then(work);
  last = done.catch(() => undefined);
  return done;
}

/** How long steps are taken before others have their turn, in milliseconds. */
const maxStepsMs = 10;

/** Takes steps, of which each takes a few milliseconds at most, in as many turns as they need. */
export async function inOwnTurns<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const taken = await inOwnTurn(() => takeSteps(steps));
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

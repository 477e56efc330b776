import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds: the shortest rest, in which what waits for the event loop gets it. */
const shortestRest = 5;
/** Milliseconds: the longest rest, so that a stop of the work need not wait. */
const longestRest = 250;

/**
 * Does turns of background work until one returns that nothing is left, or `isClosed`. After each it rests as long as the turn
 * took, waiting for locks included, up to a quarter of a second. So others have about half of the time at least, and a backlog goes as
 * fast as the machine allows.
 */
export async function withRests(turn: () => Promise<boolean>, isClosed: () => boolean): Promise<void> {
  while (!isClosed()) {
    const start = performance.now();
    if (await turn()) return;
    const took = performance.now() - start;
    await pause(Math.min(Math.max(shortestRest, took), longestRest));
  }
}

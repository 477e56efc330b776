import { readFileSync } from 'node:fs';

const betweenLooksMs = 1;
const ms = 1e6;

/**
 * Watches how much processor time the event loop of this thread takes between two looks at it: that of its longest turn, give or
 * take the 4 ms in which Linux counts. Other processes at the same cores do not lengthen it as they do a time by the clock. Answers the longest
 * since the last answer, in milliseconds.
 */
export function watchTurns(): () => number {
  let longest = 0;
  let last = usedMs();
  setInterval(() => {
    const now = usedMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, betweenLooksMs).unref();
  return () => {
    const answer = longest;
    longest = 0;
    last = usedMs();
    return answer;
  };
}

/** What the thread has used, in milliseconds: Linux counts it in nanoseconds. */
function usedMs(): number {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / ms;
}

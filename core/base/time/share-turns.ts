/** How long the steps of requests run in one turn of the event loop, in milliseconds. */
const maxStepsMs = 10;

/** When the first step of this turn began; undefined before it. */
let began: number | undefined;
/** Requests that wait for a later turn, in order. */
let waiting: (() => void)[] = [];

function endTurn(): void {
  began = undefined;
  if (waiting.length === 0) return;
  const resumed = waiting;
  waiting = [];
  for (const resume of resumed) resume();
}

/**
 * Whether this turn of the event loop has room for another step of a request, which the caller then takes at once. Otherwise
 * the caller asks again after {@link laterTurn}: many requests that continue at the same time leave turns to everything else.
 */
export function turnHasRoom(): boolean {
  if (began !== undefined) return performance.now() - began < maxStepsMs;
  began = performance.now();
  setImmediate(endTurn);
  return true;
}

/** Resolves in the next turn, in the order of the callers. Only for callers without room in this one. */
export function laterTurn(): Promise<void> {
  return new Promise((resolve) => waiting.push(resolve));
}

import { setImmediate as nextTurn } from 'node:timers/promises';

/** Pieces of work that wait, by the tenant they are done for; the tenant that has the next turn is first. */
const waiting = new Map<string, (() => void)[]>();
let isTaking = false;

/**
 * Does a piece of work that takes milliseconds in a turn of the event loop of its own. What many requests ask for at once does
 * not add up to one long turn, in which nothing else is answered. Tenants, by the id of their paymaster or account, take turns:
 * one with much work delays another by one piece for each of its own.
 */
export function inOwnTurn<T>(tenant: string, work: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const piece = () => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    };
    const own = waiting.get(tenant);
    if (own === undefined) waiting.set(tenant, [piece]);
    else own.push(piece);
    if (isTaking) return;
    isTaking = true;
    void takeTurns();
  });
}

async function takeTurns(): Promise<void> {
  await nextTurn();
  for (let [next] = waiting; next !== undefined; [next] = waiting) {
    const [tenant, pieces] = next;
    waiting.delete(tenant);
    const piece = pieces.shift();
    if (pieces.length > 0) waiting.set(tenant, pieces);
    piece?.();
    await nextTurn();
  }
  isTaking = false;
}

/** How long steps are taken before others have their turn, in milliseconds. */
const maxStepsMs = 10;

/** Takes steps, of which each takes a few milliseconds at most, in as many turns as they need. */
export async function inOwnTurns<T>(tenant: string, steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const taken = await inOwnTurn(tenant, () => takeSteps(steps));
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

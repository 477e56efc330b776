import type { BenchTarget } from '../bench-target.ts';
import { nextNonceKey, requestKinds, requestOf } from '../request-kinds.ts';

/** What became of the requests since `reset`: the longest time without a signature, in milliseconds. */
export type Signing = { readonly longest: number; readonly signed: number; readonly refused: number };

/** Asks for one signature after the other. `next` waits for one that was asked for after the call. */
export function keepSigning(target: BenchTarget): {
  next(): Promise<void>;
  reset(): void;
  stop(): Promise<Signing>;
} {
  let stopped = false;
  let [longest, signed, refused] = [0, 0, 0];
  let last = performance.now();
  let waiting: (() => void)[] = [];

  async function ask(): Promise<void> {
    const served = waiting;
    waiting = [];
    const answer = await fetch(target.rpcUrl, {
      method: 'POST',
      ...requestOf(requestKinds.SPONSORED.bodies[0], target, nextNonceKey()),
    });
    if (!('result' in ((await answer.json()) as object))) {
      refused += 1;
      waiting = [...served, ...waiting];
      return;
    }
    signed += 1;
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    for (const resolve of served) resolve();
  }

  const loop = (async () => {
    while (!stopped) await ask();
  })();
  return {
    next: () => new Promise((resolve) => waiting.push(resolve)),
    reset: () => {
      [longest, signed, refused] = [0, 0, 0];
      last = performance.now();
    },
    stop: async () => {
      stopped = true;
      await loop;
      return { longest, signed, refused };
    },
  };
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { laterTurn, turnHasRoom } from '../../core/base/time/share-turns.ts';
import { accept } from '../../core/domain/result/result.ts';
import { steps } from '../../core/sponsorship/run/steps.ts';

/** Keeps the processor busy. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test('requests that continue at the same time leave turns to other work between their steps', async () => {
  const requests = 40;
  const step = () => {
    work(2);
    return accept({});
  };
  const decide = steps<object>().step(step).step(step).step(step);
  // All wait for the same answer, as for the profile of one paymaster.
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let isOver = false;
  const decided = Promise.all(
    Array.from({ length: requests }, async () => {
      await answered;
      return decide.run({});
    }),
  ).then(() => {
    isOver = true;
  });
  answer();
  let turns = 0;
  while (!isOver) {
    turns += 1;
    await nextTurn();
  }
  await decided;
  // 240 ms of work, of which a turn has 10 and the rest of a step.
  expect(turns).toBeGreaterThan(10);
});

test('requests that wait for a turn continue in the order in which they came', async () => {
  await nextTurn();
  turnHasRoom();
  work(20);
  const order: number[] = [];
  const ask = async (number: number) => {
    while (!turnHasRoom()) await laterTurn();
    order.push(number);
  };
  await Promise.all([1, 2, 3, 4].map(ask));
  expect(order).toEqual([1, 2, 3, 4]);
});

import { expect, test, vi } from 'vitest';
import { type ReadOutcome, sharedMilliseconds, shareRead } from '../../core/quotes/shared-read.ts';

/** A read that ends when told to, and the clock that it is shared by. */
function startRead() {
  let now = 0;
  const reads: ((outcome: ReadOutcome<number>) => void)[] = [];
  const read = shareRead(() => new Promise<ReadOutcome<number>>((resolve) => reads.push(resolve)), { now: () => now });
  const answer = (outcome: ReadOutcome<number>) => reads.at(-1)?.(outcome);
  return { read, answer, reads, moveTo: (time: number) => (now = time) };
}

/** A shared read that has answered once already, with `value`. */
async function startWith(value: number) {
  const started = startRead();
  const first = started.read();
  started.answer({ value });
  expect(await first).toEqual({ value });
  return started;
}

test('what is asked for all the time is read again before its time is over, and no one waits for that', async () => {
  const { read, answer, reads, moveTo } = await startWith(1);
  moveTo(sharedMilliseconds - 1);
  expect(await Promise.all([read(), read()])).toEqual([{ value: 1 }, { value: 1 }]);
  expect(reads).toHaveLength(2);
  answer({ value: 2 });
  await vi.waitFor(async () => expect(await read()).toEqual({ value: 2 }));
  moveTo(sharedMilliseconds);
  expect(await read()).toEqual({ value: 2 });
  expect(reads).toHaveLength(2);
});

test('a value is used to its end, and no longer, when the next one cannot be read', async () => {
  const { read, answer, reads, moveTo } = await startWith(1);
  moveTo(sharedMilliseconds - 2);
  await read();
  answer({ problem: 'did not answer' });
  moveTo(sharedMilliseconds - 1);
  expect([await read(), await read()]).toEqual([{ value: 1 }, { value: 1 }]);
  expect(reads).toHaveLength(2);
  moveTo(sharedMilliseconds);
  const again = read();
  expect(reads).toHaveLength(3);
  answer({ problem: 'did not answer' });
  expect(await again).toEqual({ problem: 'did not answer' });
  expect(await read()).toEqual({ problem: 'did not answer' });
  expect(reads).toHaveLength(3);
});

test('who asks when a value is over waits for the read that was begun before', async () => {
  const { read, answer, reads, moveTo } = await startWith(1);
  moveTo(sharedMilliseconds - 1);
  await read();
  moveTo(sharedMilliseconds);
  const waiting = read();
  expect(reads).toHaveLength(2);
  answer({ value: 2 });
  expect(await waiting).toEqual({ value: 2 });
});

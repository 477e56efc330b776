import { expect, test } from 'vitest';
import { freshOrLast, minValidMs } from '../../core/runtime/metrics/create-metric-reader.ts';
import { handTimes } from '../support/time/hand-times.ts';

/** A reading that the test lets end. */
function slowReading() {
  const ends: ((value: number) => void)[] = [];
  const times = handTimes();
  const faults: unknown[] = [];
  const read = () => new Promise<number>((resolve) => ends.push(resolve));
  const ask = freshOrLast(read, { waitMs: 1_000, ...times, onFault: (cause) => faults.push(cause) });
  return { ...times, ask, faults, begun: () => ends.length, end: (value: number) => ends.at(-1)?.(value) };
}

test('who asks at the same time shares a reading, and it serves for a while', async () => {
  const { ask, begun, end, pass } = slowReading();
  const both = [ask(), ask()];
  end(7);
  expect(await Promise.all(both)).toEqual([7, 7]);
  pass(minValidMs - 1);
  expect(await ask()).toBe(7);
  expect(begun()).toBe(1);
  pass(1);
  const next = ask();
  end(8);
  expect(await next).toBe(8);
});

test('no one waits long for a slow reading: what was read last does', async () => {
  const { ask, end, pass, left } = slowReading();
  const first = ask();
  end(1);
  await first;
  pass(minValidMs);
  const late = ask();
  pass(1_000);
  expect(await late).toBe(1);
  end(2);
  expect(await ask()).toBe(2);
  expect(left()).toBe(0);
});

test('a reading that took long serves twenty times as long', async () => {
  const { ask, begun, end, pass } = slowReading();
  const slow = ask();
  pass(900);
  end(1);
  await slow;
  pass(900 * 19 - 1);
  expect(await ask()).toBe(1);
  expect(begun()).toBe(1);
  pass(1);
  void ask();
  expect(begun()).toBe(2);
});

test('a reading that fails is told of, and the last one does', async () => {
  const times = handTimes();
  const faults: unknown[] = [];
  let answers = [async () => 1, () => Promise.reject(new Error('gone'))];
  const read = () => {
    const [next = async () => 3, ...rest] = answers;
    answers = rest;
    return next();
  };
  const ask = freshOrLast(read, { waitMs: 1_000, ...times, onFault: (cause) => faults.push(cause) });
  expect(await ask()).toBe(1);
  times.pass(minValidMs);
  expect(await ask()).toBe(1);
  expect(faults).toEqual([new Error('gone')]);
  expect(await ask()).toBe(3);
});

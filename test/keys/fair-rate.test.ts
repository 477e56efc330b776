import { expect, test } from 'vitest';
import { createKeyRates } from '../../core/paymasters/key-rates.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';

/** A key with a rate, whose clock the test moves. */
function keyWith(rate: { readonly perSecond: number; readonly burst: number }) {
  let now = 1_800_000_000_000;
  const take = createKeyRates({ clock: { now: () => now }, logger: silentLogger });
  return {
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    ask: (client?: string) => take('key', rate, client),
    askTimes: (times: number, client?: string) => Array.from({ length: times }, () => take('key', rate, client)),
  };
}

test.each(['203.0.113.7', undefined])('one client alone (%s) has the burst and the rate of its key', (client) => {
  const key = keyWith({ perSecond: 2, burst: 4 });
  expect(key.askTimes(6, client)).toEqual([true, true, true, true, false, false]);
  key.pass(10_000);
  expect(key.askTimes(6, client)).toEqual([true, true, true, true, false, false]);
  let taken = 0;
  for (let passed = 0; passed < 60_000; passed += 100) {
    key.pass(100);
    if (key.ask(client)) taken += 1;
  }
  expect(taken).toBeGreaterThanOrEqual(119);
  expect(taken).toBeLessThanOrEqual(121);
});

test('an address that asks all the time leaves the rate of a key to others that ask for less', () => {
  const key = keyWith({ perSecond: 2, burst: 4 });
  const refused: number[] = [];
  for (let passed = 0; passed < 60_000; passed += 50) {
    key.pass(50);
    key.ask('greedy');
    if (passed % 2_000 === 0 && !key.ask('modest')) refused.push(passed);
  }
  expect(refused).toEqual([]);
});

import { TimeoutError } from 'viem';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type CircuitBreaker,
  createCircuitBreaker,
  maxFailuresInRow,
  restMs,
} from '../../core/node/rpc/circuit-breaker.ts';

const fault = new Error('out of service');

let breaker: CircuitBreaker;
/** Milliseconds. */
let now: number;
/** The causes of rests, and 'back' for each that was over. */
let reported: unknown[];

beforeEach(() => {
  [now, reported] = [1_000_000, []];
  const onRest = (cause: unknown) => void reported.push(cause);
  breaker = createCircuitBreaker({ clock: { now: () => now }, onRest, onReturn: () => void reported.push('back') });
});

function fail(times: number): void {
  for (let left = times; left > 0; left -= 1) breaker.failed(fault);
}

describe('an endpoint rests', () => {
  test('after so many failures in a row, and a success begins again', () => {
    expect(breaker.rests()).toBe(false);
    fail(maxFailuresInRow - 1);
    breaker.succeeded();
    fail(maxFailuresInRow - 1);
    expect(breaker.rests()).toBe(false);
    expect(reported).toEqual([]);
    breaker.failed(fault);
    expect(breaker.rests()).toBe(true);
    expect(reported).toEqual([fault]);
  });

  test('after one time-out, and when it was overtaken once', () => {
    const timeout = new TimeoutError({ body: {}, url: 'http://node' });
    breaker.failed(timeout);
    expect(breaker.rests()).toBe(true);
    breaker.succeeded();
    expect(breaker.rests()).toBe(false);
    breaker.wasOvertaken(fault);
    expect(breaker.rests()).toBe(true);
    expect(reported).toEqual([timeout, 'back', fault]);
  });

  test('once, however often it fails meanwhile, and without anybody who is told', () => {
    fail(3 * maxFailuresInRow);
    breaker.wasOvertaken(fault);
    expect(reported).toEqual([fault]);
    const silent = createCircuitBreaker({ clock: { now: () => now } });
    silent.wasOvertaken(fault);
    expect(silent.rests()).toBe(true);
    silent.succeeded();
    expect(silent.rests()).toBe(false);
  });
});

describe('an endpoint is tried', () => {
  test('when its rest is over, by one caller', () => {
    expect(breaker.takeTrial()).toBe(false);
    breaker.wasOvertaken(fault);
    expect(breaker.takeTrial()).toBe(false);
    now += restMs - 1;
    expect(breaker.takeTrial()).toBe(false);
    now += 1;
    expect(breaker.takeTrial()).toBe(true);
    expect(breaker.takeTrial()).toBe(false);
    // It still rests until it has succeeded.
    expect(breaker.rests()).toBe(true);
  });

  test('again after a whole rest when the trial failed, be it only once', () => {
    breaker.wasOvertaken(fault);
    breaker.succeeded();
    breaker.wasOvertaken(fault);
    now += restMs;
    expect(breaker.takeTrial()).toBe(true);
    breaker.failed(fault);
    now += restMs - 1;
    expect(breaker.takeTrial()).toBe(false);
    now += 1;
    expect(breaker.takeTrial()).toBe(true);
  });

  test('later when it fails although no one has tried it', () => {
    breaker.wasOvertaken(fault);
    now += restMs - 1;
    breaker.failed(fault);
    now += 1;
    expect(breaker.takeTrial()).toBe(false);
  });

  test('again in each rest, and not once it has returned', () => {
    for (let rest = 0; rest < 2; rest += 1) {
      breaker.wasOvertaken(fault);
      now += restMs;
      expect(breaker.takeTrial()).toBe(true);
      breaker.succeeded();
      expect(breaker.takeTrial()).toBe(false);
    }
    expect(reported).toEqual([fault, 'back', fault, 'back']);
  });

  test('at once when its rest was begun by a clock that was ahead', () => {
    breaker.wasOvertaken(fault);
    now -= 1;
    expect(breaker.takeTrial()).toBe(true);
  });
});

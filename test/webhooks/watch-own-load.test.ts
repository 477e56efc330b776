import { performance } from 'node:perf_hooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { watchOwnLoad } from '../../core/webhooks/sign-webhook.ts';

/** A process whose time and load are as told. */
function startWatch(timeoutMs: number) {
  const at = { now: 1_000, utilization: 0 };
  const load = () => ({ idle: 0, active: 0, utilization: at.utilization });
  const spies = [
    vi.spyOn(performance, 'now').mockImplementation(() => at.now),
    vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(load),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return { at, wasBusy: watchOwnLoad(timeoutMs) };
}

test('a process that noticed the time limit when it was over had time for an answer', () => {
  const { at, wasBusy } = startWatch(2_000);
  at.now += 2_100;
  expect(wasBusy()).toBe(false);
});

test('one that noticed it late may have missed an answer, as may one that was at work nearly all the time', () => {
  const { at, wasBusy } = startWatch(2_000);
  at.now += 2_101;
  expect(wasBusy()).toBe(true);
  const other = startWatch(2_000);
  other.at.now += 2_000;
  other.at.utilization = 0.9;
  expect(other.wasBusy()).toBe(false);
  other.at.utilization = 0.91;
  expect(other.wasBusy()).toBe(true);
});

test('of the real one, work without a pause is work all the time', () => {
  const wasBusy = watchOwnLoad(60_000);
  expect(performance.eventLoopUtilization().utilization).toBeGreaterThan(0);
  expect(wasBusy()).toBe(true);
});

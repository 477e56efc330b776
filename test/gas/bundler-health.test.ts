import { expect, onTestFinished, test, vi } from 'vitest';
import { watchBundler } from '../../core/runtime/deferred-parts.ts';
import { createRecordingLogger } from '../support/logging/recording-logger.ts';
import { respond, respondError, respondResult, startRpcServer } from '../support/servers/json-rpc-server.ts';

/** A bundler that does as it is told, and the one who watches it. `tick` lets the time to the next question pass. */
async function watchDouble() {
  let mood: 'answers' | 'complains' | 'fails' | 'hangs up' = 'answers';
  const bundler = await startRpcServer((request, response) => {
    if (mood === 'answers') respondResult(response, request, []);
    else if (mood === 'complains') respondError(response, request, -32601, 'unknown method');
    else if (mood === 'fails') respond(response, 'Bad Gateway', 502);
    else response.destroy();
  });
  onTestFinished(() => bundler.close());
  const levels: string[] = [];
  const { logger } = createRecordingLogger(({ level }) => levels.push(level));
  let due: (() => void) | undefined;
  const timers = {
    at: (_time: number, work: () => void) => {
      due = work;
      return () => undefined;
    },
  };
  const health = watchBundler({ chainId: 1, bundlerUrl: bundler.url, timeoutMs: 2_000, clock: Date, logger, timers });
  onTestFinished(() => health.close());
  const tick = async (next: typeof mood) => {
    mood = next;
    const asked = bundler.requests.length;
    due?.();
    await vi.waitFor(() => expect(bundler.requests.length).toBeGreaterThan(asked));
  };
  return { health, tick, levels };
}

test('a bundler that goes away is a fault until it answers, logged once at each end', async () => {
  const { health, tick, levels } = await watchDouble();
  await vi.waitFor(() => expect(health.fault()).toBeUndefined());
  for (const mood of ['hangs up', 'fails'] as const) {
    await tick(mood);
    await vi.waitFor(() => expect(health.fault()).toBe('the bundler does not respond'));
  }
  expect(levels).toEqual(['warn']);
  await tick('answers');
  await vi.waitFor(() => expect(health.fault()).toBeUndefined());
  expect(levels).toEqual(['warn', 'info']);
});

test('a bundler that does not know the question is there', async () => {
  const { health, tick, levels } = await watchDouble();
  await vi.waitFor(() => expect(health.fault()).toBeUndefined());
  await tick('complains');
  expect(health.fault()).toBeUndefined();
  expect(levels).toEqual([]);
});

test('estimates that are of no use are a fault until they are again, logged once at each end', async () => {
  const { health, levels } = await watchDouble();
  health.estimates.rests(new Error('too low'));
  expect(health.fault()).toBe('the bundler’s estimates cannot be used');
  health.estimates.returns();
  expect(health.fault()).toBeUndefined();
  expect(levels).toEqual(['warn', 'info']);
});

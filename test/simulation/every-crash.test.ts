import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runScenario } from './run-scenario.ts';

/** Milliseconds: some hundred worlds, on a machine that does other things as well. */
const timeout = 600_000;

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterAll(() => {
  vi.useRealTimers();
});

test(
  'a scenario of holds, landings, expiry and corrections survives a crash at every point of it',
  async () => {
    const died: string[] = [];
    for (let point = 0; ; point += 1) {
      const diedAt = await runScenario(point);
      if (diedAt === undefined) break;
      died.push(diedAt);
    }
    const places = new Set(died);
    for (const table of ['holds', 'entries', 'movements', 'grants', 'signatures', 'contract_watches', 'limit_usage']) {
      expect(places).toContain(`before an insert into ${table}`);
      expect(places).toContain(`after an insert into ${table}`);
    }
    for (const point of [
      'before a commit',
      'after a commit',
      'before an update',
      'after an update',
      'after a delete',
    ]) {
      expect(places).toContain(point);
    }
  },
  timeout,
);

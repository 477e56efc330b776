import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { isLongRun } from '../support/run/rows-of-run.ts';
import { listCrashPoints, runScenario } from './run-scenario.ts';

/** Milliseconds: some hundred worlds, on a machine that does other things as well. */
const timeout = 600_000;
/**
 * Unless all are asked for: of each kind of point the first, and of all of them one in so many. `npm test` tries of the points
 * within a transaction those before a write: after one, the same rows are lost.
 */
const oneIn = process.env.EVERY_CRASH === '1' ? 1 : isLongRun ? 5 : 60;

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterAll(() => {
  vi.useRealTimers();
});

test(
  'a scenario of holds, landings, expiry and corrections survives a crash at each point of it that is tried',
  async () => {
    const points = await listCrashPoints();
    for (const table of ['holds', 'journal', 'signed_terms', 'signatures', 'contract_watches', 'ledger_accounts']) {
      expect(points).toContain(`before an insert into ${table}`);
      expect(points).toContain(`after an insert into ${table}`);
    }
    for (const point of [
      'before a commit',
      'after a commit',
      'before an update',
      'after an update',
      'after a delete',
    ]) {
      expect(points).toContain(point);
    }
    for (const [index, point] of points.entries()) {
      const isFirst =
        points.indexOf(point) === index && (isLongRun || !/^after an? (insert|update|delete)/.test(point));
      if (index % oneIn !== 0 && !isFirst) continue;
      expect(await runScenario(index)).toBe(point);
    }
    expect(await runScenario(points.length)).toBeUndefined();
  },
  timeout,
);

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isOnPostgres } from '../support/store/test-database.ts';
import { runCluster } from './run-cluster.ts';
import { readSimulationSize } from './simulation-size.ts';

const { clusterSeeds: seeds, clusterSteps: steps } = readSimulationSize(process.env);
const timeout = 3_600_000;

describe.skipIf(!isOnPostgres)('the ledger of several cores at one database is what the model says', () => {
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterAll(() => {
    vi.useRealTimers();
  });

  test.each(seeds)(
    `in a world of ${steps} steps from seed %d`,
    async (seed) => {
      const { held } = await runCluster({ seed, steps });
      expect(held).toBeGreaterThan(0);
    },
    timeout,
  );
});

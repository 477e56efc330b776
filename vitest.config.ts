import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

// Packages of this repository are taken from their sources: nothing has to be built before.
const conditions = ['@tollfree/source', ...defaultServerConditions];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/tooling/collect-landings.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});

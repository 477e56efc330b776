import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

// Packages of this repository are taken from their sources: nothing has to be built before.
const conditions = ['@tollfree/source', ...defaultServerConditions];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: [
      'test/tooling/collect-landings.ts',
      'test/support/run/build-program.ts',
      'test/support/run/start-chains.ts',
    ],
    pool: 'forks',
    // A worker loads the product once for all its files. What a test changes for the whole process it puts back.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});

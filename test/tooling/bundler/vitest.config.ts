import { resolve } from 'node:path';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

const conditions = ['@tollfree/source', ...defaultServerConditions];

/** The suites that need an installed alto, whose program `npm run test:bundler` names by a variable. */
export default defineConfig({
  root: resolve(import.meta.dirname, '../../..'),
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['test/bundler/*.suite.ts'],
    provide: { alto: process.env.ALTO_PROGRAM ?? '' },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});

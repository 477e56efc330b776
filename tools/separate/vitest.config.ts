import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { installPackages } from '../install-packages.ts';
import { packageResolution } from '../package-resolution.ts';

installPackages('test');

const { SUITES: suites, INSTALLED: installed, CODE_NODE: codeNode = '' } = process.env;
if (suites === undefined || installed === undefined) throw new Error('Run it by one of the commands of package.json.');

/** Suites that need a package installed outside the repository. */
export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  ...packageResolution,
  test: {
    include: [suites],
    execArgv: ['--import', resolve(import.meta.dirname, '../../test/support/run/end-with-run.mjs')],
    provide: { installed, codeNode },
    globalSetup: ['tools/collect-landings.ts', 'test/support/run/start-chains.ts'],
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});

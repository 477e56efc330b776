import { runSeparately } from './separate/run-separately.ts';

/** It has 380 MB and the GPL's licence: neither the lock file nor a package of ours may name it. */
const alto = { name: '@pimlico/alto', version: '0.0.20' };

/**
 * `npm run test:bundler`: published clients send operations through alto, a bundler of others, on a development chain.
 * Flags go to vitest. Exits 1 when one does not land.
 */
process.exit(runSeparately(alto, 'test/bundler/*.suite.ts', process.argv.slice(2)));

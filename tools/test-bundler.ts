import { alto } from './separate/alto.ts';
import { runSeparately } from './separate/run-separately.ts';

/**
 * `npm run test:bundler`: published clients send operations through alto, a third-party bundler, on a development chain.
 * Flags go to vitest. Exits 1 when one does not land.
 */
process.exit(runSeparately(alto, 'test/bundler/*.suite.ts', process.argv.slice(2)));

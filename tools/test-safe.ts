import { runSeparately } from './separate/run-separately.ts';

/** Its 126 MB are too much for the lock file. */
const relayKit = { name: '@safe-global/relay-kit', version: '5.0.0' };

/**
 * `npm run test:safe`: Safe's relay kit sends operations of a Safe on a development chain, sponsored and paid in a
 * token. Flags go to vitest. Exits 1 when one does not land.
 */
process.exit(runSeparately(relayKit, 'test/published-clients/relay-kit.separate.ts', process.argv.slice(2)));

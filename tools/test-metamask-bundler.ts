import { runSeparately } from './separate/run-separately.ts';

/** With Ethers 5 and its dependencies it is too large for the lock file. */
const testBundler = { name: '@metamask/test-bundler', version: '1.0.0' };

/**
 * `npm run test:metamask-bundler`: eth-infinitism's bundler, as MetaMask tests with it, lands operations on EntryPoint 0.6. Flags go to
 * vitest. Exits 1 when one does not land.
 */
process.exit(runSeparately(testBundler, 'test/bundler/metamask-bundler.separate.ts', process.argv.slice(2)));

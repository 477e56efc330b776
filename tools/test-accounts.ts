import { alto } from './separate/alto.ts';
import { runSeparately } from './separate/run-separately.ts';

/**
 * `CODE_NODE=<URL> npm run test:accounts`: accounts whose code is in no npm package send operations, through the development
 * chain's bundler and through alto. Their code is copied from a public chain, using the node at that URL. Flags go to
 * vitest.
 */
if (process.env.CODE_NODE === undefined) {
  process.stderr.write(
    'Set CODE_NODE to the URL of a node of a public chain: the published code is copied from there.\n',
  );
  process.exit(1);
}
const suites = 'test/{account-matrix/published-accounts,bundler/account-matrix}.suite.ts';
process.exit(runSeparately(alto, suites, process.argv.slice(2)));

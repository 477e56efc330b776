import { alto } from './separate/alto.ts';
import { runSeparately } from './separate/run-separately.ts';
import { runSuites } from './separate/run-suites.ts';

/**
 * `npm run test:accounts -- --fork amsterdam`: every kind of account sends what writes new state, with each way to get limits and to pay,
 * on a chain with the gas prices of that fork (`osaka`, `amsterdam`, or `made-up` prices).
 *
 * `CODE_NODE=<URL> npm run test:accounts`: accounts whose code is in no npm package send operations, through the development
 * chain's bundler and through alto. Their code is copied from a public chain, using the node at that URL. With `--fork` too, they
 * join the others there. Other flags go to vitest.
 */
const [fork, flags] = takeFork(process.argv.slice(2));
if (fork !== undefined) {
  process.env.DEV_FORK = fork;
  process.exit(runSuites('test/account-matrix/account-flows.suite.ts', { flags }));
}
if (process.env.CODE_NODE === undefined) {
  process.stderr.write(
    'Set CODE_NODE to the URL of a node of a public chain: the published code is copied from there. Or name the prices of a chain: --fork amsterdam.\n',
  );
  process.exit(1);
}
const suites = 'test/{account-matrix/published-accounts,bundler/account-matrix}.suite.ts';
process.exit(runSeparately(alto, suites, flags));

function takeFork(given: readonly string[]): readonly [fork: string | undefined, rest: readonly string[]] {
  const at = given.indexOf('--fork');
  return at < 0
    ? [undefined, given]
    : [given[at + 1] ?? '', given.filter((_, index) => index !== at && index !== at + 1)];
}

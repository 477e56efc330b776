import { parseArgs } from 'node:util';
import { temporaryFolder } from '../../support/run/temporary-folder.ts';

/** Runs rounds until service and model differ: then it says so, and ends with 1. */
const { values: flags } = parseArgs({
  options: { rounds: { type: 'string', default: '60' }, steps: { type: 'string', default: '300' } },
});
// No ledger outlives its process, so its database need not reach a disk.
Object.assign(process.env, temporaryFolder());
const { runRecount } = await import('./run-recount.ts');
try {
  for (let seed = 1; seed <= Number(flags.rounds); seed += 1) await runRecount({ seed, steps: Number(flags.steps) });
} catch (cause) {
  console.log(String(cause));
  process.exitCode = 1;
}

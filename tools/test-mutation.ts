import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { mutatedAreas } from './mutation/mutated-areas.ts';
import { installStryker, runStryker } from './mutation/run-stryker.ts';
import { sampleLines } from './mutation/sample-lines.ts';

/** Percentage of mutants that the tests must detect. */
const minScore = 85;

/**
 * `npm run test:mutation`: puts small faults into the product and counts how many of them the tests detect. All areas take
 * hours: `-- --mutate 'core/evm/account-decoders/**'` takes the files of one folder, `-- --area decoders` one area by name,
 * `-- --sample 10` every tenth block of their lines, with `--offset 3` a different selection; `-- --ignore-static` leaves
 * out the slowest faults; `-- --workers 1` leaves a core to others. Exits 1 when a score is too low.
 */
const { values } = parseArgs({
  options: {
    mutate: { type: 'string' },
    area: { type: 'string' },
    sample: { type: 'string', default: '1' },
    offset: { type: 'string' },
    'ignore-static': { type: 'boolean', default: false },
    workers: { type: 'string', default: '2' },
  },
});

const root = resolve(import.meta.dirname, '..');
const every = Number(values.sample);
const offset = Number(values.offset ?? Math.floor(every / 2));

function findAreas() {
  const { mutate, area } = values;
  if (mutate === undefined) return mutatedAreas.filter(({ name }) => area === undefined || name === area);
  const folder = mutate.replace(/\*.*$/, '');
  return mutatedAreas
    .filter((known) => known.mutate.some((glob) => folder.startsWith(glob.replace(/\*.*$/, ''))))
    .map((known) => ({ ...known, mutate: [mutate] }));
}

const areas = findAreas();
if (areas.length === 0) {
  const names = mutatedAreas.map(({ name, mutate }) => `  ${name}: ${mutate.join(' ')}\n`);
  process.stderr.write(`No area has these files. There are:\n${names.join('')}`);
}
const passed =
  areas.length > 0 &&
  installStryker() &&
  areas.map((area) => {
    const mutate = every === 1 ? area.mutate : sampleLines(root, area.mutate, { every, offset });
    const workers = Number(values.workers);
    return runStryker({ ...area, mutate }, { minScore, ignoreStatic: values['ignore-static'], workers });
  });
process.exit(passed !== false && !passed.includes(false) ? 0 : 1);

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gasTablePage, measureRows, pageWith } from './gas-table.ts';
import { openOverheadLab } from './overhead-lab.ts';

/**
 * `npm run bench:contracts`: what a paymaster contract adds to the gas of a call, for each family on a chain of its own. `-- --write`
 * also writes the table of docs/performance.md.
 */
const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const lab = await openOverheadLab();
try {
  const rows = await measureRows(lab);
  for (const row of rows) {
    const cells = row.map((cell, at) => cell.padEnd(at === 0 ? 26 : 12));
    process.stdout.write(`${cells.join('').trimEnd()}\n`);
  }
  if (values.write) writeFileSync(gasTablePage, pageWith(rows));
} finally {
  await lab.close();
}

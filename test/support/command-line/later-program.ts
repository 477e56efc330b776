import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { inject } from 'vitest';
import { newestVersion } from '../../../core/store/migrations/history.ts';

let made = 0;

/**
 * The program as a later version would be: its schema has one more step than this one's, and one more with each call. Programs of
 * earlier versions write nothing next to it.
 */
export function laterProgram(): string {
  made += 1;
  const program = inject('program');
  const home = program.slice(0, program.lastIndexOf(`${sep}dist${sep}`));
  const copy = `${home}-later-${made}`;
  cpSync(home, copy, { recursive: true, verbatimSymlinks: true });
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
  const steps = Array.from(
    { length: made },
    (_, index) => `{
      version: ${newestVersion + index + 1},
      name: 'later',
      sql: () => 'CREATE TABLE later_${index + 1} (x bigint)',
      endsOlderWriters: true,
    }`,
  );
  const changed = readdirSync(join(copy, 'dist'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .filter((name) => addSteps(join(copy, 'dist', name), steps));
  if (changed.length !== 1) throw new Error(`The steps of the schema are in ${changed.length} files of the program.`);
  return join(copy, relative(home, program));
}

/** Whether the file has the list of steps, to which they are added. */
function addSteps(file: string, steps: readonly string[]): boolean {
  const code = readFileSync(file, 'utf8');
  const later = code.replace(
    /(\bsteps: )\[\](?=\s*\};\s*(?:\/\*\*[^*]*\*\/\s*)?const newestVersion\b)/,
    `$1[${steps.join(', ')}]`,
  );
  if (later === code) return false;
  writeFileSync(file, later);
  return true;
}

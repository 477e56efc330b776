import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { generators } from './generators.ts';
import { findForbiddenImports } from './import-rules.ts';
import { runStep } from './run-step.ts';

/** `npm run check`: types, style, protocol lint, generated files, import rules, packages. Exits 1 when one of them is broken. */
const checks: readonly (() => boolean)[] = [
  () => runStep('types', 'npx', ['tsc', '-p', '.']),
  () => runStep('style', 'npx', ['biome', 'check', '--error-on-warnings', '.']),
  () => runStep('protocol lint', 'npx', ['buf', 'lint']),
  importRulesHold,
  generatedFilesAreCurrent,
  () => runStep('packages', 'npm', ['run', 'check:packages']),
];

function importRulesHold(): boolean {
  process.stdout.write('- import rules\n');
  const forbidden = findForbiddenImports('.');
  for (const line of forbidden) process.stderr.write(`${line}\n`);
  return forbidden.length === 0;
}

function generatedFilesAreCurrent(): boolean {
  const paths = generators.flatMap((generator) => generator.writes);
  const before = paths.map(readAll);
  const ran = generators.every(({ name, command, args }) => runStep(`generated: ${name}`, command, args));
  const stale = paths.filter((path, index) => readAll(path) !== before[index]);
  for (const path of stale) process.stderr.write(`${path} was not current; it has been written anew\n`);
  return ran && stale.length === 0;
}

function readAll(path: string): string {
  if (statSync(path).isFile()) return readFileSync(path, 'utf8');
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();
  return names
    .filter((name) => statSync(join(path, name)).isFile())
    .map((name) => `${name}\n${readFileSync(join(path, name), 'utf8')}`)
    .join('\n');
}

const broken = checks.filter((check) => !check()).length;
process.stdout.write(broken === 0 ? 'All checks hold.\n' : `${broken} of ${checks.length} checks failed.\n`);
process.exit(broken === 0 ? 0 : 1);

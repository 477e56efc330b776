import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { cruise } from './cruise.ts';
import { findLargeFolders } from './find-large-folders.ts';
import { findReleaseImage } from './find-release-image.ts';
import { generators } from './generators.ts';
import { runStep } from './run-step.ts';

/** `npm run check`: types, style, protocol, import rules, folder sizes, generated files, packages. Exits 1 when one is broken. */
const checks: readonly (() => boolean)[] = [
  () => runStep('types', 'npx', ['tsc', '-p', '.']),
  () => runStep('types of the dashboard', 'npx', ['tsc', '-p', 'clients/dashboard']),
  () => runStep('style', 'npx', ['biome', 'check', '--error-on-warnings', '.']),
  () => runStep('protocol lint', 'npx', ['buf', 'lint']),
  () => runStep('protocol since the last release', 'npx', ['buf', 'breaking', '--against', findReleaseImage()]),
  () => runStep('import rules', process.execPath, cruise('--output-type', 'err-long')),
  foldersAreSmall,
  generatedFilesAreCurrent,
  () => runStep('packages', 'npm', ['run', 'check:packages']),
];

function foldersAreSmall(): boolean {
  process.stdout.write('- folder sizes\n');
  const large = ['contract', 'core', 'gateway', 'clients'].flatMap(findLargeFolders);
  for (const line of large) process.stderr.write(`${line}\n`);
  return large.length === 0;
}

function generatedFilesAreCurrent(): boolean {
  const paths = generators.flatMap((generator) => generator.writes);
  const before = paths.map(readAll);
  const ran = generators.every(({ name, command, args }) => runStep(`generated: ${name}`, command, args));
  const stale = paths.filter((path, index) => readAll(path) !== before[index]);
  for (const path of stale) process.stderr.write(`${path} was not current; it has been written again\n`);
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

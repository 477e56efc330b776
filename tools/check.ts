import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { cruise } from './cruise.ts';
import { findReleaseImage } from './find-release-image.ts';
import { generators, runGenerators } from './generators.ts';
import { bufProgram, installPackages, toolProgram } from './install-packages.ts';
import { findMarkdownFiles, findSourceFiles, root } from './prose/find-markdown-files.ts';
import { findProseProblems, findReplacedWordsInSource } from './prose/find-prose-problems.ts';
import { runStep } from './run-step.ts';

/**
 * `npm run check`: types, style, protocol, import rules, prose, generated files, packages. Exits 1 when one
 * is broken.
 */
const checks: readonly (() => Promise<boolean> | boolean)[] = [
  () => runStep('packages', 'npm', ['run', 'check:packages']),
  () => runStep('import rules', process.execPath, cruise('--output-type', 'err-long')),
  () => runStep('types', 'npx', ['tsc', '-p', '.']),
  () => runStep('types of the dashboard', 'npx', ['tsc', '-p', 'clients/dashboard']),
  () => runStep('style', toolProgram('biome'), ['check', '--error-on-warnings', '.']),
  () => runStep('protocol lint', bufProgram, ['lint']),
  () => runStep('protocol since the last release', bufProgram, ['breaking', '--against', findReleaseImage()]),
  proseIsPlain,
];

/** Checks that run in parallel: most of them use one core. */
const maxChecksAtOnce = 3;

/** Replaced words, dead paths, an overlong README, duplicate glossary terms. */
function proseIsPlain(): boolean {
  process.stdout.write('- prose\n');
  const problems = [
    ...findProseProblems(root, findMarkdownFiles()),
    ...findSourceFiles().flatMap((file) => findReplacedWordsInSource(file, readFileSync(join(root, file), 'utf8'))),
  ];
  for (const line of problems) process.stderr.write(`${line}\n`);
  return problems.length === 0;
}

async function generatedFilesAreCurrent(): Promise<boolean> {
  const paths = generators.flatMap((generator) => generator.writes);
  const before = paths.map(readAll);
  const ran = await runGenerators();
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

installPackages('test');
// Before the others, which read those files.
const generated = await generatedFilesAreCurrent();
const limit = pLimit(maxChecksAtOnce);
const held = [generated, ...(await Promise.all(checks.map((check) => limit(check))))];
const broken = held.filter((holds) => !holds).length;
process.stdout.write(broken === 0 ? 'All checks hold.\n' : `${broken} of ${held.length} checks failed.\n`);
process.exit(broken === 0 ? 0 : 1);

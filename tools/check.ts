import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { cruise } from './cruise.ts';
import { findReleaseImage } from './find-release-image.ts';
import { generators, runGenerators } from './generators.ts';
import { bufProgram, toolProgram } from './install-packages.ts';
import { findMarkdownFiles, findSourceFiles, root } from './prose/find-markdown-files.ts';
import { findProseProblems, findReplacedWordsInSource } from './prose/find-prose-problems.ts';
import { runStep } from './run-step.ts';

/**
 * `npm run check`: types, style, protocol, import rules, prose, generated files, packages. Exits 1 when one
 * is broken.
 */
const checks: readonly Check[] = [
  step('packages', () => ['npm', ['run', 'check:packages']]),
  step('import rules', () => [process.execPath, cruise('--output-type', 'err-long')]),
  step('types', () => ['npx', ['tsc', '-p', '.', ...oneChecker]]),
  step('types of the dashboard', () => ['npx', ['tsc', '-p', 'clients/dashboard', ...oneChecker]]),
  step('style', () => [toolProgram('biome'), ['check', '--error-on-warnings', '.']]),
  step('protocol lint', () => [bufProgram, ['lint']]),
  step('protocol since the last release', () => [bufProgram, ['breaking', '--against', findReleaseImage()]]),
  { name: 'prose', holds: proseIsPlain },
];

type Check = { readonly name: string; holds(): Promise<boolean> | boolean };

function step(name: string, commandOf: () => readonly [command: string, args: readonly string[]]): Check {
  return { name, holds: () => runStep(name, ...commandOf()) };
}

/** Several checkers would each work out most types again: one takes less time in all, and other checks run next to it. */
const oneChecker = ['--checkers', '1'];

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
  const failed = await runGenerators();
  const stale = paths.filter((path, index) => readAll(path) !== before[index]);
  for (const path of stale) process.stderr.write(`${path} was not current; it has been written again\n`);
  return failed.length === 0 && stale.length === 0;
}

function readAll(path: string): string {
  if (statSync(path).isFile()) return readFileSync(path, 'utf8');
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();
  return names
    .filter((name) => statSync(join(path, name)).isFile())
    .map((name) => `${name}\n${readFileSync(join(path, name), 'utf8')}`)
    .join('\n');
}

// Before the others, which read those files.
const generated: Check = { name: 'generated files', holds: generatedFilesAreCurrent };
const limit = pLimit(maxChecksAtOnce);
const broken = [
  ...(await namesOfBroken(generated)),
  ...(await Promise.all(checks.map((check) => limit(() => namesOfBroken(check))))).flat(),
];
process.stdout.write(
  broken.length === 0
    ? 'All checks hold.\n'
    : `${broken.length} of ${checks.length + 1} checks failed: ${broken.join(', ')}.\n`,
);
process.exit(broken.length === 0 ? 0 : 1);

/** The check's name if it is broken. One that could not run is broken too, and does not stop the others. */
async function namesOfBroken({ name, holds }: Check): Promise<readonly string[]> {
  try {
    return (await holds()) ? [] : [name];
  } catch (error) {
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    return [name];
  }
}

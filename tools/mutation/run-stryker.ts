import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { installPackages } from '../install-packages.ts';
import type { MutatedArea } from './mutated-areas.ts';

/** The newest version that runs on our oldest Node.js. */
const version = '9.6.1';
const root = resolve(import.meta.dirname, '../..');
const home = join(tmpdir(), `tollfree-stryker-${version}`);

/** Installs Stryker outside the repository: its 65 MB are too much for the lock file of a tool run by hand. */
export function installStryker(): boolean {
  installPackages('test');
  if (existsSync(join(home, 'node_modules/vitest'))) return true;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${version}`);
  // Without its peer dependencies: our own vitest runs.
  const flags = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', ['install', ...flags, ...packages], { cwd: home, stdio: 'inherit' });
  if (status !== 0) return false;
  symlinkSync(join(root, 'node_modules/vitest'), join(home, 'node_modules/vitest'));
  return true;
}

/**
 * Mutates an area and runs its tests against each mutant; true when the score is high enough. Code that runs once when a
 * file is loaded is `static`: for its mutants all tests of the area run, for others only those that cover them.
 */
export function runStryker(
  { name, mutate, tests, without = [] }: MutatedArea,
  {
    minScore,
    ignoreStatic,
    workers,
  }: { readonly minScore: number; readonly ignoreStatic: boolean; readonly workers: number },
): boolean {
  const file = join(home, `${name}.json`);
  const options = {
    mutate: [...mutate, '!**/*.generated.ts'],
    plugins: [join(home, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js')],
    testRunner: 'vitest',
    vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    ignoreStatic,
    // It would modify files that tests compare; vitest does not check types.
    disableTypeChecks: false,
    concurrency: workers,
    // A timeout on a busy machine must not count as detection.
    timeoutMS: 30_000,
    dryRunTimeoutMinutes: 60,
    tempDirName: join(home, `sandbox-${name}`),
    reporters: ['clear-text', 'json', 'progress-append-only', 'event-recorder'],
    // The results of an aborted run.
    eventReporter: { baseDir: join(home, `events-${name}`) },
    jsonReporter: { fileName: join(home, `${name}-report.json`) },
    clearTextReporter: { allowColor: false, logTests: false },
    thresholds: { high: 95, low: minScore, break: minScore },
    // It would rewrite it with its own TypeScript; vitest does not read it.
    tsconfigFile: 'none.json',
  };
  writeFileSync(file, JSON.stringify(options));
  const stryker = join(home, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const env = { ...process.env, MUTATION_TESTS: tests.join(','), MUTATION_WITHOUT: without.join(',') };
  const { status } = spawnSync(process.execPath, [stryker, 'run', file], { cwd: root, env, stdio: 'inherit' });
  return status === 0;
}

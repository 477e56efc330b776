/**
 * Runs the program for `npm run dev` and `npm run tollfree`: compiled once per state of its sources, since loading hundreds
 * of source files through a compiler takes most of a start. Plain JavaScript, so that nothing is loaded before the first
 * line is printed.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const isDev = process.argv[2] === 'dev';
if (isDev) process.stderr.write('Starting the Tollfree development service\n');

const { dashboardFolder, planDashboard } = await import('./dashboard-build.mjs');
const { digestOf, draftOf, isKept, keep } = await import('./kept-build.mjs');

const root = resolve(import.meta.dirname, '../..');
const compiler = 'tools/build/compile-program.ts';
const packer = 'tools/build/pack-plain-sdk.mjs';
const sources = [
  ...[
    'server',
    'clients/cli',
    'clients/sdk',
    'contract',
    'core',
    'gateway',
    'proto/gen',
    'package.json',
    'package-lock.json',
  ],
  ...[compiler, packer, 'docs', 'tools/build/list-licenses.ts', 'tools/build/run-program.mjs'],
];
const kept = join(root, 'node_modules/.cache/tollfree-program');
/** A running program may still load its files, so a build is removed only a day after it was made. */
const keptMs = 86_400_000;

const program = await prepare();
await import(pathToFileURL(join(program, 'dist/server/tollfree.js')).href);

/** Builds what is missing, in parallel, and returns the folder of the compiled program. */
async function prepare() {
  const digest = digestOf(sources);
  const folder = join(kept, digest.slice(0, 16));
  const builds = isKept(folder, digest) ? [] : [{ what: 'the program', build: () => buildProgram(folder, digest) }];
  const dashboard = isDev ? planDashboard() : undefined;
  if (dashboard !== undefined) {
    const what = 'the dashboard';
    builds.push({ what, build: () => runPlan({ ...dashboard, what }).then(dashboard.done) });
  }
  if (builds.length === 0) return folder;
  process.stderr.write(`· Building ${builds.map(({ what }) => what).join(' and ')} (only when sources have changed)\n`);
  await Promise.all(builds.map(({ build }) => build()));
  removeOld(folder);
  return folder;
}

/** The compiled program, and the SDK that it serves. */
async function buildProgram(folder, digest) {
  const draft = draftOf(folder);
  const sdk = `${draft}-sdk.tgz`;
  const of = { cwd: root, env: process.env };
  await Promise.all([
    runPlan({ ...of, what: 'the program', args: ['--import', 'tsx', compiler, join(draft, 'dist')] }),
    runPlan({ ...of, what: 'the SDK', args: [packer, sdk] }),
  ]);
  renameSync(sdk, join(draft, 'dist/sdk.tgz'));
  // For its version, and as the root of paths in the log.
  cpSync(join(root, 'package.json'), join(draft, 'package.json'));
  mkdirSync(join(draft, 'dist/clients/dashboard'), { recursive: true });
  symlinkSync(dashboardFolder, join(draft, 'dist/clients/dashboard/dist'), 'junction');
  keep(draft, folder, digest);
}

function runPlan({ what, args, cwd, env }) {
  return new Promise((settle) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk));
    child.once('close', (code) => {
      if (code === 0) return settle();
      process.stderr.write(Buffer.concat(said));
      process.stderr.write(`tollfree: Building ${what} failed. Run \`npm ci\` and try again.\n`);
      process.exit(1);
    });
  });
}

function removeOld(current) {
  for (const name of readdirSync(kept)) {
    const folder = join(kept, name);
    if (folder === current || Date.now() - statSync(folder).mtimeMs < keptMs) continue;
    rmSync(folder, { recursive: true, force: true });
  }
}

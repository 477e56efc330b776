/**
 * Runs the program for `npm run dev` and `npm run tollfree`: compiled once per state of its sources, since loading hundreds
 * of source files through a compiler takes most of a start. Plain JavaScript, so that nothing is loaded before the first
 * line is printed.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const isDev = process.argv[2] === 'dev';
if (isDev) process.stderr.write('Starting the Tollfree development service\n');

const { dashboardFolder, planDashboard } = await import('./dashboard-build.mjs');
const { digestOf, draftOf, isKept, keep } = await import('./kept-build.mjs');

const root = resolve(import.meta.dirname, '../..');
const compiler = 'tools/build/compile-program.ts';
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
  ...[compiler, 'docs', 'tools/build/list-licenses.ts', 'tools/build/run-program.mjs'],
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
  const plans = [];
  if (!isKept(folder, digest)) plans.push(planProgram(folder, digest));
  const dashboard = isDev ? planDashboard() : undefined;
  if (dashboard !== undefined) plans.push({ ...dashboard, what: 'the dashboard' });
  if (plans.length === 0) return folder;
  process.stderr.write(`· Building ${plans.map(({ what }) => what).join(' and ')} (only when sources have changed)\n`);
  await Promise.all(plans.map(runPlan));
  removeOld(folder);
  return folder;
}

function planProgram(folder, digest) {
  const draft = draftOf(folder);
  return {
    what: 'the program',
    args: ['--import', 'tsx', compiler, join(draft, 'dist')],
    cwd: root,
    env: process.env,
    done() {
      // For its version, and as the root of paths in the log.
      cpSync(join(root, 'package.json'), join(draft, 'package.json'));
      mkdirSync(join(draft, 'dist/clients/dashboard'), { recursive: true });
      symlinkSync(dashboardFolder, join(draft, 'dist/clients/dashboard/dist'), 'junction');
      keep(draft, folder, digest);
    },
  };
}

function runPlan({ what, args, cwd, env, done }) {
  return new Promise((settle) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk));
    child.once('close', (code) => {
      if (code === 0) {
        done();
        settle();
        return;
      }
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

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');
const folder = join(root, 'clients/dashboard/dist');

const config = 'test/tooling/build/dashboard.config.ts';
/** What goes into the build. */
const sources = ['clients/dashboard', 'clients/sdk', 'contract', config, 'package-lock.json'];

/**
 * Builds the dashboard where the program looks for it when it runs from its sources, unless the build there is newer than
 * all that goes into it. Returns its folder.
 */
export function buildDashboard(): string {
  if (!isStale()) return folder;
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const { status } = spawnSync(process.execPath, [vite, 'build', '--config', config, '--logLevel', 'warn'], {
    cwd: root,
    stdio: 'inherit',
    // Vitest sets another one, which makes a build for development.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) throw new Error('The dashboard could not be built.');
  return folder;
}

function isStale(): boolean {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) return true;
  const built = statSync(index).mtimeMs;
  return sources.some((path) => newestOf(join(root, path)) > built);
}

/** When something at or below a path was last changed, in milliseconds. */
function newestOf(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const names = readdirSync(path).filter((name) => name !== 'dist' && name !== 'node_modules');
  return Math.max(stats.mtimeMs, ...names.map((name) => newestOf(join(path, name))));
}

if (process.argv[1] === import.meta.filename) buildDashboard();

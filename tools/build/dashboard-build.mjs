import { join, resolve } from 'node:path';
import { digestOf, draftOf, isKept, keep } from './kept-build.mjs';

const root = resolve(import.meta.dirname, '../..');
const config = 'tools/build/dashboard.config.ts';
const sources = [
  ...['clients/dashboard', 'clients/sdk', 'contract', config, 'package-lock.json'],
  ...['tools/build/dashboard.config.ts', 'tools/build/list-licenses.ts'],
];

/** Where the program looks for the dashboard when it runs from its sources. */
export const dashboardFolder = join(root, 'clients/dashboard/dist');

/** The build of the dashboard that is missing: arguments for `node`, and what to do when it has ended well. None when it is there. */
export function planDashboard() {
  const digest = digestOf(sources);
  if (isKept(dashboardFolder, digest)) return undefined;
  const draft = draftOf(dashboardFolder);
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  return {
    args: [vite, 'build', '--config', config, '--outDir', draft, '--emptyOutDir', '--logLevel', 'warn'],
    cwd: root,
    // Vitest sets another one, which makes a build for development.
    env: { ...process.env, NODE_ENV: 'production' },
    done: () => keep(draft, dashboardFolder, digest),
  };
}

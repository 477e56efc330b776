import { join, resolve } from 'node:path';
import { digestOf, draftOf, isKept, keep } from './kept-build.mjs';

const root = resolve(import.meta.dirname, '../..');
const config = 'tools/build/dashboard.config.ts';
const sources = [
  ...['clients/dashboard', 'clients/sdk', 'contract', config, 'package-lock.json'],
  ...['tools/build/dashboard.config.ts', 'tools/build/list-licenses.ts'],
];

/** The dashboard's folder when the program runs from sources. */
export const dashboardFolder = join(root, 'clients/dashboard/dist');

/** The dashboard build to make: arguments for `node`, and what to do after it succeeds. Undefined when it is up to date. */
export function planDashboard() {
  const digest = digestOf(sources);
  if (isKept(dashboardFolder, digest)) return undefined;
  const draft = draftOf(dashboardFolder);
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  return {
    args: [vite, 'build', '--config', config, '--outDir', draft, '--emptyOutDir', '--logLevel', 'warn'],
    cwd: root,
    // Vitest sets another value, which would make a development build.
    env: { ...process.env, NODE_ENV: 'production' },
    done: () => keep(draft, dashboardFolder, digest),
  };
}

import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { dashboardFolder, planDashboard } from './dashboard-build.mjs';

/**
 * Builds the dashboard into the folder that the program uses when run from sources, unless the build there is up to date.
 * Returns that folder.
 */
export function buildDashboard(): string {
  const plan = planDashboard();
  if (plan === undefined) return dashboardFolder;
  const { args, cwd, env, done } = plan;
  const { status } = spawnSync(process.execPath, args, { cwd, env, stdio: 'inherit' });
  if (status !== 0) throw new Error('The dashboard could not be built.');
  done();
  return dashboardFolder;
}

/** `npm run build:dashboard`: the build for the package of the service, in the folder that is named. */
const [, started, packaged] = process.argv;
if (started === import.meta.filename && packaged !== undefined) {
  rmSync(packaged, { recursive: true, force: true });
  cpSync(buildDashboard(), packaged, { recursive: true, filter: (file) => basename(file) !== '.digest' });
}

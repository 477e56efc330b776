import { spawnSync } from 'node:child_process';
import { dashboardFolder, planDashboard } from './dashboard-build.mjs';

/**
 * Builds the dashboard where the program looks for it when it runs from its sources, unless the build there is of the same
 * sources. Returns its folder.
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

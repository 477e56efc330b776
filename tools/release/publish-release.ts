import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { version } from '../../test/support/packages/pack.ts';
import { packageFolders, readManifest, root } from './packages.ts';

/**
 * `npm run release:publish`: publishes the packages of the folder `release`, those first that others need. npm adds a
 * proof of where they were built. `-- --dry-run` does everything but the upload, and needs no proof.
 */
const isTrial = process.argv.includes('--dry-run');
for (const folder of packageFolders) {
  const { name } = readManifest(folder);
  const tarball = join(root, 'release', `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  const flags = isTrial ? ['--dry-run'] : ['--provenance'];
  const { status } = spawnSync('npm', ['publish', tarball, '--access', 'public', ...flags], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${name} ${version} could not be published. Packages named before it are.`);
}

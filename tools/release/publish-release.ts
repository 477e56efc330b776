import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { version } from '../../test/support/packages/pack.ts';
import { packageFolders, readManifest, root } from './packages.ts';

/**
 * `npm run release:publish`: publishes the packages of the folder `release` in the order of their dependencies. npm adds
 * provenance. `-- --dry-run` does everything except the upload, without provenance.
 */
const isTrial = process.argv.includes('--dry-run');
const names = [...packageFolders.map((folder) => readManifest(folder).name), '@tollfree/development-chain'];
for (const name of names) {
  const tarball = join(root, 'release', `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  const flags = isTrial ? ['--dry-run'] : ['--provenance'];
  const { status } = spawnSync('npm', ['publish', tarball, '--access', 'public', ...flags], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${name} ${version} could not be published. Packages named before it are.`);
}

/**
 * Writes the commit of a build into `dist/build.json`, after the program was compiled: an installed package cannot find it
 * otherwise. An image is built without `.git` and gets the commit in `TOLLFREE_COMMIT`. Without either, no file is written.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const commit = process.env.TOLLFREE_COMMIT || readCommit();
if (commit !== undefined) writeFileSync(join(root, 'dist/build.json'), `${JSON.stringify({ commit })}\n`);

function readCommit() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    const head = git('rev-parse', 'HEAD');
    // The build differs from the commit.
    return git('status', '--porcelain', '--untracked-files=no') === '' ? head : `${head}-dirty`;
  } catch {
    return undefined;
  }
}

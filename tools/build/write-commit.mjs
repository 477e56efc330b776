/**
 * Writes which commit a build is of into `dist/build.json`, after the program was compiled: an installed package has no other
 * way to know. An image is built without `.git` and gets the commit in `TOLLFREE_COMMIT`. Without either no file is written.
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
    // What was built is not what the commit has.
    return git('status', '--porcelain', '--untracked-files=no') === '' ? head : `${head}-dirty`;
  } catch {
    return undefined;
  }
}

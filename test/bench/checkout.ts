import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ownRoot = resolve(import.meta.dirname, '../..');

/**
 * The folder of an earlier commit with its packages: the one that is named, or a copy of the commit in the folder for temporary
 * files, which goes with this process.
 */
export function openCheckout(folderOrCommit: string): string {
  if (existsSync(folderOrCommit)) return resolve(folderOrCommit);
  const root = mkdtempSync(join(tmpdir(), 'tollfree-beside-'));
  process.once('exit', () => rmSync(root, { recursive: true, force: true }));
  const archive = execFileSync('git', ['archive', folderOrCommit], { cwd: ownRoot, maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', root], { input: archive });
  if (!linkPackages(root)) installPackages(root);
  return root;
}

/** Takes the packages of this checkout, without a copy of their bytes, where both have the same. */
function linkPackages(root: string): boolean {
  const [own, other] = [ownRoot, root].map((folder) => readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  if (own !== other) return false;
  return spawnSync('cp', ['-al', join(ownRoot, 'node_modules'), root], { stdio: 'ignore' }).status === 0;
}

function installPackages(root: string): void {
  rmSync(join(root, 'node_modules'), { recursive: true, force: true });
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['ci', ...flags], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the packages are made of, and what makes them. */
const sources = [
  ...['contract', 'core', 'gateway', 'server', 'clients', 'proto/gen', 'tools/build', 'docs', 'LICENSE', 'README.md'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'],
];

/** Differs whenever a package made of the repository's files, as they are now, could. Undefined outside of a git clone. */
export function sourcesDigest(repository: string): string | undefined {
  if (!existsSync(join(repository, '.git'))) return undefined;
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...sources];
  const names = execFileSync('git', list, { cwd: repository, encoding: 'utf8', maxBuffer: 1 << 26 }).split('\0');
  const digest = createHash('sha256');
  for (const name of names.sort()) {
    const file = join(repository, name);
    if (name === '' || !existsSync(file)) continue;
    const content = readFileSync(file);
    digest.update(`${name} ${content.length}\n`).update(content);
  }
  return digest.digest('hex');
}

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const version = '0.0.20';
const home = join(tmpdir(), `tollfree-alto-${version}`);
const program = join(home, 'node_modules/@pimlico/alto/esm/cli/alto.js');

/**
 * Installs the bundler alto beside the repository and returns its program; undefined when npm failed. It has 380 MB and
 * the GPL's licence, so that neither the lock file nor a package of ours may name it.
 */
export function installAlto(): string | undefined {
  if (existsSync(program)) return program;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', ['install', ...flags, `@pimlico/alto@${version}`], {
    cwd: home,
    stdio: 'inherit',
  });
  return status === 0 ? program : undefined;
}

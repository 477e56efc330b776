import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { repository, version } from '../support/packages/pack.ts';

const run = promisify(execFile);
const sources = ['clients', 'contract', 'core', 'gateway', 'server', 'proto', 'package.json', 'tsconfig.json'];

/** A clone after `npm ci`: the sources and the packages, and nothing that a build makes. */
function cloneRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-clone-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of sources) {
    cpSync(join(repository, name), join(folder, 'clone', name), {
      recursive: true,
      filter: (path) => !/\/(dist|node_modules)$/.test(path),
    });
  }
  symlinkSync(join(repository, 'node_modules'), join(folder, 'clone/node_modules'));
  mkdirSync(join(folder, 'clone/tools/build'), { recursive: true });
  const prepare = 'tools/build/prepare-sqlite.mjs';
  cpSync(join(repository, prepare), join(folder, 'clone', prepare));
  return folder;
}

test('npx tollfree runs the sources before a build, and what was built after it', async () => {
  const folder = cloneRepository();
  const tollfree = async (...args: readonly string[]) => {
    const env = { ...process.env, npm_config_cache: join(folder, 'cache'), npm_config_offline: 'true' };
    const { stdout } = await run('npx', ['tollfree', ...args], { cwd: join(folder, 'clone'), env });
    return stdout.trim();
  };
  expect(await tollfree('--version')).toBe(version);
  const built = join(folder, 'clone/dist/server/tollfree.js');
  mkdirSync(join(built, '..'), { recursive: true });
  writeFileSync(built, "process.stdout.write('the compiled program');");
  chmodSync(built, 0o755);
  expect(await tollfree('--version')).toBe('the compiled program');
}, 180_000);

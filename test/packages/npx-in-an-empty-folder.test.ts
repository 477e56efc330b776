import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copySqliteBinding, npm, packAll, version } from '../support/packages/pack.ts';

const run = promisify(execFile);

let folder: string;
let project: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-empty-'));
  const { service } = await packAll(folder);
  project = mkdtempSync(join(folder, 'app-'));
  await npm(project, 'install', service);
  copySqliteBinding(project);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Without a registry: what is installed has to do. */
const npx = (...args: readonly string[]) => run('npx', ['--no', '--offline', 'tollfree', ...args], { cwd: project });

test('the tarball of a release is all that an empty folder needs to run npx tollfree on this Node.js', async () => {
  const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  expect(Object.keys(dependencies)).toEqual(['tollfree']);
  expect((await npx('--version')).stdout).toBe(`${version}\n`);
  expect(JSON.parse((await npx('version', '--json')).stdout)).toMatchObject({ version, node: process.versions.node });
  writeFileSync(join(project, 'password'), 'a password of this test', { mode: 0o600 });
  await npx('keystore', 'create', '--out', 'key.json', '--password-file', 'password');
  expect(JSON.parse(readFileSync(join(project, 'key.json'), 'utf8'))).toMatchObject({ version: 3 });
});

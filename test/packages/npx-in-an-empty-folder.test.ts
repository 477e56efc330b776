import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnTied } from '../../server/dev/devnet/start-anvil.ts';
import { copySqliteBinding, npm, packAll, version } from '../support/packages/pack.ts';
import { isLongRun } from '../support/run/rows-of-run.ts';

const run = promisify(execFile);

let folder: string;
let project: string;
let optional: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-empty-'));
  const { service, developmentChain } = await packAll(folder);
  optional = developmentChain;
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

test.runIf(isLongRun)(
  'tollfree dev says which tarball it needs, and lands operations with it',
  async () => {
    const data = join(project, 'dev');
    const missing = await npx('dev', '--data', data).catch((error: unknown) => error);
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('tollfree-development-chain-<version>.tgz'),
    });
    await npm(project, 'install', optional);
    copySqliteBinding(project);
    const ports = ['--port', '--grpc-port', '--chain-port', '--admin-port', '--bundler-port'].flatMap((flag) => [
      flag,
      '0',
    ]);
    const program = join(project, 'node_modules/.bin/tollfree');
    const child = spawnTied(process.execPath, [program, 'dev', '--data', data, '--json', ...ports], { cwd: project });
    try {
      const lines: string[] = [];
      for await (const line of createInterface({ input: child.stdout })) {
        lines.push(line);
        if (line.startsWith('{')) break;
      }
      expect(lines).toContainEqual(expect.stringMatching(/^0\.8 \(default\) +\$\d/));
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ paymasters: expect.any(Array) });
    } finally {
      child.kill();
      await once(child, 'close');
    }
  },
  240_000,
);

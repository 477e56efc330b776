import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { generators } from '../../tools/generators.ts';

const root = resolve(import.meta.dirname, '../..');
const works = 'process.exit(0);\n';
const breaks = "throw new Error('solc is not there');\n";

function write(file: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
}

/** A clone with the packages of the service, whose generators work, except those of these names. */
function makeClone({ failing, hasTestPackages }: { failing: readonly string[]; hasTestPackages: boolean }): string {
  const clone = mkdtempSync(join(tmpdir(), 'tollfree-generate-'));
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
  copyFileSync(join(root, 'package.json'), join(clone, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
  for (const { name, args } of generators) {
    const script = args.find((arg) => arg.endsWith('.ts'));
    if (script !== undefined) write(join(clone, script), failing.includes(name) ? breaks : works);
  }
  for (const tool of ['generate.ts', 'generators.ts', 'install-packages.ts', 'run-step.ts']) {
    copyFileSync(join(root, 'tools', tool), join(clone, 'tools', tool));
  }
  const locked = JSON.stringify({ packages: { '': {}, 'node_modules/one': { integrity: 'sha512-one' } } });
  for (const folder of ['test', 'tools/abstractjs']) {
    write(join(clone, folder, 'package-lock.json'), locked);
    if (hasTestPackages) write(join(clone, folder, 'node_modules/.package-lock.json'), locked);
  }
  write(join(clone, 'test/node_modules/.bin/buf'), failing.includes('protobuf code') ? 'exit 1\n' : 'exit 0\n', 0o755);
  return clone;
}

function generate(clone: string, env: NodeJS.ProcessEnv = process.env) {
  const args = ['--conditions=@tollfree/source', '--import', 'tsx', 'tools/generate.ts'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: clone, env, encoding: 'utf8' });
  return { status, stdout, stderr, last: stdout.trim().split('\n').at(-1) };
}

test('names each generator that failed, shows why, and exits with 1', () => {
  const failing = ['dev contracts', 'JSON Schema of policy files'];
  const { status, stdout, last } = generate(makeClone({ failing, hasTestPackages: true }));
  expect([status, last]).toEqual([1, `Not generated: ${failing.join(', ')}.`]);
  expect(stdout).toMatch(/✗ failed: dev contracts [\s\S]*solc is not there/);
  // What reads those files would fail for their reason, or write what is old.
  expect(stdout).not.toContain('protobuf code');
});

test('names one that reads what others write', () => {
  const { status, last } = generate(makeClone({ failing: ['protobuf code'], hasTestPackages: true }));
  expect([status, last]).toEqual([1, 'Not generated: protobuf code.']);
});

test('says which packages npm could not install, before a generator misses them', () => {
  const clone = makeClone({ failing: [], hasTestPackages: false });
  const programs = join(clone, 'programs');
  write(join(programs, 'npm'), '#!/bin/sh\nexit 1\n', 0o755);
  const { status, stdout, stderr } = generate(clone, {
    ...process.env,
    PATH: `${programs}${delimiter}${process.env.PATH}`,
  });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain(
    'npm could not install tools/abstractjs/package-lock.json. Check the connection to the registry',
  );
});

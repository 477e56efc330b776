import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { runTollfree } from '../support/command-line/run-tollfree.ts';
import { root } from './monitoring-files.ts';

const lockFile = 'node_modules/.package-lock.json';
const lockSchema = z.object({ packages: z.record(z.string(), z.unknown()) });

/** The compiled program next to packages that have nothing in them. */
function layOut(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-needed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(resolve(dirname(inject('program')), '..'), join(folder, 'dist'), { recursive: true });
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(root, lockFile), 'utf8')));
  for (const location of Object.keys(packages)) {
    if (location.startsWith('node_modules/')) mkdirSync(join(folder, location), { recursive: true });
  }
  copyFileSync(join(root, lockFile), join(folder, lockFile));
  const page = join(folder, 'dist/clients/dashboard/dist/assets/example.js');
  mkdirSync(dirname(page), { recursive: true });
  writeFileSync(page, "const example = `import { http } from 'viem';`;");
  return folder;
}

test('the image keeps what the compiled program loads, and nothing that is in its files', async () => {
  const folder = layOut();
  const script = join(root, 'deploy/image/keep-needed-packages.mjs');
  expect(await runTollfree([], { program: [script], cwd: folder })).toMatchObject({ code: 0, stderr: '' });
  const names = (...path: string[]) => readdirSync(join(folder, 'node_modules', ...path));
  expect(names()).toEqual(expect.arrayContaining(['pg', 'pino']));
  expect(names().filter((name) => name.startsWith('better-sqlite3'))).toHaveLength(1);
  expect(names('@grpc')).toContain('grpc-js');
  for (const name of ['viem', 'kysely', 'express', 'ox']) expect(names()).not.toContain(name);
});

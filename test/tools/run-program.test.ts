import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const program = join(root, 'tools/build/run-program.mjs');

test('the program is built once for its sources, and runs at once from then on', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const first = await run(process.execPath, [program, '--version']);
  expect(first.stdout).toBe(`${version}\n`);
  const second = await run(process.execPath, [program, '--version']);
  expect(second).toMatchObject({ stdout: `${version}\n`, stderr: '' });
});

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { bufProgram } from '../../tools/install-packages.ts';

const run = promisify(execFile);

function buf(...args: string[]) {
  return run(bufProgram, args);
}

async function readTree(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = files.map(async (file) => [file.slice(root.length), await readFile(file, 'utf8')] as const);
  return Object.fromEntries(await Promise.all(contents));
}

test('the protos pass the linter and are formatted', async () => {
  await buf('lint');
  await buf('format', '--exit-code');
});

test('the committed code is what the protos generate', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tollfree-proto-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await buf('generate', '--output', directory);
  const generated = await readTree(join(directory, 'proto/gen'));
  expect(Object.keys(generated)).toContain('/tollfree/core/v1/core_service_pb.ts');
  expect(await readTree('proto/gen')).toStrictEqual(generated);
});

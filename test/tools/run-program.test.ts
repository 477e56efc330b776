import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startReadyNode } from '../support/packages/ready-node.ts';
import { plainProgram } from '../support/packages/sdk-programs.ts';
import { prepareServiceFolder } from '../support/packages/service-folder.ts';

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

test('the service that runs from a checkout serves the SDK, and a program runs with it', async () => {
  const tollfree = [process.execPath, program] as const;
  const service = await prepareServiceFolder(tollfree);
  const node = await startReadyNode(tollfree, { configFile: service.configFile });
  // Below the checkout, so that the packages that the SDK needs are found without a registry.
  const folder = mkdtempSync(join(root, 'node_modules/.cache/sdk-'));
  try {
    const served = await fetch(`${node.url}/sdk.tgz`);
    writeFileSync(join(folder, 'sdk.tgz'), Buffer.from(await served.arrayBuffer()));
    const installed = join(folder, 'node_modules/@tollfree/sdk');
    mkdirSync(installed, { recursive: true });
    await run('tar', ['-xzf', join(folder, 'sdk.tgz'), '-C', installed, '--strip-components', '1']);
    writeFileSync(join(folder, 'plain.mjs'), plainProgram);
    const { stdout } = await run(process.execPath, ['plain.mjs', node.url], { cwd: folder });
    expect(JSON.parse(stdout)).toMatchObject({ refused: ['TollfreeApiError', 401] });
    expect(await node.stop()).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
    await service.close();
  }
});

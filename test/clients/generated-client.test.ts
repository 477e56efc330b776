import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import openapiTypescript from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningService, startService } from '../support/service/running-service.ts';

const run = promisify(execFile);
const repository = resolve(import.meta.dirname, '../..');
const compilerOptions = {
  allowJs: true,
  checkJs: true,
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  target: 'ES2022',
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  allowImportingTsExtensions: true,
  types: ['node'],
};

let service: RunningService;
let folder: string;
beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'tollfree-test-'));
  const document = JSON.parse(readFileSync(join(repository, 'contract/openapi.json'), 'utf8'));
  writeFileSync(join(folder, 'openapi-types.ts'), await openapiTypescript(document));
  copyFileSync(join(import.meta.dirname, 'generated-client-program.mjs'), join(folder, 'program.mjs'));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.mjs'] }));
  symlinkSync(join(repository, 'test/node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.close();
});

test('a program written against types generated from the OpenAPI document compiles', async () => {
  const compiler = join(repository, 'node_modules/typescript/bin/tsc');
  const compiled = await run(process.execPath, [compiler, '-p', folder]).catch((error: unknown) => error);
  expect(compiled).toMatchObject({ stdout: '' });
});

test('the same program works with the running service', async () => {
  const { authToken } = await service.issueAccount();
  const { chainId, target } = service.devnet;
  const program = join(folder, 'program.mjs');
  const { stdout } = await run(process.execPath, [program, service.url, authToken, `${chainId}`, target.address]);
  const got = JSON.parse(stdout);
  const { data: paymaster } = got.created;
  const { data: webhook } = got.webhook;
  expect(got).toEqual({
    created: {
      statusCode: 200,
      message: 'DApp registered successfully',
      data: {
        name: 'generated',
        chainId,
        apiKey: expect.any(String),
        paymasterId: expect.any(String),
        version: '1.0.0',
        contract: expect.objectContaining({ entryPointVersion: '0.6' }),
        etag: expect.any(String),
      },
    },
    registered: { statusCode: 200, message: 'Smart contract registered successfully' },
    paymasters: [paymaster],
    contracts: [{ name: 'walker', whitelistedMethods: ['move'] }],
    webhook: {
      statusCode: 200,
      message: 'Webhook created',
      data: { webhookId: expect.any(String), webhookUrl: 'http://127.0.0.1:1/ask', requestType: 'POST' },
    },
    webhooks: [{ ...webhook, active: true, etag: expect.any(String) }],
    refused: { statusCode: 400, message: 'requestType must be GET or POST' },
  });
});

import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build, type Rollup } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newestVersion } from '../../core/store/migrations/history.ts';
import {
  buildPackages,
  copySqliteBinding,
  emptyProject,
  npm,
  packAll,
  repository,
  type Tarballs,
  version,
} from '../support/packages/pack.ts';
import { startReadyNode } from '../support/packages/ready-node.ts';
import { pageProgram, plainProgram, typedProgram } from '../support/packages/sdk-programs.ts';
import { prepareServiceFolder, type ServiceFolder } from '../support/packages/service-folder.ts';

const run = promisify(execFile);

/** Bytes of the SDK's file, compressed: a small part of it is for pages. */
const sdkFileLimit = 120_000;
/** Bytes that it adds to a page next to viem, compressed. */
const sdkPageLimit = 40_000;

/** Only development needs these. */
const developmentPackages = [
  'tsx',
  'typescript',
  'esbuild',
  'solc',
  'vite',
  'vitest',
  '@foundry-rs',
  '@account-abstraction',
];

const { devDependencies }: { devDependencies: { viem: string } } = JSON.parse(
  readFileSync(join(repository, 'package.json'), 'utf8'),
);
/** What an application with the SDK has of its own. */
const viem = `viem@${devDependencies.viem}`;

let folder: string;
let tarballs: Tarballs;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-packages-'));
  tarballs = await packAll(folder);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** All installed packages of a project, `name` or `@scope/name`, those inside others included. */
function installed(project: string): readonly string[] {
  const lock: { packages: Record<string, unknown> } = JSON.parse(
    readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8'),
  );
  return Object.keys(lock.packages).map((path) => path.split('node_modules/').at(-1) ?? '');
}

describe('the service', () => {
  let project: string;
  let service: ServiceFolder;
  let program: [string];
  beforeAll(async () => {
    project = emptyProject(folder, 'service');
    await npm(project, 'install', tarballs.service);
    copySqliteBinding(project);
    program = [join(project, 'node_modules/.bin/tollfree')];
    service = await prepareServiceFolder(program);
  }, 300_000);
  afterAll(() => service?.close());

  test('brings nothing that only development needs', () => {
    const found = installed(project).filter((name) =>
      developmentPackages.some((each) => name.split('/').includes(each)),
    );
    expect(found).toEqual([]);
  });

  test('runs as an installed command, and answers with its version, its documents, the dashboard and a good readiness', async () => {
    expect((await run(...([...program, ['--version']] as [string, string[]]))).stdout).toBe(`${version}\n`);
    const { stdout } = await run(...([...program, ['version', '--json']] as [string, string[]]));
    const { commit, schema } = JSON.parse(stdout);
    expect(JSON.parse(stdout)).toMatchObject({ version, schema: newestVersion, node: process.versions.node });
    expect(commit).toMatch(/^[0-9a-f]{40}(-dirty)?$/);
    const node = await startReadyNode(program, { configFile: service.configFile, cwd: project });
    const status = await (await fetch(`${node.adminUrl}/status.json`)).json();
    expect(status).toMatchObject({ builds: [{ version, commit, schema: String(schema) }] });
    const document: unknown = await (await fetch(`${node.url}/openapi.json`)).json();
    expect(document).toMatchObject({ openapi: expect.any(String) });
    const page = await (await fetch(`${node.url}/`)).text();
    const [, script] = /<script type="module" crossorigin src="([^"]+)"/.exec(page) ?? [];
    expect((await fetch(new URL(script ?? '/no-script', node.url))).headers.get('content-type')).toMatch(/javascript/);
    expect(await node.stop()).toBe(0);
  });

  test('checks its ledger, which it reads in a thread of its own', async () => {
    const node = await startReadyNode(program, { configFile: service.configFile, cwd: project });
    const { stdout } = await run(
      ...([...program, ['ledger', 'check', '--core', service.coreAddress]] as [string, string[]]),
    );
    expect(stdout).toContain('adds up');
    expect(await node.stop()).toBe(0);
  });

  test('says what is missing for a development chain', async () => {
    const failed = await run(...([...program, ['dev', '--port', '0']] as [string, string[]])).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('which is not installed') });
  });

  test('runs in a copy of the repository with npm ci --omit=dev and what was built', async () => {
    await buildPackages();
    const copy = join(folder, 'production');
    mkdirSync(copy);
    const files = ['package.json', 'package-lock.json', '.npmrc', 'dist'];
    for (const each of ['contract', 'clients/sdk']) files.push(`${each}/package.json`, `${each}/dist`);
    for (const each of files) cpSync(join(repository, each), join(copy, each), { recursive: true });
    await npm(copy, 'ci', '--omit=dev');
    copySqliteBinding(copy);
    expect(existsSync(join(copy, 'node_modules/tsx'))).toBe(false);
    const compiled = [process.execPath, join(copy, 'dist/server/tollfree.js')] as const;
    const node = await startReadyNode(compiled, { configFile: service.configFile });
    expect(await node.stop()).toBe(0);
  }, 240_000);

  test('brings none of what is compiled into it', () => {
    expect(installed(project).filter((name) => ['viem', 'ox', 'kysely', 'express'].includes(name))).toEqual([]);
  });

  test('serves the installed SDK', async () => {
    await npm(project, 'install', tarballs.sdk, viem);
    copySqliteBinding(project);
    const node = await startReadyNode(program, { configFile: service.configFile, cwd: project });
    const served = await fetch(`${node.url}/sdk.tgz`);
    expect(Buffer.from(await served.arrayBuffer()).equals(readFileSync(tarballs.sdk))).toBe(true);
    writeFileSync(join(project, 'plain.js'), plainProgram);
    const { stdout } = await run(process.execPath, ['plain.js', node.url], { cwd: project });
    expect(JSON.parse(stdout)).toEqual({
      refused: ['TollfreeApiError', 401],
      same: ['TollfreeApiError', 401],
      paymaster: ['getPaymasterStubData', 'getPaymasterData'],
      capabilities: { paymasterService: { url: node.url } },
    });
    expect(await node.stop()).toBe(0);
  });
});

describe('the SDK', () => {
  let project: string;
  beforeAll(async () => {
    project = emptyProject(folder, 'sdk');
    await npm(project, 'install', tarballs.sdk, viem);
    writeFileSync(join(project, 'typed.ts'), typedProgram);
    writeFileSync(join(project, 'page.js'), pageProgram);
  }, 300_000);

  test('installs from its one file, brings zod, and takes the viem of the application', () => {
    const own = JSON.parse(readFileSync(join(project, 'node_modules/@tollfree/sdk/package.json'), 'utf8'));
    expect(Object.keys(own.dependencies)).toEqual(['zod']);
    expect(Object.keys(own.peerDependencies)).toEqual(['react', 'viem']);
    expect(own.peerDependenciesMeta).toEqual({ react: { optional: true } });
    expect(installed(project).filter((name) => /sqlite|express|grpc/.test(name))).toEqual([]);
  });

  test('works in plain Node', async () => {
    writeFileSync(join(project, 'plain.js'), plainProgram);
    const { stdout } = await run(process.execPath, ['plain.js', 'http://127.0.0.1:1'], { cwd: project });
    expect(JSON.parse(stdout).refused[0]).toBe('TransportError');
  });

  test.each([
    { module: 'nodenext', moduleResolution: 'nodenext' },
    { module: 'esnext', moduleResolution: 'bundler' },
  ])('type checks in a project with moduleResolution $moduleResolution', async (settings) => {
    const compilerOptions = {
      ...settings,
      target: 'es2022',
      strict: true,
      noEmit: true,
      // What the declarations import has to be there, and fit.
      skipLibCheck: false,
      types: [],
    };
    const config = join(project, `tsconfig.${settings.moduleResolution}.json`);
    writeFileSync(config, JSON.stringify({ compilerOptions, files: ['typed.ts'] }));
    const compiler = join(repository, 'node_modules/typescript/bin/tsc');
    const compiled = await run(process.execPath, [compiler, '-p', config]).catch((error: unknown) => error);
    expect(compiled).toMatchObject({ stdout: '' });
  });

  test('is small, as a file and in a page', async () => {
    expect(statSync(tarballs.sdk).size).toBeLessThan(sdkFileLimit);
    const built = (await build({
      root: project,
      configFile: false,
      logLevel: 'silent',
      build: { write: false, rollupOptions: { input: join(project, 'page.js'), external: [/^viem/] } },
    })) as Rollup.RollupOutput;
    const code = built.output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('');
    expect(code).toContain('pm_getPaymasterData');
    // Nothing of the management interface comes along.
    expect(code).not.toContain('funding-message');
    expect(gzipSync(code).byteLength).toBeLessThan(sdkPageLimit);
  });

  test('holds what runs and its types, and nothing else', () => {
    const root = join(project, 'node_modules/@tollfree/sdk');
    const other = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (name) => statSync(join(root, name)).isFile() && !/^dist\/.*\.(js|d\.ts)$/.test(name),
    );
    expect(other.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
  });
});

import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareServiceFolder, type ServiceFolder } from '../support/packages/service-folder.ts';
import { makeSocketAddress } from '../support/servers/make-socket-path.ts';
import { buildApp } from './image-stages.ts';

const run = promisify(execFile);

/** Of the image's own files, in MiB. The base image has some 165 more. */
const maxSize = 60;
/** The user of the image. Only root can be someone else. */
const uid = 1_000;
const asUser = process.getuid?.() === 0 ? { uid, gid: uid } : {};

// It installs and builds all packages: two minutes on two cores.
describe.runIf(process.env.IMAGE_STAGES === '1')('what the image is made of', () => {
  let app: string;
  let service: ServiceFolder;
  const program = () => join(app, 'dist/server/tollfree.js');
  beforeAll(async () => {
    app = await buildApp();
    service = await prepareServiceFolder([process.execPath, program()]);
    await run('chown', ['-R', `${asUser.uid ?? process.getuid?.()}`, dirname(service.configFile)]);
  }, 600_000);
  afterAll(async () => {
    await service?.close();
    if (app === undefined) return;
    await run('chmod', ['-R', 'u+w', app]);
    rmSync(dirname(app), { recursive: true, force: true });
  });

  /** Starts a command of the image's program, as its user and nowhere in particular. */
  function start(...args: readonly string[]) {
    const child = spawn(process.execPath, [program(), ...args], {
      cwd: '/',
      env: {},
      stdio: ['ignore', 'ignore', 'pipe'],
      ...asUser,
    });
    let said = '';
    const started = new Promise<{ url: string; adminUrl: string }>((resolve, reject) => {
      child.stderr?.on('data', (data: Buffer) => {
        said += data.toString();
        const line = said.split('\n').find((text) => text.includes('"msg":"started"'));
        if (line !== undefined) resolve(JSON.parse(line));
      });
      child.once('exit', (code) => reject(new Error(`ended with ${code}: ${said}`)));
    });
    const stop = () =>
      new Promise<number | null>((resolve) => {
        child.once('exit', resolve);
        child.kill('SIGTERM');
      });
    return { started, stop };
  }

  async function checkHealth(address: string): Promise<number> {
    const check = run(process.execPath, [join(app, 'healthcheck.mjs'), address], { cwd: '/', env: {}, ...asUser });
    return check.then(
      () => 0,
      (error: { code: number }) => error.code,
    );
  }

  test('it is small, and what the program has in its files is not there twice', async () => {
    const { stdout } = await run('du', ['-sm', app]);
    expect(Number(stdout.split('\t')[0])).toBeLessThan(maxSize);
    const { stdout: packages } = await run('ls', [join(app, 'node_modules')]);
    expect(packages).toMatch(/^better-sqlite3(-12)?$/m);
    expect(packages.split('\n')).not.toContain('viem');
  });

  test('a node runs as another user who may write nowhere but to its state, and its health is seen', async () => {
    const node = start('node', '--config', service.configFile);
    const { adminUrl } = await node.started;
    expect(await checkHealth(`${adminUrl}/livez`)).toBe(0);
    expect(await (await fetch(`${adminUrl}/metrics`)).text()).toContain('tollfree_build_info{process="node",version="');
    expect(await node.stop()).toBe(0);
    expect(await checkHealth(`${adminUrl}/livez`)).toBe(1);
  });

  test('a core is seen at its socket, and a gateway in front of it', async () => {
    const core = start('core', '--config', service.configFile);
    await core.started;
    expect(await checkHealth(service.coreAddress)).toBe(0);
    const folder = mkdtempSync(join(tmpdir(), 'tollfree-gateway-'));
    chmodSync(folder, 0o755);
    const config = join(folder, 'gateway.json');
    const listen = { listen: '127.0.0.1:0', adminListen: '127.0.0.1:0' };
    writeFileSync(config, JSON.stringify({ gateway: listen, core: { address: service.coreAddress } }));
    const gateway = start('gateway', '--config', config);
    const { adminUrl } = await gateway.started;
    expect(await checkHealth(`${adminUrl}/readyz`)).toBe(0);
    const text = await (await fetch(`${adminUrl}/metrics`)).text();
    expect(text).toContain('tollfree_build_info{process="core",');
    expect(text).toContain('tollfree_build_info{process="gateway",');
    await gateway.stop();
    await core.stop();
    expect(await checkHealth(service.coreAddress)).toBe(1);
    rmSync(folder, { recursive: true });
  });

  test('nothing answers where nothing listens', async () => {
    expect(await checkHealth(makeSocketAddress())).toBe(1);
  });
});

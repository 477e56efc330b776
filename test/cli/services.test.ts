import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';
import { runTollfree } from '../support/command-line/run-tollfree.ts';
import { type RunningTollfree, startTollfree } from '../support/command-line/running-tollfree.ts';
import { writeKeystore } from '../support/command-line/write-keystore.ts';
import { isLongRun, rowsOfRun } from '../support/run/rows-of-run.ts';
import { findClosedPort } from '../support/servers/find-closed-port.ts';

const password = 'a password of the test';

let folder: string;
let configFile: string;
let devnet: Devnet;
const services: RunningTollfree[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-services-'));
  const file = (name: string) => join(folder, name);
  writeFileSync(file('master.key'), 'ef'.repeat(32), { mode: 0o600 });
  writeFileSync(file('password'), password, { mode: 0o600 });
  devnet = await leaseDevnet(writeKeystore(file('signer.json'), password));
  configFile = file('config.json');
  writeFileSync(
    configFile,
    JSON.stringify({
      databaseFile: 'tollfree.db',
      masterKeyFile: 'master.key',
      gateway: { listen: '127.0.0.1:0', adminListen: '127.0.0.1:0' },
      chains: [
        {
          chainId: devnet.chainId,
          name: 'Development chain',
          nodeUrls: [devnet.rpcUrl],
          paymasterContracts: [
            {
              version: '2.0.0',
              family: 'pimlico-singleton-0.7',
              address: devnet.paymasterContracts['pimlico-singleton-0.7'],
              tokenRecipient: devnet.tokenRecipient,
            },
          ],
          nativePrice: { sources: [{ kind: 'fixed', usd: '2000' }], minimumSources: 1 },
          signer: { keystoreFile: 'signer.json', passwordFile: 'password' },
          maxFeePerGasCeiling: '500 gwei',
          maxCostPerOperation: '1 ether',
          pollIntervalMs: 100,
        },
      ],
    }),
  );
});

afterAll(async () => {
  for (const service of services) if (service.child.exitCode === null) await service.stop('SIGKILL');
  await devnet.close();
  rmSync(folder, { recursive: true });
});

/** Starts a service and reads the addresses it logs when it has started. */
async function start(...args: readonly string[]) {
  const service = startTollfree(args);
  services.push(service);
  const started: { url: string; adminUrl: string; grpc: string } = JSON.parse(
    await service.line('stderr', /"msg":"started"/),
  );
  return { service, ...started };
}

/** Follows `/readyz` until it answers `status`. */
async function untilReadyIs(adminUrl: string, status: number): Promise<void> {
  while ((await fetch(`${adminUrl}/readyz`)).status !== status) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function listPaymasters(url: string, authToken: string): Promise<unknown> {
  const response = await fetch(`${url}/api/v2/public/sdk/paymaster`, { headers: { authToken } });
  return { status: response.status, body: await response.json() };
}

const emptyList = { status: 200, body: { statusCode: 200, message: 'DApp list fetched', data: [] } };

describe('tollfree node', () => {
  test('serves an authToken issued on its database, is ready, and ends with 0 on SIGTERM', async () => {
    const config = ['--config', configFile];
    const accountId = (await runInPlace(['account', 'create', 'Somebody', ...config])).stdout.trim();
    const authToken = (await runInPlace(['auth-token', 'issue', accountId, ...config])).stdout.trim();
    const node = await start('node', ...config);
    await untilReadyIs(node.adminUrl, 200);
    expect(await listPaymasters(node.url, authToken)).toEqual(emptyList);
    expect(await node.service.stop('SIGTERM')).toBe(0);
    const signers = await runInPlace(['keystore', 'status', ...config]);
    expect(signers).toMatchObject({ code: 0, stdout: expect.stringMatching(/31337 +0x\w{40} +0x\w{40} .* signs\n$/) });
  });

  test('refuses a signing key that is not the paymaster contract’s, with 1', async () => {
    writeKeystore(join(folder, 'stranger.json'), password);
    const config = JSON.parse(readFileSync(configFile, 'utf8'));
    config.chains[0].signer.keystoreFile = 'stranger.json';
    const strangerFile = join(folder, 'stranger-config.json');
    writeFileSync(strangerFile, JSON.stringify({ ...config, databaseFile: 'stranger.db' }));
    const { code, stderr } = await runTollfree(['node', '--config', strangerFile]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^tollfree: .*signer.*$/im);
  });
});

// Each of them starts several services, and one waits as long as a service waits for another.
describe('gRPC of a node', () => {
  const configWith = (name: string, changes: object) => {
    const file = join(folder, `${name}.json`);
    writeFileSync(
      file,
      JSON.stringify({ ...JSON.parse(readFileSync(configFile, 'utf8')), databaseFile: `${name}.db`, ...changes }),
    );
    return file;
  };

  test('is opened on a unix socket for the commands of the same configuration, and nowhere unless asked for', async () => {
    const socket = configWith('socket', { grpc: { listen: 'unix:grpc/core.sock' } });
    const node = await start('node', '--config', socket);
    expect(statSync(join(folder, 'grpc')).mode & 0o777).toBe(0o700);
    await untilReadyIs(node.adminUrl, 200);
    const { code, stdout } = await runInPlace(['ledger', 'check', '--config', socket]);
    expect(stdout).toContain('adds up');
    expect(code).toBe(0);
    expect(await node.service.stop('SIGTERM')).toBe(0);

    const plain = await start('node', '--config', configFile);
    expect(plain.grpc).toBeUndefined();
    expect(await plain.service.stop('SIGTERM')).toBe(0);
  });

  test('on loopback wants a token, which the commands of the same configuration bring along', async () => {
    const listen = `127.0.0.1:${await findClosedPort()}`;
    const bare = await runTollfree(['node', '--config', configWith('bare', { grpc: { listen } })]);
    expect(bare).toMatchObject({ code: 1, stderr: expect.stringContaining('needs a token (grpc.tokenFile)') });

    writeFileSync(join(folder, 'grpc.token'), `${'0f'.repeat(32)}\n`, { mode: 0o600 });
    const config = configWith('loopback', { grpc: { listen, tokenFile: 'grpc.token' } });
    const node = await start('node', '--config', config);
    await untilReadyIs(node.adminUrl, 200);
    expect((await runInPlace(['ledger', 'check', '--config', config])).code).toBe(0);
    // What any local user could do before: credit a tank.
    const credit = ['tank', 'credit', '1 ether', '--paymaster', 'paymaster', '--reason', 'greed', '--core', listen];
    const { code, stderr } = await runInPlace(credit);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('--core-token-file') });
    const withToken = [...credit, '--core-token-file', join(folder, 'grpc.token')];
    expect((await runInPlace(withToken)).stderr).toContain('The service does not know this paymaster');
    expect(await node.service.stop('SIGTERM')).toBe(0);
  });
});

describe('two processes on one database', { timeout: 120_000 }, () => {
  // It waits fifteen seconds.
  test.runIf(isLongRun)(
    'the second one waits its time and ends with 75; the first goes on, also for the commands for accounts',
    async () => {
      const config = ['--config', configFile];
      const first = await start('node', ...config);
      const [second, account] = await Promise.all([
        runTollfree(['node', ...config]),
        runTollfree(['account', 'create', 'Meanwhile', ...config]),
      ]);
      expect(second.code).toBe(75);
      expect(second.stderr).toContain('Another process still uses the database');
      expect(account.code).toBe(0);
      await untilReadyIs(first.adminUrl, 200);
      expect(await first.service.stop('SIGTERM')).toBe(0);
    },
  );

  // Each start on the database of another process waits until it looks again, some seconds.
  test('in a rolling restart the second one takes over when the first has drained, or was killed', async () => {
    const config = ['--config', configFile];
    let running = (await start('node', ...config)).service;
    for (const signal of rowsOfRun(['SIGTERM', 'SIGKILL', 'SIGHUP'] as const, 2)) {
      const next = startTollfree(['node', ...config]);
      services.push(next);
      await next.line('stderr', /Another process uses the database/);
      const ended = running.stop(signal);
      const { adminUrl }: { adminUrl: string } = JSON.parse(await next.line('stderr', /"msg":"started"/));
      await untilReadyIs(adminUrl, 200);
      expect(await ended).toBe(signal === 'SIGKILL' ? null : 0);
      running = next;
    }
    expect(await running.stop('SIGTERM')).toBe(0);
  });
});

describe('tollfree core and tollfree gateway', () => {
  test('serve together over a unix socket, and the gateway is not ready while the core is away', async () => {
    const socket = `unix:${join(folder, 'core.sock')}`;
    const gateway = await start(
      'gateway',
      '--core',
      socket,
      '--listen',
      '127.0.0.1:0',
      '--admin-listen',
      '127.0.0.1:0',
    );
    await untilReadyIs(gateway.adminUrl, 503);

    const core = await start('core', '--config', configFile, '--grpc-listen', socket);
    await untilReadyIs(gateway.adminUrl, 200);
    const accountId = (await runInPlace(['account', 'create', 'Somebody', '--core', socket])).stdout.trim();
    const authToken = (await runInPlace(['auth-token', 'issue', accountId, '--core', socket])).stdout.trim();
    expect(await listPaymasters(gateway.url, authToken)).toEqual(emptyList);

    // The core reads its signing keys again; the gateway has none, and is not ended by being told so too.
    gateway.service.child.kill('SIGUSR2');
    const taken = core.service.nextLine('stderr', /The signing keys of the configuration are in use/);
    core.service.child.kill('SIGUSR2');
    await taken;
    expect(await listPaymasters(gateway.url, authToken)).toEqual(emptyList);

    expect(await core.service.stop('SIGTERM')).toBe(0);
    await untilReadyIs(gateway.adminUrl, 503);
    expect(await gateway.service.stop('SIGTERM')).toBe(0);
  });
});

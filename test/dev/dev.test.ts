import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { toSafeSmartAccount } from 'permissionless/accounts';
import { createPublicClient, http, parseEther } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import { tankFunderAddress } from '../../core/evm/tank-funder/tank-funder.ts';
import type { DevFile, DevPaymaster } from '../../server/dev/dev-file.ts';
import { devTargetAbi } from '../../server/dev/devnet/contracts.generated.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';
import { runTollfree } from '../support/command-line/run-tollfree.ts';
import { type RunningTollfree, startTollfree } from '../support/command-line/running-tollfree.ts';
import { sendHttp } from '../support/interface/send-http.ts';
import { isLongRun, rowsOfRun } from '../support/run/rows-of-run.ts';
import { examplesSuite } from './examples.suite.ts';
import { guideExamplesSuite } from './guide-examples.suite.ts';
import { mcpSuite } from './mcp.suite.ts';
import { startPageSuite } from './start-page.suite.ts';

const anyPorts = ['--port', '0', '--grpc-port', '0', '--chain-port', '0', '--admin-port', '0', '--bundler-port', '0'];
const ready = /^\{"gatewayUrl"/;
/** What is told when the chain or the bundler does not answer within three seconds. */
const ofBusyMachine = /^! (?:Not ready|The bundler does not respond|The chain could not be read)\b/;

let folder: string;
let data: string;
let running: RunningTollfree;
let dev: DevFile;
/** What the default paymaster's tank had paid when the first run stopped, in wei. */
let spentBefore: bigint;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-dev-'));
  data = join(folder, '.tollfree');
  running = startTollfree(['dev', ...anyPorts, '--data', data, '--json', '--log-level', 'debug']);
  dev = JSON.parse(await running.line('stdout', ready));
});
afterAll(async () => {
  if (running.child.exitCode === null) await running.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const safePaymaster = () => dev.paymasters.find(({ entryPointVersion }) => entryPointVersion === '0.7');

describe('tollfree dev', () => {
  test('writes what it printed to dev.json, for its owner only', () => {
    const file = join(data, 'dev.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(dev);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(dev.pids[0]).toBe(running.child.pid);
  });

  test('has one funded paymaster for each EntryPoint version, that of the default version first', () => {
    expect(
      dev.paymasters.map(({ version, entryPointVersion, contract }) => [version, entryPointVersion, contract]),
    ).toEqual([
      ['3.0.0', '0.8', 'pimlico-singleton-0.8'],
      ['1.0.0', '0.6', 'pimlico-singleton-0.6'],
      ['2.0.0', '0.7', 'pimlico-singleton-0.7'],
      ['4.0.0', '0.9', 'tollfree-0.9'],
    ]);
  });

  test.each(['0.6', '0.7', '0.8', '0.9'])(
    'has a row that says who paid how much for a sponsored and a token-paid operation of EntryPoint %s',
    (version) => {
      const rows = running.stdout.filter((line) => line.startsWith(version));
      expect(rows).toEqual([expect.stringMatching(/ \$\d\.\d\d +\d\.\d\d devUSD, at most \d\.\d\d$/)]);
    },
  );

  test('prints the link to the dashboard before anything else, and no hash, key or apiKey but that of the command to try', () => {
    const [first] = running.stdout.filter((line) => line !== '');
    expect(first).toMatch(/^Dashboard {2}http:\/\/127\.0\.0\.1:\d+\/dev\/sign-in\?code=/);
    const text = running.stdout.filter((line) => !line.startsWith('{') && !line.includes('curl ')).join('\n');
    expect(text).not.toMatch(/0x[0-9a-f]{40}/i);
    for (const secret of [dev.authToken, ...dev.paymasters.map(({ apiKey }) => apiKey)]) {
      expect(text.includes(secret)).toBe(false);
    }
  });

  test('is ready by the time it says so', async () => {
    expect((await fetch(`${dev.adminUrl}/readyz`)).status).toBe(200);
  });

  test('prints a curl command that is answered with a sponsorship when it is pasted', () => {
    const command = running.stdout.find((line) => line.includes('curl ')) ?? '';
    expect(command.length).toBeLessThan(300);
    const { status, stdout } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    expect(status).toBe(0);
    expect(JSON.parse(stdout).result).toMatchObject({
      MODE: 'SPONSORED',
      paymasterAndData: expect.stringMatching(/^0x/),
    });
  });

  test('answers the management interface with its authToken', async () => {
    const headers = { authToken: dev.authToken };
    const response = await fetch(`${dev.gatewayUrl}/api/v2/public/sdk/paymaster`, { headers });
    const { data: listed } = (await response.json()) as { data: { apiKey: string }[] };
    expect(listed.map(({ apiKey }) => apiKey)).toEqual(dev.paymasters.map(({ apiKey }) => apiKey));
  });

  test.each([
    ['the bundler', () => dev.bundlerUrl],
    ['the paymaster’s own URL', () => safePaymaster()?.rpcUrl],
  ])(
    'has a Safe where clients look for it, whose operation lands sponsored when it is sent to %s',
    async (_, sendTo) => {
      const paymaster = safePaymaster();
      const chain = { ...foundry, id: dev.chain.chainId };
      const client = createPublicClient({ chain, transport: http(dev.chain.rpcUrl), pollingInterval: 20 });
      const account = await toSafeSmartAccount({
        client,
        owners: [privateKeyToAccount(generatePrivateKey())],
        version: '1.4.1',
      });
      const bundlerClient = createBundlerClient({
        account,
        client,
        transport: http(sendTo()),
        paymaster: createPaymasterClient({ transport: http(paymaster?.rpcUrl) }),
      });
      const call = { to: dev.chain.target, abi: devTargetAbi, functionName: 'increment' } as const;
      const hash = await bundlerClient.sendUserOperation({ calls: [call] });
      const { success, ...receipt } = await bundlerClient.waitForUserOperationReceipt({ hash, pollingInterval: 20 });
      expect([success, receipt.paymaster]).toEqual([true, paymaster?.address]);
      const counted = { abi: devTargetAbi, address: dev.chain.target, functionName: 'count' } as const;
      expect(await client.readContract({ ...counted, args: [account.address] })).toBe(1n);
    },
  );

  test('has the contract with which a Safe fills a gas tank', async () => {
    const management = createManagementClient({ baseUrl: dev.gatewayUrl, authToken: dev.authToken });
    const tank = await management.readGasTank({ apiKey: safePaymaster()?.apiKey ?? '' });
    expect(tank).toMatchObject({ filling: { from: 'anybody', to: tankFunderAddress } });
  });

  test.each(
    rowsOfRun(
      [
        [['account', 'list'], 'development'],
        [['ledger', 'check'], 'adds up'],
        [['status'], 'ready'],
        [['paymaster', 'list'], 'dev-0.8'],
      ] as const,
      1,
    ),
  )('is found by %j in the folder that it was started in, without a flag', async (command, expected) => {
    const { code, stdout, stderr } = await runInPlace(command, { cwd: folder });
    expect(stdout).toContain(expected);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.not.stringContaining('--') });
  });

  test('refuses a second one on the same data directory, before it looks for ports', async () => {
    const { port } = new URL(dev.gatewayUrl);
    const { code, stderr } = await runTollfree(['dev', ...anyPorts, '--port', port, '--data', data]);
    expect(code).toBe(1);
    expect(stderr.split('\n')[0]).toContain(`already runs on this data directory (process ${dev.pids[0]})`);
  });

  test('writes neither keys nor tokens to its log', () => {
    const log = running.stderr.join('\n');
    const keyFiles = ['dev-signer.key', 'dev-master.key'].map((name) => readFileSync(join(data, name), 'utf8').trim());
    const secrets = [
      ...keyFiles.map((key) => key.slice(2)),
      dev.authToken,
      ...dev.paymasters.map(({ apiKey }) => apiKey),
    ];
    expect(log).toContain('request served');
    for (const secret of secrets) expect(log.includes(secret)).toBe(false);
    for (const key of keyFiles) expect(running.stdout.join('\n').includes(key.slice(2))).toBe(false);
  });

  test('writes dev.env for its owner only, without what signs for the service', () => {
    const text = readFileSync(join(data, 'dev.env'), 'utf8');
    expect(statSync(join(data, 'dev.env')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(data, '.gitignore'), 'utf8')).toBe('*\n');
    expect(parseEnv(text)).toMatchObject({
      NODE_URL: dev.chain.rpcUrl,
      BUNDLER_URL: dev.bundlerUrl,
      PAYMASTER_URL: dev.paymasters[0]?.rpcUrl,
      AUTH_TOKEN: dev.authToken,
      ACCOUNT_FACTORY: dev.chain.accountFactories['0.8'],
      CHAIN_ID: '31337',
    });
    const keys = ['dev-signer.key', 'dev-master.key', 'dev-grpc.token'];
    for (const name of keys) expect(text.includes(readFileSync(join(data, name), 'utf8').trim())).toBe(false);
  });

  const written = () => ({ dev, env: parseEnv(readFileSync(join(data, 'dev.env'), 'utf8')) as Record<string, string> });
  startPageSuite(() => ({ folder, data }));
  examplesSuite(written);
  guideExamplesSuite(written);

  mcpSuite(() => ({ dev, folder }));

  describe('the link that it prints', () => {
    const link = () => running.stdout.join('\n').match(/^Dashboard +(http:\S+)/m)?.[1] ?? '';
    const open = (url: string, headers = {}) => fetch(url, { redirect: 'manual', headers });

    test('signs a browser in once, and the address that it leads to has no secret', async () => {
      const code = new URL(link()).searchParams.get('code') ?? '';
      const wrong = `${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}`;
      expect((await open(link().replace(code, wrong))).status).toBe(403);
      const head = await fetch(link(), { method: 'HEAD', redirect: 'manual' });
      expect(head.headers.getSetCookie()).toEqual([]);

      const first = await open(link());
      expect([first.status, first.headers.get('location')]).toEqual([303, '/dashboard/']);
      expect(first.headers.get('referrer-policy')).toBe('no-referrer');
      const [cookie = ''] = first.headers.getSetCookie();
      expect(cookie).toMatch(/^tollfree-session=tfs_\S+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/);
      const session = await open(`${dev.gatewayUrl}/api/v2/public/sdk/session`, { cookie: cookie.split(';')[0] ?? '' });
      expect(await session.json()).toMatchObject({ data: { name: 'development' } });

      const second = await open(link());
      expect([second.status, second.headers.getSetCookie()]).toEqual([403, []]);
      expect(await second.text()).toContain('authToken');
      expect(running.stderr.join('\n').includes(code)).toBe(false);
      expect(readFileSync(join(data, 'dev.json'), 'utf8').includes(code)).toBe(false);
    });

    test('is another site’s where another name leads to it', async () => {
      const answer = await sendHttp(link(), { headers: { host: 'rebound.example' } });
      expect([answer.status, answer.headers['set-cookie']]).toEqual([404, undefined]);
    });
  });

  test('leads pages at localhost to the address that sessions are for, and leaves the interface where it is', async () => {
    const { port } = new URL(dev.gatewayUrl);
    for (const path of ['/', '/dashboard', '/dashboard/paymasters?a=b']) {
      const { status, headers } = await sendHttp(`${dev.gatewayUrl}${path}`, {
        headers: { host: `localhost:${port}` },
      });
      expect([status, headers.location]).toEqual([307, `${dev.gatewayUrl}${path}`]);
    }
    const { status } = await sendHttp(`${dev.gatewayUrl}/readyz`, { headers: { host: `localhost:${port}` } });
    expect(status).toBe(200);
  });

  test('takes settings for its paymasters', async () => {
    const management = createManagementClient({ baseUrl: dev.gatewayUrl, authToken: dev.authToken });
    const policy = { maxGasPerOperation: 1 };
    await management.setPolicy({ apiKey: dev.paymasters[1]?.apiKey ?? '', policy });
    spentBefore = BigInt((await management.readGasTank({ apiKey: dev.paymasters[0]?.apiKey ?? '' })).settled);
    expect(spentBefore).toBeGreaterThan(0n);
  });

  test('stops everything it started when Ctrl-C arrives, even twice at once', async () => {
    expect(await running.stop('SIGINT', 'SIGINT')).toBe(0);
    expect(dev.pids.length).toBe(2);
    expect(dev.pids.filter(isRunning)).toEqual([]);
    for (const file of ['dev.json', 'dev.env', 'request.json']) expect(existsSync(join(data, file))).toBe(false);
  });

  const kept = ({ apiKey, paymasterId, address, fundingWallet }: DevPaymaster) => [
    ...[apiKey, paymasterId, address, fundingWallet],
  ];

  async function startAgain() {
    const again = startTollfree(['dev', ...anyPorts, '--data', data, '--json']);
    onTestFinished(async () => void (again.child.exitCode ?? again.child.signalCode ?? (await again.stop('SIGTERM'))));
    const file: DevFile = JSON.parse(await again.line('stdout', ready));
    const management = createManagementClient({ baseUrl: file.gatewayUrl, authToken: dev.authToken });
    return { again, file, management };
  }

  test.runIf(isLongRun)('resumes its chain, gas tanks, decisions and settings, and signs on', async () => {
    const { again, file, management } = await startAgain();
    expect(again.stderr).toContainEqual(expect.stringContaining('Resuming the last run'));
    expect(file.authToken).toBe(dev.authToken);
    expect(file.paymasters.map(kept)).toEqual(dev.paymasters.map(kept));
    const [first, limited] = file.paymasters;
    expect((await management.readPolicy({ apiKey: limited?.apiKey ?? '' })).maxGasPerOperation).toBe(1);
    const { funded, settled } = await management.readGasTank({ apiKey: first?.apiKey ?? '' });
    expect(funded).toBe(parseEther('100').toString());
    expect(BigInt(settled)).toBeGreaterThanOrEqual(spentBefore);
    const command = again.stdout.find((line) => line.includes('curl ')) ?? '';
    const { stdout } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    expect(JSON.parse(stdout).result?.paymasterAndData, stdout).toMatch(/^0x/);
    const checked = await runInPlace(['ledger', 'check'], { cwd: folder });
    expect(checked).toMatchObject({ code: 0, stdout: expect.not.stringContaining('DOES NOT ADD UP') });
    // Neither JSON of the log nor a warning stands between the lines for the developer.
    expect(again.stderr.filter((line) => !line.startsWith('· ') && !ofBusyMachine.test(line))).toEqual([]);
    await again.stop('SIGKILL');
    for (const pid of file.pids.slice(1)) process.kill(pid, 'SIGKILL');
  });

  test.runIf(isLongRun)(
    'starts a new chain after it was killed, with the keys, apiKeys and settings of before',
    async () => {
      const { again, file, management } = await startAgain();
      expect(again.stderr).toContainEqual(expect.stringContaining('Its chain was not kept'));
      expect(file.paymasters.map(kept)).toEqual(dev.paymasters.map(kept));
      // What was set up decides: the limited paymaster refuses, the others have coin for what they are asked for.
      const rows = again.stdout.filter((line) => /^0\.\d/.test(line));
      expect(rows.map((row) => row.split('refused: LIMIT_EXCEEDED').length - 1)).toEqual([0, 2, 0, 0]);
      for (const { entryPointVersion, apiKey } of file.paymasters) {
        if (entryPointVersion === '0.6') continue;
        // The tank of the last run had as much, and is gone.
        await vi.waitFor(async () => {
          const { funded, settled } = await management.readGasTank({ apiKey });
          expect(funded).toBe(parseEther('100').toString());
          expect(BigInt(settled)).toBeGreaterThan(0n);
        });
      }
      expect(again.stderr).not.toContainEqual(expect.stringContaining('has ended'));
      for (const pid of file.pids.slice(1)) process.kill(pid, 'SIGKILL');
      expect(await again.line('stderr', /^! The development chain has ended/)).toContain('Ctrl-C and start again');
      expect(await again.stop('SIGTERM')).toBe(0);
    },
  );
});

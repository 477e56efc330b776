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
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { DevFile, DevPaymaster } from '../../clients/cli/dev/dev-file.ts';
import { devTargetAbi } from '../../clients/cli/dev/devnet/contracts.generated.ts';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';
import { runTollfree } from '../support/command-line/run-tollfree.ts';
import { type RunningTollfree, startTollfree } from '../support/command-line/running-tollfree.ts';
import { sendHttp } from '../support/interface/send-http.ts';
import { examplesSuite } from './examples.suite.ts';
import { guideExamplesSuite } from './guide-examples.suite.ts';

const anyPorts = ['--port', '0', '--grpc-port', '0', '--chain-port', '0', '--admin-port', '0', '--bundler-port', '0'];
const ready = /^\{"gatewayUrl"/;

let folder: string;
let data: string;
let running: RunningTollfree;
let dev: DevFile;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-dev-'));
  data = join(folder, 'data');
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

describe('tollfree dev', () => {
  test('writes what it printed to dev.json, for its owner only', () => {
    const file = join(data, 'dev.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(dev);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(dev.pids[0]).toBe(running.child.pid);
  });

  test('has one funded paymaster for each EntryPoint version', () => {
    expect(
      dev.paymasters.map(({ version, entryPointVersion, contract }) => [version, entryPointVersion, contract]),
    ).toEqual([
      ['1.0.0', '0.6', 'pimlico-singleton-0.6'],
      ['2.0.0', '0.7', 'pimlico-singleton-0.7'],
      ['3.0.0', '0.8', 'pimlico-singleton-0.8'],
      ['4.0.0', '0.9', 'tollfree-2-0.9'],
    ]);
  });

  test.each(['0.6', '0.7', '0.8', '0.9'])(
    'says who paid for a sponsored and a token-paid operation of EntryPoint %s',
    (version) => {
      const lines = running.stdout.filter((line) => line.includes(`EntryPoint ${version}, `));
      expect(lines).toEqual([
        expect.stringMatching(/sponsored: the gas tank of dev-\S+ paid 0\.0\d+ ETH, the user nothing \(transaction 0x/),
        expect.stringMatching(/in tokens: the user paid \d+\.\d+ devUSD .* \(transaction 0x[0-9a-f]{64}\)/),
      ]);
    },
  );

  test('is ready by the time it says so', async () => {
    expect((await fetch(`${dev.adminUrl}/readyz`)).status).toBe(200);
  });

  test('prints a curl command that is answered with a sponsorship when it is pasted', () => {
    const command = running.stdout.find((line) => line.startsWith('curl ')) ?? '';
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

  test('has a Safe where clients look for it, whose operation lands sponsored', async () => {
    const [, paymaster] = dev.paymasters;
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
      transport: http(dev.bundlerUrl),
      paymaster: createPaymasterClient({ transport: http(paymaster?.rpcUrl) }),
    });
    const call = { to: dev.chain.target, abi: devTargetAbi, functionName: 'increment' } as const;
    const hash = await bundlerClient.sendUserOperation({ calls: [call] });
    const { success, ...receipt } = await bundlerClient.waitForUserOperationReceipt({ hash, pollingInterval: 20 });
    expect([success, receipt.paymaster]).toEqual([true, paymaster?.address]);
    const counted = { abi: devTargetAbi, address: dev.chain.target, functionName: 'count' } as const;
    expect(await client.readContract({ ...counted, args: [account.address] })).toBe(1n);
  });

  test('has its accounts reached over gRPC', async () => {
    const { code, stdout } = await runInPlace([
      'account',
      'list',
      '--core',
      dev.grpcAddress,
      '--core-token-file',
      dev.grpcTokenFile,
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('development');
  });

  test('refuses a second one on the same data directory', async () => {
    const { code, stderr } = await runTollfree(['dev', ...anyPorts, '--data', data]);
    expect(code).toBe(1);
    expect(stderr).toContain(`already runs on this data directory (process ${dev.pids[0]})`);
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

  test('writes dev.env for its owner only, without what stands for the account or signs for it', () => {
    const text = readFileSync(join(data, 'dev.env'), 'utf8');
    expect(statSync(join(data, 'dev.env')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(data, '.gitignore'), 'utf8')).toBe('*\n');
    expect(parseEnv(text)).toMatchObject({
      NODE_URL: dev.chain.rpcUrl,
      BUNDLER_URL: dev.bundlerUrl,
      PAYMASTER_URL: dev.paymasters[2]?.rpcUrl,
      CHAIN_ID: '31337',
    });
    const keys = ['dev-signer.key', 'dev-master.key', 'dev-grpc.token', 'dev-auth.token'];
    for (const name of keys) expect(text.includes(readFileSync(join(data, name), 'utf8').trim())).toBe(false);
  });

  const written = () => ({ dev, env: parseEnv(readFileSync(join(data, 'dev.env'), 'utf8')) as Record<string, string> });
  examplesSuite(written);
  guideExamplesSuite(written);

  describe('the link that it prints', () => {
    const link = () => running.stdout.join('\n').match(/dashboard +(http:\S+)/)?.[1] ?? '';
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
    await management.setPolicy({ apiKey: dev.paymasters[0]?.apiKey ?? '', policy });
  });

  test('stops everything it started when Ctrl-C arrives, even twice at once', async () => {
    expect(await running.stop('SIGINT', 'SIGINT')).toBe(0);
    expect(dev.pids.length).toBe(2);
    expect(dev.pids.filter(isRunning)).toEqual([]);
    for (const file of ['dev.json', 'dev.env']) expect(existsSync(join(data, file))).toBe(false);
  });

  test('keeps its keys, authToken, apiKeys and settings on a chain that starts anew, and says so', async () => {
    const again = startTollfree(['dev', ...anyPorts, '--data', data, '--json']);
    const second: DevFile = JSON.parse(await again.line('stdout', ready));
    expect(again.stderr.join('\n')).toContain('settings are those of the last run');
    expect(second.authToken).toBe(dev.authToken);
    const kept = ({ apiKey, paymasterId, address, fundingWallet }: DevPaymaster) => [
      apiKey,
      paymasterId,
      address,
      fundingWallet,
    ];
    expect(second.paymasters.map(kept)).toEqual(dev.paymasters.map(kept));

    const management = createManagementClient({ baseUrl: second.gatewayUrl, authToken: dev.authToken });
    const [refusing, ...others] = second.paymasters;
    expect((await management.readPolicy({ apiKey: refusing?.apiKey ?? '' })).maxGasPerOperation).toBe(1);
    // What was set up decides: the first paymaster refuses, the others have coin for what they are asked for.
    const said = (version: string) => again.stdout.filter((line) => line.includes(`EntryPoint ${version}, `));
    expect(said('0.6').map((line) => line.includes('LIMIT_EXCEEDED'))).toEqual([true, true]);
    for (const { entryPointVersion, apiKey } of others) {
      expect(said(entryPointVersion).map((line) => /paid \d/.test(line))).toEqual([true, true]);
      // The tank of the last run had as much, and is gone.
      await vi.waitFor(async () => {
        const { funded, settled } = await management.readGasTank({ apiKey });
        expect(funded).toBe(parseEther('100').toString());
        expect(BigInt(settled)).toBeGreaterThan(0n);
      });
    }
    expect(await again.stop('SIGTERM')).toBe(0);
  });
});

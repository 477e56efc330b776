import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { http, parseEther } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { loadConfig } from '../../server/config/load-config.ts';
import { toCoreConfig } from '../../server/config/to-core-config.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { depositOf, incrementsOf, targetCall } from '../support/chain/chain-lab.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { mineConfirmations } from '../support/chain/mine-confirmations.ts';
import { startTestBundler, type TestBundler } from '../support/chain/test-bundler.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';
import { runInProcess } from '../support/command-line/run-in-process.ts';
import { runTollfree } from '../support/command-line/run-tollfree.ts';
import { type RunningTollfree, startTollfree } from '../support/command-line/running-tollfree.ts';
import { writeKeystore } from '../support/command-line/write-keystore.ts';
import { chainClient, simpleAccount } from '../support/service/client-lab.ts';

const password = 'a password of the test';
const findingsSchema = z.object({ findings: z.array(z.object({ id: z.string(), level: z.string() })) });
const patience = { timeout: 60_000, interval: 500 };

let devnet: Devnet;
let folder: string;
let bundler: TestBundler | undefined;
let running: RunningTollfree | undefined;

const file = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-walk-'));
  devnet = await leaseDevnet();
  writeFileSync(file('payer.key'), devnet.fundedKeys[3] ?? '', { mode: 0o600 });
  writeFileSync(file('password'), password, { mode: 0o600 });
  writeFileSync(file('abi.json'), JSON.stringify(devnet.target.abi));
  writeKeystore(file('wallet.json'), password, devnet.fundedKeys[4]);
});
afterAll(async () => {
  await running?.stop('SIGKILL');
  await bundler?.close();
  await devnet.close();
  rmSync(folder, { recursive: true });
});

/** Runs a command in the folder where the service was set up, in a process of its own. */
async function tollfree(...args: readonly string[]) {
  return answerOf(args, await runTollfree([...args, '--json'], { cwd: folder }));
}

/** Runs a command in this process, which takes less, if another test runs it as a process. */
async function inProcess(...args: readonly string[]) {
  return answerOf(args, await runInPlace([...args, '--json'], { cwd: folder }));
}

/** What the doctor finds that is not sound, as `id level`. */
async function troubles(...flags: readonly string[]) {
  const { stdout } = await runInProcess('doctor', '--config', file('tollfree.json'), ...flags, '--json');
  const { findings } = findingsSchema.parse(JSON.parse(stdout));
  return findings.filter(({ level }) => level !== 'ok').map(({ id, level }) => `${id} ${level}`);
}

function answerOf(args: readonly string[], { code, stdout, stderr }: Awaited<ReturnType<typeof runTollfree>>) {
  expect({ args, code, stderr }).toMatchObject({ args, code: 0 });
  return JSON.parse(stdout);
}

/** Starts the service and answers where it is, once it is ready. */
async function startNode() {
  const anywhere = ['--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0'];
  running = startTollfree(['node', '--config', file('tollfree.json'), ...anywhere]);
  const started: unknown = JSON.parse(await running.line('stderr', /"msg":"started"/));
  const location = z.object({ url: z.string(), adminUrl: z.string() }).parse(started);
  await vi.waitFor(async () => expect((await fetch(`${location.adminUrl}/readyz`)).status).toBe(200), patience);
  return location;
}

/** viem's own client, with a bundler next to the chain that is configured. */
async function clientOf(rpcUrl: string) {
  const [chain] = (await toCoreConfig(loadConfig({ config: file('tollfree.json') }, {}))).chains;
  if (chain === undefined) throw new Error('init has written no chain.');
  bundler = await startTestBundler(devnet, chain);
  return createBundlerClient({
    account: await simpleAccount(devnet, '0.7'),
    client: chainClient(devnet),
    transport: http(bundler.url, { retryCount: 0 }),
    paymaster: createPaymasterClient({ transport: http(rpcUrl, { retryCount: 0 }) }),
    pollingInterval: 20,
  });
}

test('an operator comes from nothing to a sponsored operation, and through the loss of the database', async () => {
  const where = ['--chain', `${devnet.chainId}`, '--node-url', devnet.rpcUrl, '--coin-usd', '2000'];
  await tollfree('init', ...where, '--family', 'pimlico-singleton-0.7', '--signer-password-file', 'password');
  const payer = ['--key-file', 'payer.key', '--yes'];
  const { address } = await tollfree(
    ...['paymaster-contract', 'deploy', '--family', 'pimlico-singleton-0.7', '--write'],
    ...payer,
  );

  // What is yet to be paid in; the rest is as it has to be.
  expect(await troubles()).toEqual(['deposit-empty warning', 'stake-missing warning']);
  const first = await startNode();
  const { accountId } = await inProcess('account', 'create', 'My app');
  const { authToken } = await inProcess('auth-token', 'issue', accountId);
  writeFileSync(file('auth-token'), authToken, { mode: 0o600 });
  const holder = ['--url', first.url, '--auth-token-file', 'auth-token'];
  const version = ['--chain-id', `${devnet.chainId}`, '--paymaster-version', '1.0.0'];
  const { apiKey } = await inProcess('paymaster', 'create', 'shop', ...version, ...holder);
  const ofShop = [...holder, '--api-key', apiKey];
  const target = ['--address', devnet.target.address, '--abi', 'abi.json', '--whitelist', 'increment'];
  await inProcess('contract', 'register', 'target', ...target, ...ofShop);
  const wallet = ['--keystore', 'wallet.json', '--password-file', 'password'];
  await inProcess('funding', 'set-wallet', ...wallet, ...ofShop);
  await inProcess('paymaster-contract', 'deposit', '1 ether', '--contract', '1.0.0', '--yes', ...wallet);
  await mineConfirmations(devnet);
  const isFull = async () => expect(await inProcess('tank')).toMatchObject({ available: `${parseEther('1')}` });
  await vi.waitFor(isFull, patience);

  const listening = ['--listen', new URL(first.url).host, '--admin-listen', new URL(first.adminUrl).host];
  expect(await troubles(...listening)).toEqual(['stake-missing warning']);

  const client = await clientOf(`${first.url}/api/v1/${devnet.chainId}/${apiKey}`);
  const hash = await client.sendUserOperation({ calls: [targetCall(devnet, 'increment')] });
  const { success, actualGasCost } = await client.waitForUserOperationReceipt({ hash });
  expect([success, await incrementsOf(devnet, client.account.address)]).toEqual([true, 1n]);
  await mineConfirmations(devnet);
  const left = parseEther('1') - actualGasCost;
  const isSettled = async () => expect(await inProcess('tank')).toMatchObject({ available: `${left}` });
  await vi.waitFor(isSettled, patience);
  expect(await tollfree('status', '--admin', first.adminUrl)).toMatchObject({ ready: true, problems: [] });

  const copy = await tollfree('backup', '--out', 'copy.db');
  const keys = ['secrets/master.key', 'secrets/signer.json', 'password'].map(file);
  expect(copy).toMatchObject({ file: file('copy.db'), chains: [{ chainId: devnet.chainId }], keyFiles: keys });
  const early = await runTollfree(['restore', 'copy.db'], { cwd: folder });
  expect(early).toMatchObject({ code: 75, stdout: '', stderr: expect.stringContaining('Stop it first') });
  const tank = await inProcess('tank');
  const { entries } = await inProcess('tank', 'entries');
  expect(entries.length).toBeLessThanOrEqual(copy.entries);

  await running?.stop('SIGKILL');
  for (const name of readdirSync(file('data'))) {
    if (name.startsWith('tollfree.db') && !name.endsWith('.lock')) rmSync(file(`data/${name}`));
  }
  const restored = await tollfree('restore', 'copy.db');
  expect(restored).toMatchObject({ file: file('data/tollfree.db'), entries: copy.entries, keyFiles: keys });

  const second = await startNode();
  expect(await inProcess('tank')).toEqual(tank);
  expect((await inProcess('tank', 'entries')).entries).toEqual(entries);
  const [ledger, ...others] = await tollfree('ledger', 'check');
  const deposit = await depositOf(devnet, '0.7', address);
  expect(deposit).toBe(left);
  expect(others).toEqual([]);
  expect(ledger).toMatchObject({ contract: address, verdict: 'adds up', bookDeposit: `${left}`, difference: '0' });
  expect(await tollfree('status', '--admin', second.adminUrl)).toMatchObject({ problems: [] });
}, 180_000);

import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Address, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { loadConfig } from '../../server/config/load-config.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { spawnTied } from '../../server/dev/devnet/start-anvil.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';

let devnet: Devnet;
let folder: string;
let payer: Address;

const flags = ['setup', '--answers', 'answers.json', '--yes'];
const file = (name: string) => join(folder, name);
const sent = () => devnet.client.getTransactionCount({ address: payer });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-setup-'));
  devnet = await leaseDevnet();
  const key = generatePrivateKey();
  payer = privateKeyToAddress(key);
  writeFileSync(file('payer.key'), key, { mode: 0o600 });
  const answers = {
    chain: String(devnet.chainId),
    coinUsd: '2000',
    nodeUrl: devnet.rpcUrl,
    family: 'tollfree-0.8',
    keyFile: 'payer.key',
    publicUrl: 'https://gas.example.org',
    trustedProxies: '127.0.0.1',
  };
  writeFileSync(file('answers.json'), JSON.stringify(answers));
  await devnet.client.setBalance({ address: payer, value: parseEther('1') });
});
afterAll(async () => {
  await devnet.client.request({ method: 'evm_setAutomine', params: [true] } as never);
  await devnet.close();
  rmSync(folder, { recursive: true });
});

const start = (args: readonly string[]) =>
  spawnTied(process.execPath, [inject('program'), ...args], { cwd: folder, env: { PATH: process.env.PATH } });

/** Runs `tollfree setup` and kills it at the first line of its output that matches; undefined: it came to its end. */
async function runUntil(fatal: RegExp): Promise<string | undefined> {
  const child = start(flags);
  const closed = once(child, 'close');
  const watch = async (stream: NodeJS.ReadableStream) => {
    for await (const line of createInterface({ input: stream })) {
      if (!fatal.test(line)) continue;
      child.kill('SIGKILL');
      return line;
    }
    return undefined;
  };
  const lines = await Promise.all([watch(child.stdout), watch(child.stderr)]);
  await closed;
  return lines.find((line) => line !== undefined);
}

/** What every installation must have once, whatever happened on the way. */
async function installation() {
  const read = async (...args: readonly string[]) =>
    JSON.parse((await runInPlace([...args, '--json'], { cwd: folder })).stdout);
  const accounts: readonly { readonly accountId: string }[] = await read('account', 'list');
  const [contract] = await read('paymaster-contract', 'status');
  const audit: readonly { readonly kind: string; readonly what: string }[] = await read('audit');
  const { dashboard } = loadConfig({ config: file('tollfree.json') }, {});
  return {
    operators: dashboard.operators.length === 1 && dashboard.operators[0] === accounts[0]?.accountId,
    accounts: accounts.length,
    kinds: audit.map(({ kind }) => kind).toSorted(),
    limits: audit.filter(({ kind }) => kind === 'policy').map(({ what }) => what),
    money: [contract.stake, contract.deposit],
    secrets: readdirSync(file('secrets')).toSorted(),
    sent: await sent(),
  };
}

test('a setup that is killed after each of its steps and run again ends as if it had not been', {
  timeout: 240_000,
}, async () => {
  const killedAfter: string[] = [];
  for (;;) {
    const line = await runUntil(/^✓ /);
    if (line === undefined) break;
    killedAfter.push(line);
  }
  expect(killedAfter.length).toBeGreaterThan(4);
  const interrupted = await installation();
  expect(interrupted).toMatchObject({
    operators: true,
    accounts: 1,
    limits: ['limits: usdMicros per total and day'],
    money: [`${parseEther('0.1')}`, `${parseEther('0.01')}`],
    secrets: ['auth-token', 'master.key', 'signer.json', 'signer.password'],
    sent: 3,
  });
  expect(interrupted.kinds.filter((kind) => kind === 'authToken')).toHaveLength(1);
});

test('a token that was issued by a killed run, and that no one knows, is revoked by the next one', async () => {
  const before = await installation();
  // What a run leaves that ends between the database and the file.
  rmSync(file('secrets/auth-token'));
  writeFileSync(file('secrets/auth-token.new'), '', { mode: 0o600 });
  expect(await runUntil(/^never$/)).toBeUndefined();
  expect(await installation()).toEqual(before);
  expect(existsSync(file('secrets/auth-token'))).toBe(true);
});

test('a transaction that a killed run has sent is waited for, and not sent again', async () => {
  await devnet.client.request({ method: 'evm_setAutomine', params: [false] } as never);
  const transactions = await sent();
  const more = [...flags, '--stake', '0.2 ether'];
  const child = start(more);
  const closed = once(child, 'close');
  for await (const line of createInterface({ input: child.stderr })) if (line.startsWith('Sent the transaction')) break;
  child.kill('SIGKILL');
  await closed;
  const again = start(more);
  const ended = once(again, 'close');
  for await (const line of createInterface({ input: again.stderr })) {
    if (line.includes('Waiting for them')) {
      await devnet.client.request({ method: 'evm_setAutomine', params: [true] } as never);
      await devnet.client.mine({ blocks: 1 });
    }
  }
  await ended;
  expect(await sent()).toBe(transactions + 1);
  expect((await installation()).money[0]).toBe(`${parseEther('0.2')}`);
});

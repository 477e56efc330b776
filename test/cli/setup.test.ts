import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { loadConfig } from '../../server/config/load-config.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';

const answerSchema = z.object({
  steps: z.array(z.object({ step: z.string(), state: z.enum(['there', 'done']), detail: z.string() })),
  paymasterId: z.string(),
  apiKey: z.string(),
  rpcUrl: z.string(),
});
const allSteps = [
  ...['configuration', 'payer', 'contract', 'stake'],
  ...['account', 'authToken', 'paymaster', 'limit', 'funding wallet', 'operator', 'deposit'],
];

let devnet: Devnet;
let folder: string;
let payer: Address;

const file = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(file(name), 'utf8');
const tollfree = (...args: readonly string[]) => runInPlace(args, { cwd: folder });
const setup = (...flags: readonly string[]) => tollfree('setup', '--answers', 'answers.json', '--json', ...flags);
const sent = () => devnet.client.getTransactionCount({ address: payer });

async function completed(...flags: readonly string[]) {
  const { code, stdout, stderr } = await setup(...flags);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return answerSchema.parse(JSON.parse(stdout));
}

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
});
afterAll(async () => {
  await devnet.close();
  rmSync(folder, { recursive: true });
});

test('an answer that is none is refused, and nothing is written', async () => {
  writeFileSync(file('other.json'), JSON.stringify({ chains: 'base' }));
  const refused = await tollfree('setup', '--answers', 'other.json');
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('unknown answer "chains"') });
  writeFileSync(file('other.json'), JSON.stringify({ yes: 'perhaps', chain: 5 }));
  expect((await tollfree('setup', '--answers', 'other.json')).stderr).toContain('"chain" in other.json must be text');
  expect(existsSync(file('tollfree.json'))).toBe(false);
});

test('a daily limit that is no amount is refused before anything is written', async () => {
  const refused = await setup('--yes', '--daily-limit', 'fifty');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--daily-limit must be USD') });
  expect(existsSync(file('tollfree.json'))).toBe(false);
});

test('without coins it says where to send how much, keeps what is done, and can be tried again', async () => {
  const early = await setup('--yes');
  expect(early).toMatchObject({ code: 75, stdout: '' });
  expect(early.stderr).toMatch(
    new RegExp(`Send 0\\.1\\d+ ether on Chain ${devnet.chainId} to ${payer}: to deploy .*, to stake 0\\.1 ether`),
  );
  for (const name of ['tollfree.json', 'secrets/master.key', 'secrets/signer.json', 'secrets/signer.password']) {
    expect({ name, mode: statSync(file(name)).mode & 0o777 }).toEqual({ name, mode: 0o600 });
  }
  const { gateway, dashboard, chains } = loadConfig({ config: file('tollfree.json') }, {});
  expect({ gateway, dashboard }).toMatchObject({
    gateway: { trustedProxies: ['127.0.0.1'] },
    dashboard: { publicUrl: 'https://gas.example.org' },
  });
  expect(chains?.[0]?.signer?.passwordFile).toBe(file('secrets/signer.password'));
});

test('without a yes and a terminal to ask at nothing is sent', async () => {
  await devnet.client.setBalance({ address: payer, value: parseEther('1') });
  const refused = await setup();
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Add --yes to send') });
  expect(await sent()).toBe(0);
});

test('one run does all that is left, and a second one finds everything there', async () => {
  const first = await completed('--yes');
  expect(first.steps.map(({ step }) => step)).toEqual(allSteps);
  const there = first.steps.filter(({ state }) => state === 'there').map(({ step }) => step);
  expect(there).toEqual(['configuration', 'payer']);
  expect(first.rpcUrl).toBe(`https://gas.example.org/api/v2/${devnet.chainId}/${first.apiKey}`);
  expect(statSync(file('secrets/auth-token')).mode & 0o777).toBe(0o600);
  const [status] = JSON.parse((await tollfree('paymaster-contract', 'status', '--json')).stdout);
  expect(status).toMatchObject({
    family: 'tollfree-0.8',
    stake: `${parseEther('0.1')}`,
    staked: true,
    deposit: `${parseEther('0.01')}`,
    signers: [{ fault: null }],
  });

  const transactions = await sent();
  const config = read('tollfree.json');
  const second = await completed('--yes');
  expect(second.steps.map(({ state }) => state)).toEqual(allSteps.map(() => 'there'));
  expect({ ...second, steps: [] }).toEqual({ ...first, steps: [] });
  expect(await sent()).toBe(transactions);
  expect(read('tollfree.json')).toBe(config);
});

test('a run that ended after the contract was deployed and before it was written down deploys no second one', async () => {
  const before = loadConfig({ config: file('tollfree.json') }, {}).chains?.[0]?.paymasterContracts;
  writeFileSync(
    file('tollfree.json'),
    read('tollfree.json').replace(/"paymasterContracts": \[[^\]]*\]/, '"paymasterContracts": []'),
  );
  const transactions = await sent();
  const again = await completed('--yes');
  expect(again.steps.filter(({ state }) => state === 'done').map(({ step }) => step)).toEqual(['contract']);
  expect(loadConfig({ config: file('tollfree.json') }, {}).chains?.[0]?.paymasterContracts).toEqual(before);
  expect(await sent()).toBe(transactions);
});

test('the first account is the operator, and one that a later run adds is not', async () => {
  const operators = () => loadConfig({ config: file('tollfree.json') }, {}).dashboard.operators;
  const accounts = async (): Promise<readonly { readonly accountId: string }[]> =>
    JSON.parse((await tollfree('account', 'list', '--json')).stdout);
  const [first] = await accounts();
  expect(operators()).toEqual([first?.accountId]);
  await completed('--yes', '--account-name', 'A tenant', '--paymaster-name', 'of the tenant');
  expect(await accounts()).toHaveLength(2);
  expect(operators()).toEqual([first?.accountId]);
});

test('another paymaster is a run with another name, and its secrets are in no output', async () => {
  const { code, stdout, stderr } = await setup('--yes', '--paymaster-name', 'second');
  expect(code).toBe(0);
  const { steps } = answerSchema.parse(JSON.parse(stdout));
  expect(steps.filter(({ state }) => state === 'done').map(({ step }) => step)).toEqual([
    'paymaster',
    'limit',
    'funding wallet',
  ]);
  const secrets = ['payer.key', 'secrets/auth-token', 'secrets/signer.password', 'secrets/master.key'].map((name) =>
    read(name).trim(),
  );
  for (const secret of secrets) expect(stdout + stderr).not.toContain(secret);
});

test('ends with the command that sponsors a contract, for the paymaster that was set up', async () => {
  const { code, stdout } = await tollfree('setup', '--answers', 'answers.json', '--yes', '--paymaster-name', 'second');
  expect(code).toBe(0);
  const [, command = ''] = /^Sponsor a contract: +tollfree (.*)$/m.exec(stdout) ?? [];
  const { paymasterId } = await completed('--paymaster-name', 'second');
  expect(command).toMatch(/^contract register <name> --address <address> --abi <file> --whitelist <method> --url /);
  expect(command).toContain(`--auth-token-file secrets/auth-token --paymaster ${paymasterId}`);
});

test('a new paymaster gets a limit of all senders together, unless it is turned off, and one that is there keeps its policy', async () => {
  const risksOf = async (name: string) => {
    const entries: readonly { readonly kind: string; readonly name?: string; readonly what: string }[] = JSON.parse(
      (await tollfree('audit', '--json')).stdout,
    );
    return entries.filter((entry) => entry.kind === 'policy' && entry.name === name).map(({ what }) => what);
  };
  expect(await risksOf('main')).toContain('limits: usdMicros per total and day');
  const flags = ['--yes', '--paymaster-name', 'unlimited'];
  const { steps } = await completed(...flags, '--daily-limit', 'none');
  expect(steps).toContainEqual({ step: 'limit', state: 'there', detail: expect.stringContaining('none') });
  const again = await setup(...flags, '--daily-limit', '20');
  expect(again.stderr).toContain('Strangers who have the URL can spend the whole gas tank');
  expect(await risksOf('unlimited')).toEqual([expect.stringContaining('any number of senders')]);
  const findings: { readonly findings: readonly { readonly id: string; readonly message: string }[] } = JSON.parse(
    (await tollfree('doctor', '--json')).stdout,
  );
  expect(findings.findings).toContainEqual(
    expect.objectContaining({
      id: 'paymaster-unbounded',
      level: 'warning',
      message: expect.stringContaining('"unlimited" has no total limit'),
    }),
  );
});

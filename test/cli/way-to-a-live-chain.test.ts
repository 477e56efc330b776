import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../clients/cli/config/load-config.ts';
import type { Devnet } from '../../clients/cli/dev/devnet/devnet.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { runInProcess } from '../support/command-line/run-in-process.ts';

const password = 'a password of the test';

let devnet: Devnet;
let folder: string;

const file = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(file(name), 'utf8');
const initFlags = () => [
  ...['--chain', String(devnet.chainId), '--coin-usd', '2000', '--node-url', devnet.rpcUrl],
  ...['--family', 'pimlico-singleton-0.7', '--password-file', file('password')],
];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-live-'));
  devnet = await leaseDevnet();
  writeFileSync(file('password'), password, { mode: 0o600 });
});
afterAll(async () => {
  await devnet.close();
  rmSync(folder, { recursive: true });
});

describe('init', () => {
  test('without a terminal names every flag that is missing, at once', async () => {
    const refused = await runInProcess('init', '--config', file('none/tollfree.json'));
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('Missing: --chain, --node-url, --password-file.');
    const unknown = await runInProcess('init', '--config', file('none/tollfree.json'), '--chain', '777');
    expect(unknown.stderr).toContain('Missing: --coin-usd, --node-url, --password-file.');
    expect(existsSync(file('none'))).toBe(false);
  });

  test.each([
    ['a chain that nobody knows', ['--chain', 'mainnet2'], /--chain must be a chain id or one of ethereum/],
    ['a node that is none', ['--node-url', 'ws://127.0.0.1'], /--node-url must be http or https URLs/],
    ['a family that is none', ['--family', 'other'], /--family must be one of pimlico-singleton-0\.6/],
    ['a sign-up mode that is none', ['--sign-up', 'all'], /--sign-up must be one of open, invited, closed/],
    ['a public URL without TLS', ['--public-url', 'http://gas.example.org'], /--public-url must be an https URL/],
    ['a price that is none', ['--coin-usd', '0'], /--coin-usd must be a number above 0/],
    ['a node of another chain', ['--chain', 'sepolia'], /Node 1 of --node-url is one of chain \d+, not of 11155111/],
    ['a folder too deep for a socket', ['--data', 'd'.repeat(120)], /grpc\.listen must be .* at most 103 bytes/],
  ])('refuses %s, and writes nothing', async (_, flags, sentence) => {
    const refused = await runInProcess('init', '--config', file('none/tollfree.json'), ...initFlags(), ...flags);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(sentence);
    expect(existsSync(file('none'))).toBe(false);
  });

  test('a node that is away is a reason to try again', async () => {
    const flags = [...initFlags(), '--node-url', 'http://127.0.0.1:1/secret-key'];
    const refused = await runInProcess('init', '--config', file('none/tollfree.json'), ...flags);
    expect(refused.code).toBe(75);
    expect(refused.stderr).not.toContain('secret-key');
  });

  test('writes files that are closed to others, and a configuration that is read as it was meant', async () => {
    const config = file('tollfree.json');
    const { code, stdout } = await runInProcess(
      'init',
      '--config',
      config,
      ...initFlags(),
      '--sign-up',
      'invited',
      '--json',
    );
    expect(code).toBe(0);
    const written = JSON.parse(stdout);
    expect(written).toMatchObject({ config, masterKey: file('secrets/master.key') });
    for (const name of ['tollfree.json', 'secrets/master.key', 'secrets/signer.json']) {
      expect({ name, mode: statSync(file(name)).mode & 0o777 }).toEqual({ name, mode: 0o600 });
    }
    const loaded = loadConfig({ config }, {});
    expect(loaded).toMatchObject({
      databaseFile: file('data/tollfree.db'),
      dashboard: { signUp: 'invited' },
      grpc: { listen: `unix:${file('data/grpc/core.sock')}` },
      chains: [{ chainId: devnet.chainId, nodeUrls: [devnet.rpcUrl], paymasterContracts: [] }],
    });
    expect(loaded.chains?.[0]?.startBlock).toBe(Number(await devnet.client.getBlockNumber()));
    expect(read('tollfree.json')).toMatch(/\/\/ Encrypts apiKeys/);
  });

  test('a second time overwrites nothing', async () => {
    const names = ['tollfree.json', 'secrets/master.key', 'secrets/signer.json'];
    const before = names.map(read);
    const again = await runInProcess('init', '--config', file('tollfree.json'), ...initFlags());
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('is there already') });
    const beside = await runInProcess('init', '--config', file('other.json'), ...initFlags());
    expect(beside).toMatchObject({ code: 1, stderr: expect.stringContaining('secrets/master.key') });
    expect(names.map(read)).toEqual(before);
    expect(existsSync(file('other.json'))).toBe(false);
  });
});

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type Address, type Hash, parseEther, toFunctionSelector } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { fixSteps } from '../../clients/cli/fix-commands.ts';
import { type FixItem, fixActions } from '../../contract/fix.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { loadConfig } from '../../server/config/load-config.ts';
import { sponsoredContext } from '../../server/dev/demo-operations.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { createProgram } from '../../server/main.ts';
import { familyCodes, readFamilyCode } from '../../server/paymaster-contract/family-code.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { mineConfirmations } from '../support/chain/mine-confirmations.ts';
import { runInProcess } from '../support/command-line/run-in-process.ts';
import { type RunningTollfree, startTollfree } from '../support/command-line/running-tollfree.ts';
import { writeKeystore } from '../support/command-line/write-keystore.ts';
import { forward, respond, respondError, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type CommandContext, everyCommand } from './every-command.ts';

const password = 'a password of the test';

let devnet: Devnet;
let folder: string;
let payer: Address;
let wallet: Address;

const file = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(file(name), 'utf8');
const initFlags = () => [
  ...['--chain', String(devnet.chainId), '--coin-usd', '2000', '--node-url', devnet.rpcUrl],
  ...['--family', 'pimlico-singleton-0.7', '--signer-password-file', file('password')],
];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-live-'));
  devnet = await leaseDevnet();
  const key = devnet.fundedKeys[3] ?? '0x';
  payer = privateKeyToAddress(key);
  writeFileSync(file('payer.key'), key, { mode: 0o600 });
  writeFileSync(file('password'), password, { mode: 0o600 });
  wallet = writeKeystore(file('wallet.json'), password, devnet.fundedKeys[4]);
});
afterAll(async () => {
  await devnet.close();
  rmSync(folder, { recursive: true });
});

/** A command on the contracts of the configuration, paid by the payer. */
function onChain(command: string, ...args: readonly string[]) {
  const keys = args.includes('--keystore') || command === 'status' ? [] : ['--key-file', file('payer.key')];
  return runInProcess('paymaster-contract', command, ...args, '--config', file('tollfree.json'), ...keys);
}

async function answerOf(command: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await onChain(command, ...args, '--json');
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout);
}

async function statusOf(contract: string) {
  const [status] = await answerOf('status', '--contract', contract);
  return status;
}

describe('init', () => {
  test('without a terminal names every flag that is missing, at once', async () => {
    const refused = await runInProcess('init', '--config', file('none/tollfree.json'));
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('Missing: --chain, --node-url.');
    const unknown = await runInProcess('init', '--config', file('none/tollfree.json'), '--chain', '777');
    expect(unknown.stderr).toContain('Missing: --coin-usd, --node-url.');
    expect(existsSync(file('none'))).toBe(false);
  });

  test.each([
    ['an unknown chain', ['--chain', 'mainnet2'], /--chain must be a chain id or one of ethereum/],
    ['a node that is none', ['--node-url', 'ws://127.0.0.1'], /--node-url must be http or https URLs/],
    ['an EntryPoint of another family', ['--entry-point', '0.8'], /pimlico-singleton-0\.7 is not for EntryPoint 0\.8/],
    ['a family that is none', ['--family', 'other'], /--family must be one of pimlico-singleton-0\.6/],
    ['a sign-up mode that is none', ['--sign-up', 'all'], /--sign-up must be one of open, invited, closed/],
    ['a public URL without TLS', ['--public-url', 'http://gas.example.org'], /--public-url must be an https URL/],
    ['a price that is none', ['--coin-usd', '0'], /--coin-usd must be a number above 0/],
    ['a node of another chain', ['--chain', 'sepolia'], /Node 1 of --node-url is for chain \d+, not 11155111/],
    ['a proxy that is a name', ['--trusted-proxies', 'proxy.example'], /--trusted-proxies must be addresses or CIDR/],
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
    expect(read('tollfree.json')).toMatch(/\/\/ The ledger\. Back it up/);
    expect(loaded.chains?.[0]?.signer?.passwordFile).toBe(file('password'));
  });

  test('without a password it writes a new one, which the service reads when it starts again', async () => {
    const config = file('unattended/tollfree.json');
    const flags = initFlags().slice(0, -2);
    const { code, stdout } = await runInProcess('init', '--config', config, ...flags, '--json');
    expect({ code, written: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      written: { passwordFile: file('unattended/secrets/signer.password') },
    });
    expect(statSync(file('unattended/secrets/signer.password')).mode & 0o777).toBe(0o600);
    expect(read('unattended/tollfree.json')).toContain('"passwordFile": "secrets/signer.password"');
    const checked = await runInProcess('config', 'check', '--config', config, '--json');
    const { mistakes } = z
      .object({ mistakes: z.array(z.object({ id: z.string() })) })
      .parse(JSON.parse(checked.stdout));
    // The keystore opens with it: what is left is the contract, which is yet to be made.
    expect(mistakes.map(({ id }) => id)).toEqual(['no-contract']);
  });

  test('a second time overwrites nothing', async () => {
    const names = ['tollfree.json', 'secrets/master.key', 'secrets/signer.json'];
    const before = names.map(read);
    const again = await runInProcess('init', '--config', file('tollfree.json'), ...initFlags());
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') });
    const inSameFolder = await runInProcess('init', '--config', file('other.json'), ...initFlags());
    expect(inSameFolder).toMatchObject({ code: 1, stderr: expect.stringContaining('secrets/master.key') });
    expect(names.map(read)).toEqual(before);
    expect(existsSync(file('other.json'))).toBe(false);
  });
});

describe('paymaster contracts', () => {
  const families = [
    ...['pimlico-singleton-0.7', 'pimlico-singleton-0.6', 'pimlico-singleton-0.8', 'tollfree-0.9'],
    ...['verifying-paymaster-0.6', 'verifying-paymaster-0.7', 'tollfree-0.8'],
  ];
  const deploy = (...flags: string[]) => onChain('deploy', '--family', 'pimlico-singleton-0.7', ...flags);

  test('a dry run shows what it would cost, and changes nothing', async () => {
    const state = async () => [
      await devnet.client.getTransactionCount({ address: payer }),
      await devnet.client.getBalance({ address: payer }),
      read('tollfree.json'),
    ];
    const before = await state();
    const { code, stdout, stderr } = await deploy('--write');
    expect(code).toBe(0);
    expect(stdout).toMatch(/worst cost +0\.\d+ ether \(\d+ wei\)/);
    expect(stdout).toContain(`owner          ${payer}`);
    expect(stderr).toContain('Send it with --yes');
    expect(await state()).toEqual(before);
    expect(await answerOf('deploy', '--family', 'verifying-paymaster-0.7')).toMatchObject({ sent: false });
    const { address } = await answerOf('deploy', '--family', 'pimlico-singleton-0.7');
    expect(await answerOf('deploy', '--entry-point', '0.7')).toMatchObject({ sent: false, address });
    expect(await state()).toEqual(before);
  });

  test('a contract of every family on npm is deployed, and accepts the signing key', async () => {
    const addresses = new Set<string>();
    for (const [index, family] of families.entries()) {
      const made = await answerOf('deploy', '--family', family, '--yes', '--write');
      expect(made).toMatchObject({ sent: true, written: true, owner: payer, facts: { address: made.address } });
      expect(made.config).toMatchObject({ family, version: `${index + 1}.0.0`, tokenRecipient: payer });
      expect(BigInt(made.cost)).toBeLessThanOrEqual(BigInt(made.worstCost));
      expect(await devnet.client.getCode({ address: made.address })).toBeDefined();
      expect(await statusOf(made.address)).toMatchObject({ family, deposit: '0', signers: [{ fault: null }] });
      addresses.add(made.address);
    }
    expect(addresses.size).toBe(families.length);
    expect(loadConfig({ config: file('tollfree.json') }, {}).chains?.[0]?.paymasterContracts).toHaveLength(
      families.length,
    );
    expect(read('tollfree.json')).toMatch(/\/\/ The ledger\. Back it up/);
  });

  test('a contract that is there already is said to be, and not made again', async () => {
    const nonce = await devnet.client.getTransactionCount({ address: payer });
    for (const family of ['pimlico-singleton-0.7', 'verifying-paymaster-0.6']) {
      const again = await answerOf('deploy', '--family', family, '--yes', '--write');
      expect(again).toMatchObject({ alreadyThere: true, sent: false, written: false });
    }
    expect(await devnet.client.getTransactionCount({ address: payer })).toBe(nonce);
  });

  test('those whose code is not on npm are refused with where it is', async () => {
    const others = [...paymasterContractFamilies.keys()].filter((name) => !families.includes(name));
    expect(others.length).toBeGreaterThan(0);
    for (const family of others) {
      const { code, stderr } = await onChain('deploy', '--family', family, '--yes');
      expect(code).toBe(1);
      expect(stderr).toMatch(/is not on npm: its source is at .*https:\/\/github\.com/);
    }
  });

  test('code that is not there, or not the published one, is not put on a chain', () => {
    const code = familyCodes.get('verifying-paymaster-0.7');
    if (code === undefined || 'creationCode' in code) throw new Error('The family has no code on npm.');
    expect(readFamilyCode('some-family', code)).toMatch(/^0x60/);
    const missing = { ...code, packageName: '@unknown/nothing' };
    expect(() => readFamilyCode('some-family', missing)).toThrow(`npm install --no-save ${code.install}`);
    const other = { ...code, file: code.file.replace('VerifyingPaymaster', 'SimpleAccountFactory') };
    expect(() => readFamilyCode('some-family', other)).toThrow('does not have the published code of some-family');
    const broken = { ...code, file: 'package.json' };
    expect(() => readFamilyCode('some-family', broken)).toThrow('does not have the published code of some-family');
  });

  test('a transaction whose fate the node does not tell is named, so that no one sends a second one', async () => {
    const inFront = await startRpcServer(async (request, response) => {
      const answer = await forward(devnet.rpcUrl, request);
      if (request.method === 'eth_sendRawTransaction') respondError(response, request, -32_000, 'the line is dead');
      else respond(response, answer);
    });
    vi.stubEnv(`TOLLFREE_CHAIN_${devnet.chainId}_NODE_URLS`, inFront.url);
    try {
      const { code, stderr } = await onChain('deposit', '1 gwei', '--contract', '4.0.0', '--yes');
      expect(code).toBe(75);
      const hash = /transaction (0x[0-9a-f]{64})/.exec(stderr)?.[1] as Hash;
      expect((await devnet.client.getTransactionReceipt({ hash })).status).toBe('success');
    } finally {
      vi.unstubAllEnvs();
      await inFront.close();
    }
  });

  test('keys are added and taken away where the family can, and refused elsewhere', async () => {
    const key = '0x00000000000000000000000000000000000000aa';
    expect(await answerOf('add-signer', key, '--contract', '1.0.0', '--yes')).toMatchObject({ sent: true });
    const again = await onChain('add-signer', key, '--contract', '1.0.0', '--yes');
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('is a signer of') });
    expect(await answerOf('remove-signer', key, '--contract', '1.0.0', '--yes')).toMatchObject({ sent: true });
    expect(await answerOf('remove-signer', key, '--contract', '1.0.0')).toMatchObject({ sent: false });
    const fixed = await onChain('add-signer', key, '--contract', '5.0.0', '--yes');
    expect(fixed).toMatchObject({ code: 1, stderr: expect.stringContaining('never changes its signer') });
  });

  test.each([
    [
      'a keystore that is not there',
      ['deposit', '1 ether', '--contract', '1.0.0', '--keystore', 'none.json'],
      /The keystore .* cannot be read/,
    ],
    ['an amount without a unit', ['deposit', '1', '--contract', '1.0.0'], /must have its unit/],
    ['more than the payer has', ['deposit', '1000000 ether', '--contract', '1.0.0'], /has \d+\.\d+ ether but sends/],
    ['no contract named', ['deposit', '1 ether'], /Name the contract: --contract, one of 1\.0\.0/],
    [
      'a contract that is not configured',
      ['stake', '--unlock', '--contract', '9.0.0'],
      /has no paymaster contract 9\.0\.0/,
    ],
    ['a chain that is not configured', ['stake', '--unlock', '--chain', '5'], /The configuration has no chain 5/],
  ])('%s is a mistake in one sentence', async (_, [command = '', ...args], sentence) => {
    const { code, stdout, stderr } = await onChain(command, ...args, '--yes');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(sentence);
  });
});

describe('a node that is started with what was written', () => {
  const config = () => ['--config', file('tollfree.json')];
  let running: RunningTollfree;
  let adminUrl: string;
  let url: string;
  let accountId: string;
  let paymaster: { apiKey: string; paymasterId: string };

  const holder = () => ['--url', url, '--auth-token-file', file('auth-token')];
  const own = () => ['--keystore', file('wallet.json'), '--password-file', file('password')];
  const manage = async (...args: string[]) => {
    const key = args[0] === 'paymaster' ? [] : ['--api-key', paymaster.apiKey];
    const { code, stdout, stderr } = await runInProcess(...args, ...holder(), ...key, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  };

  beforeAll(async () => {
    // Names do not resolve where tests run, and other addresses than public ones have to be allowed.
    const webhooks = '"webhooks": { "allowHttp": true, "allowedRanges": ["127.0.0.0/8"] },';
    writeFileSync(file('tollfree.json'), read('tollfree.json').replace('{', `{ ${webhooks}`));
    running = startTollfree(['node', ...config(), '--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0']);
    const started: unknown = JSON.parse(await running.line('stderr', /"msg":"started"/));
    ({ url, adminUrl } = z.object({ url: z.string(), adminUrl: z.string() }).parse(started));
    accountId = (await runInProcess('account', 'create', 'My app', ...config())).stdout.trim();
    const authToken = (await runInProcess('auth-token', 'issue', accountId, ...config())).stdout;
    writeFileSync(file('auth-token'), authToken, { mode: 0o600 });
    writeFileSync(file('abi.json'), JSON.stringify(devnet.target.abi));
    const chain = ['--chain-id', String(devnet.chainId), '--paymaster-version', '1.0.0'];
    paymaster = await manage('paymaster', 'create', 'shop', ...chain);
  });
  afterAll(async () => {
    await running.stop('SIGTERM');
  });

  test('sponsors an operation out of a tank that a command has filled', async () => {
    const target = ['--address', devnet.target.address, '--abi', file('abi.json'), '--whitelist', 'increment'];
    await manage('contract', 'register', 'target', ...target);
    await manage('funding', 'set-wallet', ...own());
    await answerOf('deposit', '1 ether', '--contract', '1.0.0', '--yes', ...own());
    await mineConfirmations(devnet);
    const isFunded = async () =>
      expect(await manage('tank', 'show')).toMatchObject({ fundingWallet: wallet, available: `${parseEther('1')}` });
    await vi.waitFor(isFunded, { timeout: 30_000, interval: 500 });

    const account = newSmartAccount('0.7');
    const drafted = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
    const signed = await sponsor(`${url}/api/v1/${devnet.chainId}/${paymaster.apiKey}`, drafted);
    const { success, paymaster: address } = await land(devnet, account, withAnswer(drafted, signed));
    expect(success).toBe(true);
    const [contract] = loadConfig({ config: file('tollfree.json') }, {}).chains?.[0]?.paymasterContracts ?? [];
    expect(address).toBe(contract?.address);
    writeFileSync(file('request.json'), JSON.stringify([toRpcUserOperation(drafted), sponsoredContext]));
  });

  test('needs no flag from its operator where it was set up', async () => {
    const notice = 'Using the configuration tollfree.json of this directory.\n';
    const commands = [
      'ledger check',
      'account list',
      'master-key status',
      'keystore status',
      'paymaster-contract status',
    ];
    const elsewhere = process.cwd();
    process.chdir(folder);
    try {
      for (const command of commands) {
        const { code, stdout, stderr } = await runInProcess(...command.split(' '), '--json');
        expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: notice });
        expect(JSON.parse(stdout)).not.toEqual([]);
      }
      const operators = async (...words: string[]) => {
        const { stdout, stderr } = await runInProcess('tank', ...words, '--json');
        expect(stderr).toBe(notice);
        return JSON.parse(stdout);
      };
      expect(await operators()).toEqual(await manage('tank', 'show'));
      const { entries } = await operators('entries');
      expect(entries).toEqual((await manage('tank', 'entries')).entries);
      expect((await operators('entries', '--limit', '1')).entries).toEqual(entries.slice(0, 1));
      // A service is told which configuration is its own.
      expect(await runInProcess('core')).toMatchObject({ code: 1, stderr: expect.stringContaining('is missing') });
    } finally {
      process.chdir(elsewhere);
    }
  });

  test('every command that a fix names works as it is printed', async () => {
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runInProcess(...args, ...holder(), '--json');
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: expect.any(String) });
      return JSON.parse(stdout);
    };
    const at = ['--paymaster', 'shop'];
    const rules = ['--origins', 'https://app.example.com', '--networks', '127.0.0.1', '--methods', 'pm_chainId'];
    const { apiKeyId } = await run('key', 'create', 'web', ...at, ...rules, '--rate', '5:9', '--limits', 'DAY:WEI:5');
    await run('key', 'update', apiKeyId, '--active', 'no', ...at);
    const { budgetId } = await run('budget', 'create', 'fixed', '--max', '250.00', '--window', 'month');
    const { webhookId } = await run('webhook', 'create', 'http://127.0.0.1:1/ask', ...at);
    const known = {
      paymaster: (await run('paymaster', 'list'))[0],
      paymasterFlag: 'shop',
      contracts: await run('contract', 'list', ...at),
      apiKeys: await run('key', 'list', ...at),
      budgets: await run('budget', 'list'),
    };
    const refused = {
      chainId: devnet.chainId,
      sender: JSON.parse(read('request.json'))[0].sender,
      facts: { calls: [], deploysOnly: false, maxFeePerGas: '1', worstCase: '1000000000000000' },
    };
    const selector = toFunctionSelector('function increment()');
    const called = { target: devnet.target.address, selector };
    const fixes = fixActions.flatMap((action): FixItem[] => {
      if (action === 'register-contract') return [{ action, target: devnet.tokens[1]?.address ?? '', selector }];
      if (action !== 'change-policy') return [{ action, ...called, webhookId }];
      return ['limits', 'accounts', 'maxCostPerOperation'].map((policyField) => ({ action, policyField }));
    });
    // What a person chooses.
    const chosen: Readonly<Record<string, string>> = {
      '<name>': 'fixed',
      '<file>': file('abi.json'),
      '<method>': 'increment',
      '<origins>': 'https://other.example.com',
      '<ranges>': '127.0.0.2',
      '<methods>': 'eth_chainId',
      '<perSecond:burst>': '6:9',
      '<limits>': 'DAY:OPERATIONS:6',
      '<usd>': '300.00',
      'policy.json': file('policy.json'),
    };
    for (const step of fixes.flatMap((fix) => fixSteps(fix, refused, known))) {
      if ('byHand' in step) continue;
      const [line = '', printed] = step.command.split(' > ');
      const words = (line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));
      const args = words.slice(1).map((word) => chosen[word] ?? word);
      const operators = args[0] === 'status' ? ['--admin', adminUrl] : config();
      const { code, stdout, stderr } = await runInProcess(...args, ...(step.isForOperator ? operators : holder()));
      expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: expect.any(String) });
      if (printed !== undefined) writeFileSync(file(printed), stdout);
    }
    await run('webhook', 'delete', webhookId, ...at);
    await run('budget', 'delete', budgetId);
    await run('key', 'end', apiKeyId, ...at);
    await run('contract', 'delete', devnet.tokens[1]?.address ?? '', ...at);
  });

  test('every command that answers does so in one line of JSON, and a refused one prints nothing of it', async () => {
    const operators =
      /^(?:config|account|auth-token|audit|backup|restore|status|master-key|keystore status|paymaster-contract|simulation-code|ledger(?! read-archive)|hot-wallet|tank (?:credit|debit))/;
    const policy = await manage('policy', 'show');
    writeFileSync(file('policy.json'), JSON.stringify(policy));
    writeFileSync(file('policies.json'), JSON.stringify({ policy }));
    const said = new Map<string, unknown>();
    const location: CommandContext = {
      folder,
      adminUrl,
      chainId: devnet.chainId,
      target: devnet.tokens[0]?.address ?? '',
      accountId,
      paymasterId: paymaster.paymasterId,
      blockNumber: await devnet.client.getBlockNumber(),
      said: (command) => z.record(z.string(), z.unknown()).parse([said.get(command)].flat()[0]),
    };
    const exitCode = { done: 0, refused: 1, review: 2 };
    for (const [command, args, outcome = 'done'] of everyCommand) {
      const words = command.split(' ');
      const key = /^(?:use$|(?:paymaster|key|ticket-key|token|session|member|budget) )/.test(command)
        ? []
        : ['--api-key', paymaster.apiKey];
      const where = operators.test(command)
        ? config()
        : /^(?:keystore create|version|ledger read-archive)$/.test(command)
          ? []
          : [...holder(), ...key];
      const { code, stdout, stderr } = await runInProcess(...words, ...args(location), ...where, '--json');
      expect({ command, code, stderr }).toEqual({
        command,
        code: exitCode[outcome],
        stderr: expect.any(String),
      });
      expect(stdout).toMatch(outcome === 'refused' ? /^$/ : /^[[{].*\n$/);
      const answer: unknown = stdout === '' ? undefined : JSON.parse(stdout);
      said.set(
        command,
        command === 'decisions' ? z.object({ decisions: z.array(z.unknown()) }).parse(answer).decisions : answer,
      );
    }
  });

  test('is looked at by the doctor while it runs', async () => {
    const at = ['--listen', new URL(url).host, '--admin-listen', new URL(adminUrl).host];
    const { stdout } = await runInProcess('doctor', ...config(), ...at, '--public-url', url, '--json');
    const { findings } = z.object({ findings: z.array(z.record(z.string(), z.string())) }).parse(JSON.parse(stdout));
    const owner = process.platform === 'linux' ? [expect.objectContaining({ id: 'database-owner' })] : [];
    expect(findings).toEqual(
      expect.arrayContaining([
        ...owner,
        expect.objectContaining({ id: 'database', level: 'ok', message: expect.stringContaining('It is intact') }),
        expect.objectContaining({ id: 'service', level: 'ok', message: 'It is running and ready.' }),
        expect.objectContaining({ id: 'public-url', level: 'ok' }),
      ]),
    );
  });

  test('asks its operator which tank is meant where there are several', async () => {
    const unclear = await runInProcess('tank', ...config(), '--json');
    expect(unclear).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('--paymaster, by the id of one of '),
    });
    const { stdout } = await runInProcess('tank', ...config(), '--paymaster', paymaster.paymasterId, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ fundingWallet: wallet });
    const none = await runInProcess('tank', ...config(), '--paymaster', 'other');
    expect(none).toMatchObject({ code: 1, stderr: 'tollfree: The service does not know this paymaster.\n' });
  });

  test('no command is left out of that', () => {
    const leaves = (command: Command, path: readonly string[]): string[] =>
      command.commands.length === 0
        ? [path.join(' ')]
        : command.commands.flatMap((inner) => leaves(inner, [...path, inner.name()]));
    // Services print a log, completion what a shell loads. What init answers is above, setup, dev, mcp and doctor in their own tests.
    const others = ['node', 'core', 'gateway', 'completion', 'complete', 'init', 'setup', 'dev', 'mcp', 'doctor'];
    // `audit` answers by itself too.
    expect(['audit', ...leaves(createProgram(), [])].toSorted()).toEqual(
      [...everyCommand.map(([command]) => command), ...others].toSorted(),
    );
  });
});

test('stake and deposit go in and out, by the owner alone', async () => {
  const at = ['--contract', '2.0.0', '--yes'];
  await answerOf('stake', '0.1 ether', ...at);
  await answerOf('deposit', '0.2 ether', ...at);
  const status = { deposit: `${parseEther('0.2')}`, stake: `${parseEther('0.1')}`, staked: true };
  expect(await statusOf('2.0.0')).toMatchObject({ ...status, unstakeDelaySeconds: 86_400 });

  const stranger = ['--keystore', file('wallet.json'), '--password-file', file('password')];
  const refused = await onChain('withdraw', '0.1 ether', ...at, ...stranger);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/The contract refuses it: .*lacks the permission/),
  });
  const early = await onChain('stake', '--withdraw', ...at);
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('The contract refuses it') });
  expect(await statusOf('2.0.0')).toMatchObject(status);

  const receiver = '0x00000000000000000000000000000000000000bb';
  await answerOf('withdraw', '0.2 ether', ...at, '--to', receiver);
  await answerOf('stake', '--unlock', ...at);
  await devnet.client.increaseTime({ seconds: 86_401 });
  await devnet.client.mine({ blocks: 1 });
  await answerOf('stake', '--withdraw', ...at, '--to', receiver);
  expect(await statusOf('2.0.0')).toMatchObject({ deposit: '0', stake: '0', staked: false });
  expect(await devnet.client.getBalance({ address: receiver })).toBe(parseEther('0.3'));
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keystore } from 'ox';
import { parseAbi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createManagementClient, type ManagementClient } from '../../clients/sdk/create-management-client.ts';
import type { PaymasterItem } from '../../contract/paymaster.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';
import { findClosedUrl, startHttpDouble } from './http-double.ts';

const contractAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const abi = parseAbi(['function move(uint256 step)', 'function move(uint8 step, bool back)', 'function stop()']);

let service: RunningService;
let authToken: string;
let client: ManagementClient;
let paymaster: PaymasterItem;
let folder: string;

beforeAll(async () => {
  service = await startService();
  ({ authToken } = await service.issueAccount());
  client = createManagementClient({ baseUrl: service.url, authToken });
  paymaster = await client.createPaymaster({ name: 'shop', chainId: service.devnet.chainId, version: '1.0.0' });
  folder = mkdtempSync(join(tmpdir(), 'tollfree-test-'));
  writeFileSync(join(folder, 'abi.json'), JSON.stringify(abi));
  writeFileSync(join(folder, 'artifact.json'), JSON.stringify({ contractName: 'Walker', abi, bytecode: '0x' }));
  writeFileSync(join(folder, 'token'), `${authToken}\n`);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.close();
});

/** Runs a command on the service and its paymaster. */
function run(...args: string[]) {
  const env = { TOLLFREE_URL: service.url, TOLLFREE_AUTH_TOKEN: authToken, TOLLFREE_API_KEY: paymaster.apiKey };
  return runInPlace(args, { cwd: folder, env });
}

async function answerOf(...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('paymaster', () => {
  test('create prints the apiKey and the address it is used at', async () => {
    const { chainId } = service.devnet;
    const created = await run(
      'paymaster',
      'create',
      'cafe',
      '--chain-id',
      `${chainId}`,
      '--paymaster-version',
      '2.0.0',
    );
    const cafe = (await client.listPaymasters()).find(({ name }) => name === 'cafe');
    expect(created.code).toBe(0);
    expect(created.stdout).toContain(`${service.url}/api/v2/${chainId}/${cafe?.apiKey}\n`);
  });

  test('is created for an EntryPoint, and named by its name from then on', async () => {
    const chainId = `${service.devnet.chainId}`;
    const create = (name: string, entryPoint: string) =>
      run('paymaster', 'create', name, '--chain-id', chainId, '--entry-point', entryPoint);
    const at = ['--chain-id', chainId, '--entry-point', '0.8'];
    const created = await create('By name', '0.8');
    expect(created).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('limit        50.00 USD for all operations of a day'),
    });
    const made = (await client.listPaymasters()).find(({ name }) => name === 'By name');
    expect(made?.contract?.entryPointVersion).toBe('0.8');
    expect((await create('Another', '0.5')).stderr).toContain('--entry-point must be one of 0.6, 0.7, 0.8, 0.9');
    const unnamed = await run('paymaster', 'create', 'Another', '--chain-id', chainId);
    expect(unnamed).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/--entry-point\. Chain \d+ has 0\.6, 0\.7, 0\.8, 0\.9\./),
    });
    expect(await run('policy', 'show', '--paymaster', 'By name')).toMatchObject({ code: 0 });
    expect((await run('policy', 'show', '--paymaster', 'No name')).stderr).toContain('has no paymaster "No name"');
    expect((await run('paymaster', 'update', 'By name', '--active', 'no')).stdout).toContain('refuses everything');
    const bounded = { per: 'TOTAL', window: 'DAY', unit: 'USD', max: '50.00' };
    expect(await answerOf('policy', 'show', '--paymaster', 'By name')).toMatchObject({ limits: [bounded] });
    const open = await run('paymaster', 'create', 'Open', ...at, '--daily-limit', 'none');
    expect(open).toMatchObject({ code: 0, stderr: expect.stringContaining('limit what strangers can spend') });
    expect(await answerOf('policy', 'show', '--paymaster', 'Open')).toMatchObject({ limits: [] });
    const little = await answerOf('paymaster', 'create', 'Little', ...at, '--daily-limit', '4.5');
    expect(little).toMatchObject({ name: 'Little', dailyUsd: '4.5' });
    const wrong = await run('paymaster', 'create', 'Wrong', ...at, '--daily-limit', 'much');
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('--daily-limit must be USD') });
    const key = generatePrivateKey();
    writeFileSync(join(folder, 'wallet.key'), key, { mode: 0o600 });
    const set = await run('funding', 'set-wallet', '--paymaster', made?.paymasterId ?? '', '--key-file', 'wallet.key');
    expect(set.stdout).toContain(`${privateKeyToAccount(key).address} is the funding wallet of the paymaster By name`);
    writeFileSync(join(folder, 'other.key'), 'a secret of something else', { mode: 0o600 });
    const failed = await run('funding', 'set-wallet', '--paymaster', 'By name', '--key-file', 'other.key');
    expect(failed).toMatchObject({ code: 1, stderr: expect.not.stringContaining('a secret of') });
  });

  test('list prints every paymaster, for a person and as JSON', async () => {
    const { stdout } = await run('paymaster', 'list');
    expect(stdout).toContain(paymaster.apiKey);
    expect(stdout).toContain(paymaster.paymasterId);
    expect(await answerOf('paymaster', 'list')).toEqual(await client.listPaymasters());
  });

  test('use chooses the paymaster of commands that name none, for one service and one folder', async () => {
    const { chainId } = service.devnet;
    const { paymasterId } = await client.createPaymaster({ name: 'My app', chainId, version: '1.0.0' });
    const place = mkdtempSync(join(folder, 'chosen-'));
    const env = { TOLLFREE_URL: service.url, TOLLFREE_AUTH_TOKEN: authToken };
    const here = (...args: readonly string[]) => runInPlace(args, { cwd: place, env });
    expect((await here('policy', 'show')).stderr).toContain('The paymaster is missing: --paymaster');
    expect((await here('use')).stderr).toContain('No paymaster is chosen');
    expect((await here('use', 'No such')).stderr).toContain('no paymaster "No such"');
    expect((await here('use', 'My app')).stdout).toBe('Commands in this folder now act on My app.\n');
    expect((await here('use')).stdout).toBe(`My app (${paymasterId})\n`);
    const keys = await client.listApiKeys({ paymasterId });
    expect(JSON.parse((await here('key', 'list', '--json')).stdout)).toEqual(keys);
    const [shop] = await client.listApiKeys({ paymasterId: paymaster.paymasterId });
    expect((await here('key', 'list', '--paymaster', 'shop')).stdout).toContain(shop?.apiKeyId);
    const withKey = { ...env, TOLLFREE_API_KEY: paymaster.apiKey };
    expect((await runInPlace(['key', 'list'], { cwd: place, env: withKey })).stdout).toContain(shop?.apiKeyId);
    const elsewhere = { ...env, TOLLFREE_URL: service.url.replace('127.0.0.1', 'localhost') };
    expect((await runInPlace(['key', 'list'], { cwd: place, env: elsewhere })).stderr).toContain('is missing');
  });

  test('key prints new apiKeys alone, and what there is next to them', async () => {
    const { chainId } = service.devnet;
    const { paymasterId } = await client.createPaymaster({ name: 'rotated', chainId, version: '1.0.0' });
    const rotated = await run('key', 'rotate', '--paymaster', paymasterId, '--grace-seconds', '60');
    const listed = (await client.listPaymasters()).find(({ name }) => name === 'rotated');
    expect(rotated).toMatchObject({ code: 0, stdout: `${listed?.apiKey}\n` });
    const keys = await client.listApiKeys({ paymasterId });
    expect(await answerOf('key', 'list', '--paymaster', paymasterId)).toEqual(keys);
    const replaced = keys[1]?.apiKeyId ?? '';
    expect(await run('key', 'end', '--paymaster', paymasterId, replaced)).toMatchObject({ code: 0 });
    expect(await client.listApiKeys({ paymasterId })).toHaveLength(1);
    const web = await run('key', 'create', '--paymaster', paymasterId, 'web');
    expect(web.stdout).toMatch(/^\S{9}\.[0-9a-f-]{36}\n$/);
    const { apiKeyId = '' } = (await client.listApiKeys({ paymasterId })).find(({ name }) => name === 'web') ?? {};
    await run('key', 'update', '--paymaster', paymasterId, apiKeyId, '--name', 'app', '--active', 'no');
    const [, changed] = await client.listApiKeys({ paymasterId });
    expect(changed).toMatchObject({ apiKeyId, name: 'app', disabled: true, isOwn: false });
    await run(
      'key',
      'update',
      '--paymaster',
      paymasterId,
      apiKeyId,
      '--origins',
      'https://a.example',
      '--limits',
      'day:wei:7',
    );
    const [, bound] = await client.listApiKeys({ paymasterId });
    expect(bound?.rules).toMatchObject({ origins: ['https://a.example'], limits: [{ window: 'DAY', max: '7' }] });
    await run('key', 'update', '--paymaster', paymasterId, apiKeyId, '--rate', '5:20', '--origins');
    expect((await run('key', 'list', '--paymaster', paymasterId)).stdout).toMatch(
      /disabled +5 requests per second, burst 20; at most 7 WEI in DAY +app\n/,
    );
  });

  test('create ends with the sentence of the service and exit code 1 when it is refused', async () => {
    const refused = await run('paymaster', 'create', 'bar', '--chain-id', '4242', '--paymaster-version', '2.0.0');
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^tollfree: Chain ID not supported. Choose a chain/),
    });
  });

  test('create does not take a chain id that is no number', async () => {
    const refused = await run('paymaster', 'create', 'bar', '--chain-id', 'x', '--paymaster-version', '2.0.0');
    expect(refused).toMatchObject({ code: 1, stderr: 'tollfree: --chain-id must be a whole number above 0.\n' });
  });
});

/** What a newcomer gets wrong first. Each answer says what to do. */
describe('a command that reaches no account says what to check', () => {
  const list = async (env: Readonly<Record<string, string>>) =>
    runInPlace(['paymaster', 'list'], { cwd: folder, env: { TOLLFREE_AUTH_TOKEN: authToken, ...env } });

  test('with an authToken of another service', async () => {
    const wrong = { TOLLFREE_URL: service.url, TOLLFREE_AUTH_TOKEN: `tf_${'x'.repeat(36)}` };
    for (const env of [wrong, { ...wrong, TOLLFREE_API_KEY: paymaster.apiKey }]) {
      const { code, stderr } = await list(env);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('does not accept this authToken') });
      expect(stderr).toContain('--auth-token-file');
    }
  });

  test('with the URL of a paymaster instead of the service', async () => {
    const url = `${service.url}/api/v2/${service.devnet.chainId}/${paymaster.apiKey}`;
    const { code, stderr } = await list({ TOLLFREE_URL: url });
    expect(code).toBe(1);
    expect(stderr).toContain('the address of the service alone, without a path');
    expect(stderr).not.toContain(paymaster.apiKey);
  });

  test('where another program listens', async () => {
    const other = await startHttpDouble((_, response) => void response.end('<html>'));
    expect(await list({ TOLLFREE_URL: other })).toMatchObject({
      code: 75,
      stderr: expect.stringContaining('Is this the address of a Tollfree service (--url'),
    });
  });

  test('with the name of a paymaster that is there', async () => {
    const chain = ['--chain-id', `${service.devnet.chainId}`, '--paymaster-version', '1.0.0'];
    const { code, stderr } = await run('paymaster', 'create', 'shop', ...chain);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('`tollfree use <name>`') });
  });
});

describe('contract', () => {
  test('is registered from an ABI file, listed, updated to one overload and deleted', async () => {
    const registered = await run(
      ...['contract', 'register', 'walker', '--address', contractAddress, '--abi', 'abi.json'],
      ...['--whitelist', 'move', 'stop'],
    );
    // It may be deployed later.
    const hint = `The paymaster's chain has no contract at ${contractAddress}. Check the address, or deploy it.\n`;
    expect(registered).toMatchObject({ code: 0, stderr: hint });
    const [listed] = await client.listSmartContracts({ apiKey: paymaster.apiKey });
    expect(listed).toMatchObject({ name: 'walker', whitelistedMethods: ['move', 'stop'] });
    expect(await answerOf('contract', 'list')).toEqual([listed]);
    expect((await run('contract', 'list')).stdout).toContain(contractAddress);

    await run('contract', 'update', contractAddress, '--whitelist', 'move(uint256)');
    const [updated] = await client.listSmartContracts({ apiKey: paymaster.apiKey });
    expect(updated?.whitelistedMethods).toEqual(['move(uint256)']);
    await run('contract', 'update', contractAddress, '--whitelist');
    const [ended] = await client.listSmartContracts({ apiKey: paymaster.apiKey });
    expect(ended?.whitelistedMethods).toEqual([]);

    expect(await run('contract', 'delete', contractAddress)).toMatchObject({ code: 0, stderr: '' });
    expect(await run('contract', 'delete', contractAddress)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('`tollfree contract list` shows its contracts'),
    });
  });

  test('that a rule on arguments needs is deleted with the rules that no longer fit', async () => {
    const { apiKey } = paymaster;
    await client.registerSmartContract({ apiKey, name: 'ruled', address: contractAddress, abi });
    const where = [{ argument: 'step', atMost: '3' }];
    const rule = { contract: contractAddress, method: 'move(uint256)', where } as const;
    await client.setPolicy({ apiKey, policy: { callRules: [rule] } });
    const { code, stderr } = await run('contract', 'delete', contractAddress);
    expect(code).toBe(0);
    expect(stderr).toContain('calls to their contracts are refused:\n  callRules[0].contract');
    const registered = await client.registerSmartContract({ apiKey, name: 'ruled', address: contractAddress, abi });
    expect(registered).toEqual({ brokenRules: [], hasNoCode: true });
    await client.setPolicy({ apiKey, policy: {} });
  });

  test('is registered from a build artifact', async () => {
    const { address } = service.devnet.target;
    const registered = await run('contract', 'register', 'built', '--address', address, '--abi', 'artifact.json');
    expect(registered).toMatchObject({ code: 0, stderr: '' });
    const contracts = await client.listSmartContracts({ apiKey: paymaster.apiKey });
    const built = contracts.find(({ name }) => name === 'built');
    expect(JSON.parse(built?.abi ?? '')).toEqual(abi);
  });

  test('a method that the ABI does not have is refused with those that it has', async () => {
    const where = ['--address', '0x00000000000000000000000000000000000000ac', '--abi', 'abi.json'];
    const stderr = 'tollfree: The ABI has no method mvoe that changes something. It has: move, stop.\n';
    const registered = await run('contract', 'register', 'typo', ...where, '--whitelist', 'mvoe', 'stop');
    expect(registered).toMatchObject({ code: 1, stderr });
    await run('contract', 'register', 'typo', ...where, '--whitelist', 'stop');
    const updated = await run('contract', 'update', where[1] ?? '', '--whitelist', 'mvoe');
    expect(updated).toMatchObject({ code: 1, stderr });
  });

  test('that is there already is refused with the command that changes it', async () => {
    const register = (name: string, address: string) =>
      run('contract', 'register', name, '--address', address, '--abi', 'abi.json');
    const address = '0x00000000000000000000000000000000000000ad';
    await register('once', address);
    const change = expect.stringContaining('`tollfree contract update <address> --whitelist …`');
    expect(await register('once', '0x00000000000000000000000000000000000000ae')).toMatchObject({ stderr: change });
    expect(await register('twice', address)).toMatchObject({ code: 1, stderr: change });
  });

  test('register says what is wrong with the ABI file', async () => {
    writeFileSync(join(folder, 'text.json'), 'function move()');
    writeFileSync(join(folder, 'object.json'), '{}');
    const register = (file: string) => run('contract', 'register', 'x', '--address', contractAddress, '--abi', file);
    expect((await register('missing.json')).stderr).toContain('The ABI file missing.json cannot be read');
    expect((await register('text.json')).stderr).toContain('The ABI file text.json is not JSON');
    expect((await register('object.json')).stderr).toContain('holds neither an ABI');
  });
});

test('webhook: create, list, test, update, secret and delete', async () => {
  const created = await answerOf('webhook', 'create', 'http://127.0.0.1:1/ask', '--request-type', 'get');
  const { webhookId } = created as { webhookId: string };
  expect(created).toEqual({ webhookId, webhookUrl: 'http://127.0.0.1:1/ask', requestType: 'GET' });
  const { apiKey } = paymaster;
  const isActive = async () => (await client.listWebhooks({ apiKey, webhookId })).map(({ active }) => active);
  expect((await run('webhook', 'list', webhookId)).stdout).toContain('yes');
  const { paymasterId } = paymaster;
  expect(await answerOf('webhook', 'list')).toMatchObject([{ ...(created as object), active: true, paymasterId }]);
  expect((await run('webhook', 'test', webhookId)).stdout).toMatch(
    /^The webhook could not be reached\. It took \d+ ms\.\n$/,
  );
  expect(await answerOf('webhook', 'answers', webhookId)).toEqual(
    await client.listWebhookAnswers({ apiKey: paymaster.apiKey, webhookId }),
  );
  await run('webhook', 'update', webhookId, '--active', 'no');
  expect(await isActive()).toEqual([false]);
  await run('webhook', 'update', webhookId, '--active', 'yes');
  expect(await isActive()).toEqual([true]);

  const { secret } = await client.readWebhookSecret({ apiKey, webhookId });
  expect(await run('webhook', 'secret', webhookId)).toEqual({ code: 0, stdout: `${secret}\n`, stderr: '' });
  const rotated = await run('webhook', 'secret', webhookId, '--rotate');
  expect(rotated.stdout).toBe(`${(await client.readWebhookSecret({ apiKey, webhookId })).secret}\n`);
  expect(rotated.stdout).not.toBe(`${secret}\n`);

  expect((await run('webhook', 'delete', webhookId)).code).toBe(0);
  expect(await run('webhook', 'delete', webhookId)).toMatchObject({
    code: 1,
    stderr: 'tollfree: Webhook not found. List them and use an id from the list.\n',
  });
});

describe('funding', () => {
  const wallet = privateKeyToAccount(generatePrivateKey());

  test('a message is printed, and its signature sets the wallet', async () => {
    const { stdout } = await run('funding', 'set-wallet');
    const signature = await wallet.signMessage({ message: stdout.replace(/\n$/, '') });
    const set = await run('funding', 'set-wallet', '--wallet', wallet.address, '--signature', signature);
    expect(set).toEqual({
      code: 0,
      stdout: `${wallet.address} is the funding wallet of the paymaster shop.\n`,
      stderr: expect.stringContaining('stay in its own tank'),
    });
    const again = await run('funding', 'set-wallet', '--wallet', wallet.address, '--signature', signature);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('Sign the message that') });
  });

  test('set-wallet without a key or a signature prints what there is to sign', async () => {
    const { code, stdout, stderr } = await run('funding', 'set-wallet');
    expect(code).toBe(0);
    expect(stdout).toContain(`Paymaster: ${paymaster.paymasterId}`);
    expect(stderr).toContain('tollfree funding set-wallet --wallet <address> --signature <signature>');
  });

  test('set-wallet signs with a keystore', async () => {
    const privateKey = generatePrivateKey();
    const [key, options] = Keystore.pbkdf2({ password: 'a password', iterations: 1_000 });
    writeFileSync(join(folder, 'keystore.json'), JSON.stringify(Keystore.encrypt(privateKey, key, options)));
    writeFileSync(join(folder, 'right'), 'a password\n', { mode: 0o600 });
    writeFileSync(join(folder, 'wrong'), 'another\n', { mode: 0o600 });
    const set = (password: string) =>
      run('funding', 'set-wallet', '--keystore', 'keystore.json', '--password-file', password);
    expect((await set('right')).stdout).toContain(privateKeyToAccount(privateKey).address);
    const failed = await set('wrong');
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('could not be opened. The password is wrong or the file is damaged');
    expect(failed.stderr).not.toContain('another');
  });
});

describe('the service', () => {
  test('is the one of --url with the token of --auth-token-file', async () => {
    const args = ['paymaster', 'list', '--json', '--url', service.url, '--auth-token-file', 'token'];
    const { code, stdout } = await runInPlace(args, { cwd: folder });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(await client.listPaymasters());
  });

  test('must be named, and so must the token and the paymaster', async () => {
    const bare = (env: Record<string, string>, ...args: string[]) => runInPlace(args, { cwd: folder, env });
    expect(await bare({}, 'paymaster', 'list')).toMatchObject({ code: 1, stderr: expect.stringContaining('--url') });
    const url = { TOLLFREE_URL: service.url };
    expect((await bare(url, 'paymaster', 'list')).stderr).toContain('The authToken is missing');
    const both = { ...url, TOLLFREE_AUTH_TOKEN: authToken };
    expect((await bare(both, 'contract', 'list')).stderr).toContain('The paymaster is missing');
    expect((await bare(both, 'paymaster', 'list', '--url', 'gas.example')).stderr).toContain('--url must be');
  });

  test('that cannot be reached gives exit code 75, to try again', async () => {
    const env = { TOLLFREE_URL: await findClosedUrl(), TOLLFREE_AUTH_TOKEN: authToken };
    const { code, stderr } = await runInPlace(['paymaster', 'list'], { cwd: folder, env });
    expect({ code, stderr }).toEqual({
      code: 75,
      stderr:
        'tollfree: The service could not be reached (ECONNREFUSED). Is it running, and is its address right (--url or TOLLFREE_URL)?\n',
    });
  });
});

describe('in the directory of `tollfree dev`', () => {
  const location = () => {
    const cwd = mkdtempSync(join(folder, 'dev-'));
    mkdirSync(join(cwd, '.tollfree'));
    return cwd;
  };
  const writeDev = (cwd: string, gatewayUrl: string) => {
    const paymasters = [{ name: 'shop', apiKey: paymaster.apiKey }];
    const core = { adminUrl: 'http://127.0.0.1:1', grpcAddress: '127.0.0.1:1', grpcTokenFile: 'none' };
    const file = { gatewayUrl, ...core, authToken, paymasters, pids: [] };
    writeFileSync(join(cwd, '.tollfree/dev.json'), JSON.stringify(file));
  };

  test('the development service and its first paymaster are used, and it is said', async () => {
    const cwd = location();
    writeDev(cwd, service.url);
    const { code, stdout, stderr } = await runInPlace(['contract', 'list', '--json'], { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(await client.listSmartContracts({ apiKey: paymaster.apiKey }));
    expect(stderr).toBe(`Using the development service at ${service.url}, paymaster shop (.tollfree/dev.json).\n`);
  });

  test('an apiKey of the environment chooses among its paymasters', async () => {
    const cwd = location();
    writeDev(cwd, service.url);
    const kiosk = await client.createPaymaster({ name: 'kiosk', chainId: service.devnet.chainId, version: '1.0.0' });
    const env = { TOLLFREE_API_KEY: kiosk.apiKey };
    const { code, stdout } = await runInPlace(['funding', 'set-wallet', '--json'], { cwd, env });
    expect({ code, paymasterId: JSON.parse(stdout).paymasterId }).toEqual({ code: 0, paymasterId: kiosk.paymasterId });
  });

  test('it never gets the authToken of the environment, which is of another service', async () => {
    const cwd = location();
    writeDev(cwd, service.url);
    const env = { TOLLFREE_AUTH_TOKEN: 'tf_of_another_service' };
    expect(await runInPlace(['paymaster', 'list'], { cwd, env })).toMatchObject({ code: 0 });
  });

  test('a dev.json that points to another machine is refused', async () => {
    const cwd = location();
    writeDev(cwd, 'http://evil.example');
    const { code, stderr } = await runInPlace(['paymaster', 'list'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain('.tollfree/dev.json is not a file of `tollfree dev`');
  });
});

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import { createSigner } from '../../core/evm/signer/create-signer.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';
import { runTollfree } from '../support/command-line/run-tollfree.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';

const password = 'a password of the test';
const paymaster = '0x1111111111111111111111111111111111111111';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-cli-'));
  writeFileSync(join(folder, 'master.key'), 'cd'.repeat(32), { mode: 0o600 });
  writeFileSync(join(folder, 'password'), password, { mode: 0o600 });
});
afterAll(() => rmSync(folder, { recursive: true }));

function writeConfig(name: string, content: object): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ databaseFile: `${name}.db`, masterKeyFile: 'master.key', ...content }));
  return file;
}

function chain(nodeUrl: string, keystoreFile: string): object {
  return {
    chainId: 31_337,
    name: 'Some chain',
    nodeUrls: [nodeUrl],
    callTimeoutMs: 500,
    paymasterContracts: [
      { version: '1.0.0', family: 'pimlico-singleton-0.6', address: paymaster, tokenRecipient: paymaster },
    ],
    nativePrice: { sources: [{ kind: 'fixed', usd: '2000' }], minimumSources: 1 },
    signer: { keystoreFile, passwordFile: 'password' },
    maxFeePerGasCeiling: '500 gwei',
    maxCostPerOperation: '1 ether',
  };
}

const anyPorts = { gateway: { listen: '127.0.0.1:0', adminListen: '127.0.0.1:0' }, grpc: { listen: 'unix:core.sock' } };

describe('a start that cannot be', () => {
  test.each(rowsOfRun(['node', 'core'], 1))('%s without a configuration says so and ends with 1', async (command) => {
    const { code, stdout, stderr } = await runTollfree([command]);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'tollfree: databaseFile is missing in the configuration. Name a configuration file with --config.\n',
    });
  });

  test('a gateway without a core says so and ends with 1', async () => {
    const { code, stderr } = await runInPlace(['gateway']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^tollfree: The configuration does not say where the core is\. Set core\.address, .*\n$/);
  });

  test('a gateway refuses a core on another machine without mutual TLS', async () => {
    const { code, stderr } = await runInPlace(['gateway', '--core', '10.0.0.1:50051']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/mutual TLS/);
  });

  test('a node that is down is one sentence and 75, and says nothing of the password', async () => {
    const keystore = join(folder, 'down.keystore');
    await runInPlace(['keystore', 'create', '--out', keystore, '--password-file', join(folder, 'password')]);
    const config = writeConfig('down.json', { ...anyPorts, chains: [chain('http://127.0.0.1:1', keystore)] });
    const { code, stderr } = await runTollfree(['node', '--config', config]);
    expect(code).toBe(75);
    expect(stderr).toMatch(/^tollfree: .+\n$/m);
    expect(stderr).not.toContain(password);
  });

  test('an unknown flag ends with 1', async () => {
    const { code, stderr } = await runInPlace(['node', '--private-key', '0x1']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/unknown option/);
  });

  test('dev names the flag to use when a port is taken', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { code, stderr } = await runTollfree(['dev', '--port', String(port), '--data', join(folder, 'dev')]);
    server.close();
    expect(code).toBe(75);
    expect(stderr).toMatch(new RegExp(`^tollfree: Port ${port} is taken\\. Use another one: --port \\d+`));
  });

  test('dev refuses a port that is none', async () => {
    const { code, stderr } = await runInPlace(['dev', '--grpc-port', '70000']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/--grpc-port must be a port from 0 to 65535/);
  });
});

describe('a keystore', () => {
  test('is private, opens with its password and is never overwritten', async () => {
    const out = join(folder, 'new.keystore');
    const create = ['keystore', 'create', '--out', out, '--password-file', join(folder, 'password')];
    const { code, stdout } = await runTollfree(create);
    expect(code).toBe(0);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    const json = readFileSync(out, 'utf8');
    const signer = await createSigner({ kind: 'keystore', json, password: new Secret(password) });
    expect(stdout.trim()).toBe(signer.address);

    const again = await runInPlace(create);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(readFileSync(out, 'utf8')).toBe(json);
  });

  test('needs a password when there is no terminal to ask at', async () => {
    const { code, stderr } = await runInPlace(['keystore', 'create', '--out', join(folder, 'x.keystore')]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/--password-file/);
  });
});

describe('accounts on the database of a configuration', () => {
  // `:` ends long before the program prints: all of its lines go to a pipe that no one reads.
  test.each([
    ['head -1', 1],
    [':', 0],
  ])('a reader that stops early is no error: audit log | %s', async (reader, lines) => {
    const config = ['--config', writeConfig('piped.json', {})];
    await runInPlace(['account', 'create', 'First', ...config]);
    await runInPlace(['account', 'create', 'Second', ...config]);
    const piped = `{ "$@"; echo "code $?" >&2; } | ${reader}`;
    const through = ['/bin/sh', '-c', piped, 'sh'];
    const { code, stdout, stderr } = await runTollfree(['audit', 'log', ...config], { through });
    expect({ code, stderr, lines: stdout.match(/\n/g)?.length ?? 0 }).toEqual({ code: 0, stderr: 'code 0\n', lines });
  });

  test('an account is made, gets an authToken that is shown once, and loses it', async () => {
    const config = ['--config', writeConfig('accounts.json', {})];
    const created = await runTollfree(['account', 'create', 'First', ...config]);
    const accountId = created.stdout.trim();
    expect(accountId).toMatch(/^[0-9a-f-]{36}$/);
    expect((await runInPlace(['account', 'list', ...config])).stdout).toContain(accountId);

    const issued = await runInPlace(['auth-token', 'issue', accountId, '--name', 'laptop', ...config]);
    const authToken = issued.stdout.trim();
    expect(authToken).toMatch(/^tf_/);
    const list = await runInPlace(['auth-token', 'list', accountId, ...config]);
    expect(list.stdout).toContain('laptop');
    expect(list.stdout).not.toContain(authToken);
    const authTokenId = /[0-9a-f-]{36}/.exec(list.stdout)?.[0] ?? '';
    const revoked = await runInPlace(['auth-token', 'revoke', accountId, authTokenId, ...config]);
    expect(revoked).toMatchObject({ code: 0, stdout: `revoked ${authTokenId}\n` });
    const after = await runInPlace(['auth-token', 'list', accountId, ...config]);
    expect(after.stdout).toMatch(new RegExp(`${authTokenId} +\\S+ +\\S+ +- +\\d{4}-`));
  });

  test('wallets are invited and linked, each to one account, and an account is suspended and opened again', async () => {
    const config = ['--config', writeConfig('wallets.json', {})];
    const account = async (...args: string[]) => runInPlace(['account', ...args, ...config]);
    const invited = await account('create', 'Ada', '--wallet', paymaster);
    const accountId = invited.stdout.trim();
    expect((await account('list')).stdout).toMatch(new RegExp(`${accountId} .* ${paymaster} +invited +Ada`));
    const taken = 'tollfree: Wallet already belongs to an account\n';
    expect(await account('create', '--wallet', paymaster)).toMatchObject({ code: 1, stderr: taken });
    const other = (await account('create', 'Grace')).stdout.trim();
    expect(await account('update', other, '--wallet', paymaster)).toMatchObject({ code: 1, stderr: taken });
    const wallet = paymaster.replaceAll('1', '2');
    expect(await account('update', other, '--wallet', wallet)).toMatchObject({ code: 0 });
    expect(await account('update', other, '--active', 'no')).toMatchObject({ code: 0, stdout: `suspended ${other}\n` });
    expect((await account('list')).stdout).toMatch(new RegExp(`${other} .* ${wallet} +suspended +Grace`));
    expect(await account('update', other, '--active', 'yes')).toMatchObject({ code: 0 });
    expect((await account('list')).stdout).toMatch(new RegExp(`${other} .* ${wallet} +open +Grace`));
    const nonsense = await account('update', other, '--wallet', '0x12');
    expect(nonsense).toMatchObject({ code: 1, stderr: 'tollfree: wallet must be a valid address\n' });
  });

  test('an account that does not exist is a sentence', async () => {
    const config = ['--config', writeConfig('empty.json', {})];
    const { code, stderr } = await runInPlace(['auth-token', 'issue', 'no-such-account', ...config]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'tollfree: Account not found\n' });
  });

  test('another master key than the one the database was written with is refused', async () => {
    const config = ['--config', writeConfig('keyed.json', {})];
    expect((await runInPlace(['account', 'create', 'First', ...config])).code).toBe(0);
    writeFileSync(join(folder, 'other.key'), '01'.repeat(32), { mode: 0o600 });
    const other = [...config, '--master-key-file', join(folder, 'other.key')];
    const { code, stderr } = await runInPlace(['account', 'list', ...other]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^tollfree: The master key does not match/);
  });

  test('a new master key waits for the service, and the status says which old one is still needed', async () => {
    const before = ['--config', writeConfig('rotate-before.json', { databaseFile: 'rotate.db' })];
    expect((await runInPlace(['account', 'create', 'First', ...before])).code).toBe(0);
    writeFileSync(join(folder, 'next.key'), '02'.repeat(32), { mode: 0o600 });
    const keys = { databaseFile: 'rotate.db', masterKeyFile: 'next.key', previousMasterKeyFiles: ['master.key'] };
    const after = ['--config', writeConfig('rotate-after.json', keys)];
    const status = await runInPlace(['master-key', 'status', ...after]);
    expect(status).toMatchObject({ code: 0, stderr: '' });
    expect(status.stdout).toMatch(/next\.key +new: seals from the next start.*\n.*master\.key +still needed\n$/);
    const create = await runInPlace(['account', 'create', 'Second', ...after]);
    expect(create.stderr).toMatch(/^tollfree: The service has not started with this master key yet/);
    const without = ['--config', writeConfig('rotate-without.json', { ...keys, previousMasterKeyFiles: [] })];
    expect((await runInPlace(['master-key', 'status', ...without])).stderr).toContain('needs 1 more');
  });

  test('without a core or a database it says how to name one', async () => {
    const { code, stderr } = await runInPlace(['account', 'list']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/--core unix:\/run\/tollfree\/core\.sock .* --config/);
  });

  test('a core that does not respond may be tried again', async () => {
    const { code, stderr } = await runInPlace(['account', 'list', '--core', '127.0.0.1:1']);
    expect(code).toBe(75);
    expect(stderr).toMatch(/^tollfree: .+\n$/);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { accept } from '../../core/domain/result/result.ts';
import { isLocal, parseGrpcAddress } from '../../core/grpc/address.ts';
import { connectCore } from '../../core/grpc/client.ts';
import { connectForTest, startTestServer } from './start-test-server.ts';

const account = { accountId: 'a-1', name: 'Acme', createdAt: 1_700_000_000 };

async function makeSocketPath(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tollfree-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return join(directory, 'core.sock');
}

test.each(['0.0.0.0:0', '[::]:0', '10.0.0.1:0', 'core.internal:0', '[::ffff:127.0.0.1]:0'])(
  'without mutual TLS a server does not start on %s, nor does a client connect to it',
  async (address) => {
    await expect(startTestServer({ address })).rejects.toThrow(/needs mutual TLS/);
    expect(() => connectCore({ address })).toThrow(/need mutual TLS/);
  },
);

test.each(['127.0.0.1:1', '127.9.9.9:1', '[::1]:1', 'localhost:1', 'unix:/run/x.sock'])(
  '%s is this machine',
  (address) => {
    expect(isLocal(parseGrpcAddress(address))).toBe(true);
  },
);

test.each(['', '127.0.0.1', ':50051', '127.0.0.1:65536', '::1:50051', 'http://127.0.0.1:1', 'unix:', 'a b:1'])(
  'the address "%s" is refused with a sentence',
  (address) => {
    expect(() => parseGrpcAddress(address)).toThrow(/gRPC address/);
  },
);

test('a path too long for a socket is refused with a sentence', () => {
  expect(() => parseGrpcAddress(`unix:/${'x'.repeat(120)}`)).toThrow(/at most 103 bytes/);
});

test('a port in use is refused with a sentence, and the server that has it goes on', async () => {
  const first = await startTestServer();
  await expect(startTestServer({ address: first.address })).rejects.toThrow(/gRPC cannot listen on .*EADDRINUSE/);
  expect(await connectForTest({ address: first.address }).status()).toMatchObject([{ ready: true }]);
});

test('a unix socket works, is for its owner only, and is gone after close', async () => {
  const path = await makeSocketPath();
  const { address, far, close } = await startTestServer({ address: `unix:${path}` });
  far.answerWith('createAccount', async () => accept(account));
  expect(address).toBe(`unix:${path}`);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await connectForTest({ address }).createAccount({ name: 'Acme' })).toStrictEqual(accept(account));
  await close();
  await expect(stat(path)).rejects.toHaveProperty('code', 'ENOENT');
});

test('the folder of a socket is made for its owner only', async () => {
  const path = join(await makeSocketPath(), '..', 'not-there', 'yet', 'core.sock');
  const { address } = await startTestServer({ address: `unix:${path}` });
  expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700);
  expect(await connectForTest({ address }).status()).toMatchObject([{ ready: true }]);
});

test.each([0o755, 0o770, 0o701, 0o1777])(
  'in a folder of mode %o, where others could put a socket, no server starts and no client connects',
  async (mode) => {
    const path = await makeSocketPath();
    await chmod(join(path, '..'), mode);
    const sentence = /open to other users of this machine .*chmod 700/;
    await expect(startTestServer({ address: `unix:${path}` })).rejects.toThrow(sentence);
    expect(() => connectCore({ address: `unix:${path}` })).toThrow(sentence);
  },
);

test('refuses a link instead of the folder, since it could lead elsewhere a moment later', async () => {
  const folder = join(await makeSocketPath(), '..');
  await symlink(folder, join(folder, 'link'));
  const address = `unix:${join(folder, 'link', 'core.sock')}`;
  await expect(startTestServer({ address })).rejects.toThrow(/must be a folder, not a link/);
  expect(() => connectCore({ address })).toThrow(/must be a folder, not a link/);
});

test('a socket that a killed process left behind is replaced', async () => {
  const path = await makeSocketPath();
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => console.log('ready'))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect((await stat(path)).isSocket()).toBe(true);

  const { address } = await startTestServer({ address: `unix:${path}` });
  expect(await connectForTest({ address }).status()).toMatchObject([{ ready: true }]);
});

test('a socket on which a process listens is left to it', async () => {
  const path = await makeSocketPath();
  const first = await startTestServer({ address: `unix:${path}` });
  await expect(startTestServer({ address: `unix:${path}` })).rejects.toThrow(/another process listens/);
  expect(await connectForTest({ address: first.address }).status()).toMatchObject([{ ready: true }]);
});

test('leaves a file alone that is where the socket should be', async () => {
  const path = await makeSocketPath();
  await writeFile(path, 'precious');
  await expect(startTestServer({ address: `unix:${path}` })).rejects.toThrow(/not a socket/);
  expect((await stat(path)).isFile()).toBe(true);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { inspect } from 'node:util';
import { status } from '@grpc/grpc-js';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openGoogleKms } from '../../core/node/signers/kms-backends.ts';
import { openSigner } from '../../core/node/signers/open-signer.ts';
import type { SignerBackend } from '../../core/node/signers/signer-backend.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { makeCertificate } from '../support/servers/make-certificate.ts';
import { handTimes } from '../support/time/hand-times.ts';
import { startGoogleKmsGrpc } from './google-kms-grpc-server.ts';
import { keyVersion, writeServiceAccount } from './google-kms-server.ts';

const key = `0x${'17'.repeat(32)}` as const;
const account = privateKeyToAccount(key);
const digest = `0x${'ab'.repeat(32)}` as const;
const never = new AbortController().signal;

let folder: string;
let server: Awaited<ReturnType<typeof startGoogleKmsGrpc>>;
const opened: { close(): unknown }[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-kms-'));
  writeServiceAccount(join(folder, 'account.json'));
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', join(folder, 'account.json'));
  const authority = makeCertificate('test authority', { dns: [] });
  // Google's client takes the authorities of the machine, whichever they are: here it is this one.
  const make = tls.createSecureContext;
  vi.spyOn(tls, 'createSecureContext').mockImplementation((options) => make({ ...options, ca: authority.certificate }));
  server = await startGoogleKmsGrpc(key, makeCertificate('kms', { dns: ['localhost'] }, authority));
});
afterAll(() => {
  for (const one of opened) one.close();
  server.close();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const config = (timeoutMs: number) =>
  ({ kind: 'google-kms', keyVersion, endpoint: server.url, address: account.address, timeoutMs }) as const;

async function hold(timeoutMs: number): Promise<SignerBackend> {
  const holder = await openGoogleKms(config(timeoutMs));
  opened.push(holder);
  return holder;
}

test('a key in Cloud KMS signs over gRPC, as Google serves it', async () => {
  const signer = await openSigner(config(10_000), { chainId: 1, logger: silentLogger, times: handTimes() });
  opened.push({ close: () => signer.backends?.close() });
  await signer.backends?.check();
  const right = await account.signMessage({ message: { raw: digest } });
  // One of two signatures in a row has a high s there.
  expect([await signer.signDigest(digest), await signer.signDigest(digest)]).toEqual([right, right]);
});

test('a call that is not answered is given up at its time limit, and the other side is told', async () => {
  const holder = await hold(2_000);
  // From here on there is a connection.
  await holder.readAddresses(never);
  server.meeting.now = { isSilent: true };
  const before = server.calls.length;
  const failure = await holder.sign(digest, never).catch((error: unknown) => error);
  server.meeting.now = {};
  expect(failure).toMatchObject({ code: status.DEADLINE_EXCEEDED });
  const [call, ...more] = server.calls.slice(before);
  expect(more).toEqual([]);
  await call?.cancelled;
  expect(call).toBeDefined();
});

test.each([
  ['UNAVAILABLE', status.UNAVAILABLE],
  ['PERMISSION_DENIED', status.PERMISSION_DENIED],
  ['RESOURCE_EXHAUSTED', status.RESOURCE_EXHAUSTED],
])('a call that is answered with %s is not made again', async (_, code) => {
  const holder = await hold(10_000);
  server.meeting.now = { status: code };
  const before = server.calls.length;
  const failure = await holder.sign(digest, never).catch((error: unknown) => error);
  server.meeting.now = {};
  expect(failure, inspect(failure)).toMatchObject({ code });
  expect(server.calls.length - before).toBe(1);
});

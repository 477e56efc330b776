import { Client, credentials } from '@grpc/grpc-js';
import { expect, onTestFinished, test } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import { accept } from '../../core/domain/result/result.ts';
import { connectCore } from '../../core/grpc/client.ts';
import type { GrpcServerTls } from '../../core/grpc/tls.ts';
import { CoreUnavailableError } from '../../core/grpc/transport.ts';
import { watchCertificate } from '../../server/watch-certificate.ts';
import { createRecordingLogger } from '../support/logging/recording-logger.ts';
import { type Authority, type Identity, makeAuthority } from './make-certificates.ts';
import { connectForTest, startTestServer } from './start-test-server.ts';

const account = { accountId: 'a-1', name: 'Acme', createdAt: 1_700_000_000 };
const authority = makeAuthority('ours');
const stranger = makeAuthority('theirs');
const tls: GrpcServerTls = { ...authority.issue('core'), clientCertificateAuthority: authority.certificate };
const member: Identity = authority.issue('gateway');

/** Whom a client trusts, and the name that it expects in the server's certificate. */
function names(trusted: Authority) {
  return { certificateAuthority: trusted.certificate, serverName: 'localhost' };
}

async function startTlsServer(own = tls) {
  const server = await startTestServer({ address: '0.0.0.0:0', tls: own });
  server.far.answerWith('createAccount', async () => accept(account));
  return { ...server, address: server.address.replace('0.0.0.0', '127.0.0.1') };
}

test('with mutual TLS the server listens on every address, and a client with a certificate is served', async () => {
  const { address } = await startTlsServer();
  const core = connectForTest({ address, tls: { ...names(authority), ...member } });
  expect(await core.createAccount({ name: 'Acme' })).toStrictEqual(accept(account));
});

test('a client without TLS, without a certificate or with one of another authority is not served', async () => {
  const { address, far } = await startTlsServer();
  const foreign = stranger.issue('gateway');
  const withForeign = connectForTest({ address, tls: { ...names(authority), ...foreign } });
  await expect(withForeign.createAccount({ name: 'Acme' })).rejects.toBeInstanceOf(CoreUnavailableError);
  await expect(connectForTest({ address }).createAccount({ name: 'Acme' })).rejects.toBeInstanceOf(
    CoreUnavailableError,
  );

  const anonymous = new Client(address, credentials.createSsl(Buffer.from(authority.certificate)), {
    'grpc.ssl_target_name_override': 'localhost',
  });
  onTestFinished(() => anonymous.close());
  const asBytes = (bytes: Buffer) => bytes;
  const failure = new Promise((resolve) => {
    const path = '/tollfree.core.v1.CoreService/CreateAccount';
    anonymous.makeUnaryRequest(path, asBytes, asBytes, Buffer.alloc(0), { deadline: Date.now() + 5_000 }, resolve);
  });
  expect(await failure).toHaveProperty('code');
  expect(far.calls).toStrictEqual([]);
});

test('an expired certificate of the core is named by its clients, and in its own log', async () => {
  const expired = authority.issue('core', Date.now() - 30 * 86_400_000);
  const { address } = await startTlsServer({ ...tls, ...expired });
  const core = connectForTest({ address, tls: { ...names(authority), ...member } });
  await expect(core.createAccount({ name: 'Acme' })).rejects.toThrow('certificate has expired');
  expect(await core.status()).toEqual([
    { part: 'core', ready: false, detail: expect.stringContaining('certificate has expired') },
  ]);

  const { lines, logger } = createRecordingLogger();
  for (const { certificate } of [expired, tls]) watchCertificate('grpc.tls.certificateFile', certificate, logger)();
  // The other one has two days left.
  expect(lines.map(({ level, message }) => [level, message])).toEqual([
    ['error', expect.stringContaining('has expired')],
    ['warn', expect.stringContaining('expires soon')],
  ]);
});

test('a client does not talk to a server of another authority', async () => {
  const { address, far } = await startTlsServer();
  const core = connectForTest({ address, tls: { ...names(stranger), ...member } });
  await expect(core.createAccount({ name: 'Acme' })).rejects.toBeInstanceOf(CoreUnavailableError);
  expect(far.calls).toStrictEqual([]);
});

test('a client does not talk to a server whose certificate is for another name', async () => {
  const { address, far } = await startTlsServer();
  const core = connectForTest({ address, tls: { ...names(authority), ...member, serverName: 'elsewhere' } });
  await expect(core.createAccount({ name: 'Acme' })).rejects.toBeInstanceOf(CoreUnavailableError);
  expect(far.calls).toStrictEqual([]);
});

test('a client that has no name to expect knows a server by the number that its certificate is for', async () => {
  const { address, far } = await startTlsServer();
  const trust = { certificateAuthority: authority.certificate, ...member };
  const core = connectForTest({ address, tls: trust });
  expect(await core.createAccount({ name: 'Acme' })).toStrictEqual(accept(account));
  const named = connectForTest({ address, tls: { ...trust, serverName: '127.0.0.1' } });
  expect(await named.createAccount({ name: 'Acme' })).toStrictEqual(accept(account));

  const served = far.calls.length;
  const elsewhere = connectForTest({ address: address.replace('127.0.0.1', '127.0.0.2'), tls: trust });
  await expect(elsewhere.createAccount({ name: 'Acme' })).rejects.toBeInstanceOf(CoreUnavailableError);
  expect(far.calls).toHaveLength(served);
});

test('PEM texts that do not fit are refused with a sentence that holds none of them', async () => {
  const broken = { ...tls, privateKey: new Secret('-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----') };
  const start = startTestServer({ address: '0.0.0.0:0', tls: broken });
  await expect(start).rejects.toThrow('TLS of the gRPC server needs a certificate and its own private key in PEM form');
  const mismatched = { ...tls, privateKey: member.privateKey };
  await expect(startTestServer({ tls: mismatched })).rejects.toThrow(/its own private key/);
  const open = { ...tls, clientCertificateAuthority: '' };
  await expect(startTestServer({ tls: open })).rejects.toThrow(/needs the certificate of an authority/);
  expect(() => connectCore({ address: 'core:1', tls: { certificateAuthority: '', ...member } })).toThrow(/authority/);
});

import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import { Keystore } from 'ox';
import { concat, type Hex, hexToBigInt, numberToHex, slice } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import type { EthSignConfig, KeyConfig, SignerConfig } from '../../core/domain/signer-config.ts';
import type { SigningOutcome } from '../../core/node/signers/create-remote-signer.ts';
import { crc32c, loadPackage } from '../../core/node/signers/kms-backends.ts';
import { openSigner } from '../../core/node/signers/open-signer.ts';
import { createRecordingLogger } from '../support/logging/recording-logger.ts';
import { findClosedPort } from '../support/servers/find-closed-port.ts';
import {
  type RpcServer,
  respond,
  respondError,
  respondResult,
  startRpcServer,
} from '../support/servers/json-rpc-server.ts';
import { makeCertificate } from '../support/servers/make-certificate.ts';
import { handTimes } from '../support/time/hand-times.ts';
import { startAwsKms } from './aws-kms-server.ts';
import { keyVersion, startGoogleKms, writeServiceAccount } from './google-kms-server.ts';
import { listen } from './listen.ts';

const key = `0x${'17'.repeat(32)}` as const;
const account = privateKeyToAccount(key);
const other = privateKeyToAccount(`0x${'18'.repeat(32)}`);
const digest = `0x${'ab'.repeat(32)}` as const;
const { address } = account;
const timeoutMs = 2_000;
/** Longer than a place rests. */
const afterRestMs = 5_001;

const signed = () => account.signMessage({ message: { raw: digest } });
const closing: (() => unknown)[] = [];
/** What was logged: how grave, what it says, and its fields. */
const logged: (readonly [level: string, message: string, fields: Readonly<Record<string, unknown>>])[] = [];
const { logger } = createRecordingLogger(({ level, message, fields }) => logged.push([level, message, { ...fields }]));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-signers-'));
  writeServiceAccount(join(folder, 'account.json'));
});
beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', join(folder, 'account.json'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  logged.splice(0);
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function open(config: SignerConfig) {
  const times = handTimes();
  const outcomes: [string, SigningOutcome][] = [];
  const seconds: number[] = [];
  const signer = await openSigner(config, {
    chainId: 1,
    logger,
    times,
    note: (location, outcome, taken) => {
      outcomes.push([location, outcome]);
      seconds.push(taken);
    },
  });
  const { backends } = signer;
  if (backends === undefined) throw new Error('The key is here.');
  closing.push(() => backends.close());
  return { signer, backends, times, outcomes, seconds };
}

/** What answers `eth_sign`: a signature of the key, unless it is told otherwise. */
type Answer = (
  server: Parameters<Parameters<typeof startRpcServer>[0]>[1],
  request: Parameters<Parameters<typeof startRpcServer>[0]>[0],
) => void | Promise<void>;
const honest: Answer = async (response, request) =>
  respondResult(response, request, await account.signMessage({ message: { raw: request.params[1] as Hex } }));

async function startPosition(answer: Answer = honest, accounts: unknown = [other.address, address]) {
  const location = { answer };
  const server: RpcServer = await startRpcServer(async (request, response) => {
    if (request.method === 'eth_accounts') respondResult(response, request, accounts);
    else await location.answer(response, request);
  });
  closing.push(server.close);
  const config: EthSignConfig = { kind: 'eth-sign', url: server.url, address, timeoutMs };
  const asked = () => server.requests.filter(({ method }) => method === 'eth_sign').length;
  return { config, location, asked, requests: server.requests };
}

/** A server that never answers, and its open connections. */
async function startHanging() {
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const open = new Set<unknown>();
  const server = await listen(({ socket }) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    begin();
  });
  closing.push(server.close);
  return { url: server.url, begun, connected: () => open.size };
}

async function startHangingPlace() {
  const server = await startHanging();
  return { ...server, config: { kind: 'eth-sign', url: server.url, address, timeoutMs } as const };
}

async function startHangingAws() {
  const server = await startHanging();
  const keyId = { keyId: 'alias/gas', region: 'eu-central-1', endpoint: server.url };
  return { ...server, config: { kind: 'aws-kms', ...keyId, address, timeoutMs } as const };
}

async function startAws(change?: Parameters<typeof startAwsKms>[1]): Promise<KeyConfig> {
  const kms = await startAwsKms(key, change);
  closing.push(kms.close);
  return { kind: 'aws-kms', keyId: 'alias/gas', region: 'eu-central-1', endpoint: kms.url, address, timeoutMs };
}

async function startGoogle(change?: Parameters<typeof startGoogleKms>[1]): Promise<KeyConfig> {
  const kms = await startGoogleKms(key, change);
  closing.push(kms.close);
  return { kind: 'google-kms', keyVersion, endpoint: kms.url, address, timeoutMs };
}

describe('a key that is elsewhere signs like one that is here', () => {
  test.each([
    ['eth_sign', async () => (await startPosition()).config],
    ['AWS KMS, through its own client', () => startAws()],
    ['Google Cloud KMS, through its own client', () => startGoogle()],
  ])('%s', async (_name, start) => {
    const { signer, backends, outcomes } = await open(await start());
    await backends.check();
    expect(signer.address).toBe(address);
    // One of two signatures in a row has a high s there.
    expect([await signer.signDigest(digest), await signer.signDigest(digest)]).toEqual([
      await signed(),
      await signed(),
    ]);
    expect(outcomes.map(([, outcome]) => outcome)).toEqual(['signed', 'signed', 'signed']);
    expect(backends.fault()).toBeUndefined();
  });
});

/** A signature's second valid form, which has the high s. */
function withHighS(signature: Hex): Hex {
  const s = numberToHex(order - hexToBigInt(slice(signature, 32, 64)), { size: 32 });
  return concat([slice(signature, 0, 32), s, signature.endsWith('1b') ? '0x1c' : '0x1b']);
}

test('a signature with a high s is handed out with the low one', async () => {
  const { config } = await startPosition(async (response, request) =>
    respondResult(response, request, withHighS(await signed())),
  );
  const { signer } = await open(config);
  expect(await signer.signDigest(digest)).toBe(await signed());
});

const notOurs = 'returned something that is not a signature of this digest by the configured address';
const noSignature = 'returned something that is not a signature';
const noAnswer = 'returned a response that is not JSON-RPC';
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const halves = (r: bigint, s: bigint) => concat([numberToHex(r, { size: 32 }), numberToHex(s, { size: 32 }), '0x1b']);
const result = (made: () => unknown): Answer => {
  return async (to, asked) => respondResult(to, asked, await made());
};
const body = (text: unknown, status = 200): Answer => {
  return (to) => respond(to, text, status);
};

describe('what is not the key’s signature of the digest never leaves, and the log says what it was', () => {
  test.each<[string, SigningOutcome, Answer, string | RegExp]>([
    ['by another key', 'wrong', result(() => other.signMessage({ message: { raw: digest } })), notOurs],
    ['of another digest', 'wrong', result(() => account.signMessage({ message: 'else' })), notOurs],
    ['without the prefix of EIP-191', 'wrong', result(() => account.sign({ hash: digest })), notOurs],
    ['of zeros', 'wrong', result(() => halves(0n, 0n)), notOurs],
    ['whose r is no point', 'wrong', result(() => halves(5n, 1n)), notOurs],
    ['whose r is the order', 'wrong', result(() => halves(order, 1n)), notOurs],
    ['whose s is the order', 'wrong', result(() => halves(1n, order)), notOurs],
    ['whose s is more than the order', 'wrong', result(() => halves(1n, order + 1n)), notOurs],
    ['of 64 bytes', 'wrong', result(async () => slice(await signed(), 0, 64)), noSignature],
    ['that is no hex', 'wrong', result(() => ({ signature: 'secret-words' })), noSignature],
    [
      'but an error',
      'failed',
      (to, asked) => respondError(to, asked, -32000, 'secret-words'),
      'answered eth_sign with the error -32000',
    ],
    ['but an error without a code', 'failed', body({ error: {} }), 'answered eth_sign with the error'],
    ['but an error of words', 'failed', body({ error: { code: 'secret-words' } }), 'answered eth_sign with the error'],
    [
      'but an error with a status of its own',
      'failed',
      body({ error: { code: -32004 } }, 404),
      'answered eth_sign with the error -32004',
    ],
    ['text instead of an error', 'failed', body({ error: 'secret-words' }), noAnswer],
    ['but a page', 'failed', body('<html>secret-words</html>', 502), 'answered with status 502'],
    ['but a page that went well', 'failed', body('<html>secret-words</html>'), noAnswer],
    ['but a result of another status', 'failed', body({ result: '0x' }, 500), 'answered with status 500'],
    ['but no result', 'failed', body({ jsonrpc: '2.0', id: 1 }), noAnswer],
    ['but null', 'failed', body('null'), noAnswer],
    ['but a text', 'failed', body('"result"'), noAnswer],
    ['but nothing to the end', 'failed', (to) => void to.destroy(), /./],
    ['but more than anybody reads', 'failed', body(`"${'a'.repeat(100_000)}"`), /./],
  ])('%s', async (_name, outcome, answer, words) => {
    const { config, requests } = await startPosition(answer);
    const { signer, outcomes } = await open(config);
    const refuse = () => signer.signDigest(digest).catch((error: unknown) => error);
    const refused = await refuse();
    expect(refused).toMatchObject({ name: 'SignerUnavailableError', message: expect.stringContaining('again') });
    expect(outcomes).toEqual([['1 (eth-sign)', outcome]]);
    const { cause } = refused as Error;
    if (typeof words === 'string') expect(cause).toMatchObject({ name: 'SignerBackendError', message: words });

    // What is wrong once is not asked again; what has failed is, twice more.
    await refuse();
    await refuse();
    await refuse();
    expect(requests).toHaveLength(outcome === 'wrong' ? 1 : 3);
    const fields = { err: expect.any(Error), chainId: 1, signer: address, place: '1 (eth-sign)' };
    expect(logged).toEqual([['warn', 'A signer does not sign; it is tried again', fields]]);
    expect(inspect([refused, logged], { depth: 9 })).not.toMatch(/secret-words/);
  });

  test.each<[string, (answer: object) => object]>([
    ['with a checksum of something else', (answer) => ({ ...answer, signatureCrc32c: '1' })],
    ['without a checksum', ({ signatureCrc32c: _, ...answer }: { signatureCrc32c?: string }) => answer],
    ['of a digest that had changed on its way', (answer) => ({ ...answer, verifiedDigestCrc32c: false })],
    ['of another key version', (answer) => ({ ...answer, name: keyVersion.replace(/1$/, '2') })],
    ['without a signature', ({ signature: _, ...answer }: { signature?: string }) => answer],
  ])('by Google’s service, %s', async (_name, change) => {
    const { signer, outcomes } = await open(await startGoogle(change));
    const refused = await signer.signDigest(digest).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'SignerUnavailableError' });
    expect((refused as Error).cause).toMatchObject({
      message: expect.stringContaining('received different data'),
    });
    expect(outcomes).toEqual([['1 (google-kms)', 'wrong']]);
  });

  test.each<[string, SigningOutcome, object, string]>([
    ['without a signature', 'failed', { Signature: undefined }, 'answered without a signature'],
    ['with one that is none', 'wrong', { Signature: Buffer.from('none').toString('base64') }, noSignature],
    ['with a long one', 'wrong', { Signature: Buffer.alloc(73, 48).toString('base64') }, noSignature],
  ])('by AWS KMS, %s', async (_name, outcome, change, words) => {
    const { signer, outcomes } = await open(await startAws((answer) => ({ ...answer, ...change })));
    const refused = await signer.signDigest(digest).catch((error: unknown) => error);
    const { cause } = refused as Error;
    expect(cause).toMatchObject({ message: words, ...(outcome === 'wrong' ? { cause: expect.any(Error) } : {}) });
    expect(outcomes).toEqual([['1 (aws-kms)', outcome]]);
  });
});

test.each([
  ['r', 27, 0],
  ['r', 28, 0],
  ['s', 27, 32],
])('an %s that begins with a zero byte is handed out whole, with v %d', async (_half, v, at) => {
  const { config } = await startPosition();
  const { signer } = await open(config);
  for (let number = 0n; ; number += 1n) {
    const digest = numberToHex(number, { size: 32 });
    const expected = await account.signMessage({ message: { raw: digest } });
    if (slice(expected, at, at + 1) !== '0x00' || slice(expected, 64) !== numberToHex(v)) continue;
    expect(await signer.signDigest(digest)).toBe(expected);
    return;
  }
});

test('a server is asked as JSON-RPC has it, and a field that says there is no error is none', async () => {
  const answer: Answer = async (to, { params }) =>
    respond(to, { result: await account.signMessage({ message: { raw: params[1] as Hex } }), error: null });
  const location = await startPosition(answer, [7, 'secret-words', address.toLowerCase()]);
  const { signer, backends } = await open(location.config);
  expect(await signer.signDigest(digest)).toBe(await signed());
  expect(location.requests).toEqual([{ jsonrpc: '2.0', id: 1, method: 'eth_sign', params: [address, digest] }]);
  await backends.check();
  expect(location.requests[1]).toEqual({ jsonrpc: '2.0', id: 1, method: 'eth_accounts', params: [] });
});

test('a stand-in signs when the first is late, what comes late is dropped, and the first is asked again after a rest', async () => {
  let answerLate = () => {};
  const first = await startPosition((response, request) => {
    answerLate = () => void honest(response, request);
  });
  const second = await startPosition();
  const { signer, backends, times, outcomes, seconds } = await open({ ...first.config, standIns: [second.config] });

  const signing = signer.signDigest(digest);
  await vi.waitFor(() => expect(first.asked()).toBe(1));
  expect(second.asked()).toBe(0);
  times.pass(timeoutMs - 1);
  await nextTurn();
  times.pass(1);
  expect(await signing).toBe(await signed());
  expect(seconds).toEqual([timeoutMs / 1_000, 0]);
  expect(outcomes).toEqual([
    ['1 (eth-sign)', 'late'],
    ['2 (eth-sign)', 'signed'],
  ]);
  answerLate();
  expect(backends.complaint()).toBe('the signer at 1 (eth-sign) does not sign');
  expect(backends.fault()).toBeUndefined();

  expect(await signer.signDigest(digest)).toBe(await signed());
  expect([first.asked(), second.asked()]).toEqual([1, 2]);

  first.location.answer = honest;
  times.pass(afterRestMs);
  await vi.waitFor(() => expect(backends.complaint()).toBeUndefined());
  expect(logged.map(([level, message, { place }]) => [level, message, place])).toEqual([
    ['warn', 'A signer does not sign; it is tried again', '1 (eth-sign)'],
    ['info', 'The signer signs again', '1 (eth-sign)'],
  ]);
  await signer.signDigest(digest);
  expect([first.asked(), second.asked()]).toEqual([3, 2]);
  expect(times.left()).toBe(0);
});

test('a key with no place left that signs is at fault until one does', async () => {
  const location = await startPosition((response, request) => respondResult(response, request, '0x'));
  const { signer, backends, times } = await open(location.config);
  await expect(signer.signDigest(digest)).rejects.toThrow('send the same request again');
  expect(backends.fault()).toBe(`no signer with the key of ${address} responds`);
  await expect(signer.signDigest(digest)).rejects.toThrow('send the same request again');
  expect(location.asked()).toBe(1);
  location.location.answer = honest;
  times.pass(afterRestMs);
  await vi.waitFor(() => expect(backends.fault()).toBeUndefined());
});

describe('at start', () => {
  test.each([
    ['AWS KMS', () => startAws(), 'has the key of'],
    ['Google Cloud KMS', () => startGoogle(), 'has the key of'],
    ['eth_sign', async () => (await startPosition()).config, 'has other keys'],
  ])('another key is a mistake, and is said to be: %s', async (_name, start, words) => {
    const config = { ...(await start()), address: privateKeyToAccount(`0x${'19'.repeat(32)}`).address };
    const { backends } = await open(config);
    await expect(backends.check()).rejects.toMatchObject({ tryAgain: false, message: expect.stringContaining(words) });
  });

  test('a place that is away is an outage, unless another one has the key', async () => {
    const away = { kind: 'eth-sign', url: `http://127.0.0.1:${await findClosedPort()}`, address, timeoutMs } as const;
    const alone = await open(away);
    const message = `No signer with the key of ${address} responds.`;
    await expect(alone.backends.check()).rejects.toMatchObject({ tryAgain: true, message });
    const both = await open({ ...away, standIns: [away] });
    await expect(both.backends.check()).rejects.toMatchObject({ tryAgain: true, message });
    expect(both.backends.complaint()).toBe('the signer at 1 (eth-sign) and at 2 (eth-sign) does not sign');
    const { backends, signer, times } = await open({ ...away, standIns: [(await startPosition()).config] });
    await backends.check();
    expect(backends.complaint()).toBe('the signer at 1 (eth-sign) does not sign');
    const awaySince = times.clock.now() / 1_000;
    times.pass(1_000);
    expect(signer.where?.()).toEqual([{ kind: 'eth-sign', awaySince }, { kind: 'eth-sign' }]);
    expect(await signer.signDigest(digest)).toBe(await signed());
  });

  test('a stand-in has to have the same key; one that is here is one', async () => {
    const { config } = await startPosition((response) => void response.destroy());
    const here = (privateKey: Hex) => ({ kind: 'raw', privateKey: new Secret(privateKey) }) as const;
    const { signer, backends } = await open({ ...config, standIns: [here(key)] });
    await backends.check();
    expect(backends.complaint()).toBe('the signer at 1 (eth-sign) does not sign');
    expect(await signer.signDigest(digest)).toBe(await signed());
    const strange = open({ ...config, standIns: [here(`0x${'18'.repeat(32)}`)] });
    await expect(strange).rejects.toThrow(`It signs as ${other.address}, the signer before it as ${address}`);
  });
});

test('a key that is here signs at once, and no one is noted to have been asked', async () => {
  const [opening, options] = await Keystore.scryptAsync({ password: 'secret', n: 1_024, r: 8, p: 1 });
  const json = JSON.stringify(Keystore.encrypt(key, opening, options));
  const raw = { kind: 'raw', privateKey: new Secret(key) } as const;
  for (const config of [raw, { kind: 'keystore', json, password: new Secret('secret') } as const]) {
    const signer = await openSigner(config, { chainId: 1, logger });
    expect(signer.backends).toBeUndefined();
    expect(await signer.signDigest(digest)).toBe(await signed());
    const withStandIn = await openSigner({ ...config, standIns: [raw] }, { chainId: 1, logger });
    expect(withStandIn.backends).toBeDefined();
    await withStandIn.backends?.check();
    expect(withStandIn.backends?.complaint()).toBeUndefined();
    expect(await withStandIn.signDigest(digest)).toBe(await signed());
  }
});

describe('what says nothing of a key is said at start', () => {
  const check = async (config: SignerConfig) => (await open(config)).backends.check().catch((error: unknown) => error);

  test.each<[string, (answer: object) => object, string]>([
    ['whose algorithm is another', (answer) => ({ ...answer, algorithm: 'EC_SIGN_P256_SHA256' }), 'EC_SIGN_SECP256K1'],
    ['of another version', (answer) => ({ ...answer, name: `${keyVersion}0` }), 'received different data'],
    ['that was changed on its way', (answer) => ({ ...answer, pemCrc32c: '1' }), 'received different data'],
    ['without a checksum', (answer) => ({ ...answer, pemCrc32c: undefined }), 'received different data'],
    ['without a key', (answer) => ({ ...answer, pem: '', pemCrc32c: '0' }), 'has no readable public key'],
  ])('a key of Google’s service %s', async (_name, change, words) => {
    const failure = await check(await startGoogle((answer) => ('pem' in answer ? change(answer) : answer)));
    expect(failure).toMatchObject({ tryAgain: false, message: expect.stringContaining(words) });
  });

  test.each<[string, object, object]>([
    ['that does not tell it', { PublicKey: undefined }, { tryAgain: true }],
    [
      'of another curve',
      { PublicKey: otherCurve() },
      { tryAgain: false, message: expect.stringContaining('another curve than secp256k1') },
    ],
    [
      'that is not readable',
      { PublicKey: 'AAAA' },
      { tryAgain: false, message: expect.stringContaining('no readable public key') },
    ],
  ])('a key of AWS KMS %s', async (_name, change, words) => {
    expect(await check(await startAws((answer) => ({ ...answer, ...change })))).toMatchObject(words);
  });

  test('a server without the key, and one that lists nothing', async () => {
    const failure = await check((await startPosition(honest, [7, 'secret-words', other.address])).config);
    const message = `The signer at 1 (eth-sign) has the key of ${other.address}, and not the configured one of ${address}.`;
    expect(failure).toMatchObject({ tryAgain: false, message });
    const silent = await check((await startPosition(honest, 'secret-words')).config);
    expect(silent).toMatchObject({ tryAgain: true, cause: { message: 'does not list its accounts' } });
  });

  test('Google’s service at its own place, of which nothing is asked before', async () => {
    const { signer } = await open({ kind: 'google-kms', keyVersion, address, timeoutMs });
    expect(signer.address).toBe(address);
  });

  test('a client that is not installed', async () => {
    const cause = new Error('not there');
    const opening = loadPackage('@cloud/kms', () => Promise.reject(cause));
    const message = expect.stringContaining('npm install @cloud/kms');
    await expect(opening).rejects.toMatchObject({ name: 'StartError', tryAgain: false, cause, message });
  });
});

function otherCurve(): string {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
}

test.each([
  // RFC 3720, section B.4, and the check value of CRC-32C.
  ['123456789', Buffer.from('123456789'), 0xe3069283],
  ['32 zeros', Buffer.alloc(32), 0x8a9136aa],
  ['32 ones', Buffer.alloc(32, 0xff), 0x62a8ab43],
])('CRC-32C of %s', (_name, bytes, sum) => {
  expect(crc32c(bytes)).toBe(sum);
});

test.each([
  ['eth_sign', startHangingPlace],
  ['AWS KMS', startHangingAws],
])('aborts a question when no caller waits for it any more: %s', async (_n, start) => {
  const { config, connected, begun } = await start();
  const { signer, times, outcomes } = await open(config);
  const signing = signer.signDigest(digest).catch((error: unknown) => error);
  await begun;
  expect(connected()).toBe(1);
  times.pass(timeoutMs);
  expect(await signing).toMatchObject({ name: 'SignerUnavailableError' });
  expect(outcomes).toMatchObject([[expect.any(String), 'late']]);
  await vi.waitFor(() => expect(connected()).toBe(0));
});

test('a server with a certificate of its own is trusted by name, and gets the token', async () => {
  const authority = makeCertificate('test authority', { dns: [] });
  const { certificate, privateKey } = makeCertificate('signer', { dns: [], ip: ['127.0.0.1'] }, authority);
  const server = createHttpsServer({ cert: certificate, key: privateKey }, async (incoming, response) => {
    const { headers } = incoming;
    const isKnown = headers.authorization === 'Bearer the-token' && headers['content-type'] === 'application/json';
    respond(
      response,
      isKnown ? { jsonrpc: '2.0', id: 1, result: await signed() } : 'secret-words',
      isKnown ? 200 : 401,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = { kind: 'eth-sign', url, address, timeoutMs, certificateAuthority: authority.certificate } as const;
  const known = await open({ ...config, token: new Secret('the-token') });
  expect(await known.signer.signDigest(digest)).toBe(await signed());
  for (const without of [
    config,
    { kind: 'eth-sign', url, address, timeoutMs, token: new Secret('the-token') } as const,
  ]) {
    await expect((await open(without)).signer.signDigest(digest)).rejects.toMatchObject({
      name: 'SignerUnavailableError',
    });
  }
  expect(inspect(logged, { depth: 9 })).not.toMatch(/the-token|secret-words/);
});

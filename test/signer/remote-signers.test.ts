import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { concat, type Hex, hexToBigInt, numberToHex, slice } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { EthSignConfig, KeyConfig, SignerConfig } from '../../core/domain/signing/signer-config.ts';
import { Secret } from '../../core/domain/values/secret.ts';
import type { SigningOutcome } from '../../core/node/signers/create-placed-signer.ts';
import { openSigner } from '../../core/node/signers/open-signer.ts';
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
const lines: string[] = [];
const note = (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`);
const logger = { debug: note, info: note, warn: note, error: note };

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
  lines.splice(0);
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function open(config: SignerConfig) {
  const times = handTimes();
  const outcomes: [string, SigningOutcome][] = [];
  const signer = await openSigner(config, {
    chainId: 1,
    logger,
    times,
    note: (place, outcome) => outcomes.push([place, outcome]),
  });
  const { places } = signer;
  if (places === undefined) throw new Error('The key is here.');
  closing.push(() => places.close());
  return { signer, places, times, outcomes };
}

/** What answers `eth_sign`: a signature of the key, unless it is told otherwise. */
type Answer = (
  server: Parameters<Parameters<typeof startRpcServer>[0]>[1],
  request: Parameters<Parameters<typeof startRpcServer>[0]>[0],
) => void | Promise<void>;
const honest: Answer = async (response, request) =>
  respondResult(response, request, await account.signMessage({ message: { raw: request.params[1] as Hex } }));

async function startPlace(answer: Answer = honest) {
  const place = { answer };
  const server: RpcServer = await startRpcServer(async (request, response) => {
    if (request.method === 'eth_accounts') respondResult(response, request, [other.address, address]);
    else await place.answer(response, request);
  });
  closing.push(server.close);
  const config: EthSignConfig = { kind: 'eth-sign', url: server.url, address, timeoutMs };
  const asked = () => server.requests.filter(({ method }) => method === 'eth_sign').length;
  return { config, place, asked };
}

async function startAws(): Promise<KeyConfig> {
  const kms = await startAwsKms(key);
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
    ['eth_sign', async () => (await startPlace()).config],
    ['AWS KMS, through its own client', startAws],
    ['Google Cloud KMS, through its own client', () => startGoogle()],
  ])('%s', async (_name, start) => {
    const { signer, places, outcomes } = await open(await start());
    await places.check();
    expect(signer.address).toBe(address);
    // One of two signatures in a row has a high s there.
    expect([await signer.signDigest(digest), await signer.signDigest(digest)]).toEqual([
      await signed(),
      await signed(),
    ]);
    expect(outcomes.map(([, outcome]) => outcome)).toEqual(['signed', 'signed', 'signed']);
    expect(places.fault()).toBeUndefined();
  });
});

/** The same signature with the other s. */
function withHighS(signature: Hex): Hex {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const s = numberToHex(order - hexToBigInt(slice(signature, 32, 64)), { size: 32 });
  return concat([slice(signature, 0, 32), s, signature.endsWith('1b') ? '0x1c' : '0x1b']);
}

test('a signature with a high s is handed out with the low one', async () => {
  const { config } = await startPlace(async (response, request) =>
    respondResult(response, request, withHighS(await signed())),
  );
  const { signer } = await open(config);
  expect(await signer.signDigest(digest)).toBe(await signed());
});

describe('what is not the key’s signature of the digest never leaves', () => {
  test.each<[string, SigningOutcome, Answer]>([
    [
      'by another key',
      'wrong',
      async (to, asked) => respondResult(to, asked, await other.signMessage({ message: { raw: digest } })),
    ],
    [
      'of another digest',
      'wrong',
      async (to, asked) => respondResult(to, asked, await account.signMessage({ message: 'else' })),
    ],
    [
      'without the prefix of EIP-191',
      'wrong',
      async (to, asked) => respondResult(to, asked, await account.sign({ hash: digest })),
    ],
    ['of 64 bytes', 'wrong', async (to, asked) => respondResult(to, asked, slice(await signed(), 0, 64))],
    ['of zeros', 'wrong', (to, asked) => respondResult(to, asked, `0x${'00'.repeat(65)}`)],
    ['that is no hex', 'wrong', (to, asked) => respondResult(to, asked, { signature: 'secret-words' })],
    ['but an error', 'failed', (to, asked) => respondError(to, asked, -32000, 'secret-words')],
    ['but a page', 'failed', (to) => respond(to, '<html>secret-words</html>', 502)],
    ['but nothing to the end', 'failed', (to) => void to.destroy()],
    ['but more than anybody reads', 'failed', (to) => respond(to, `"${'a'.repeat(100_000)}"`)],
  ])('%s', async (_name, outcome, answer) => {
    const { config } = await startPlace(answer);
    const { signer, outcomes } = await open(config);
    const refused = await signer.signDigest(digest).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'SignerUnavailableError' });
    expect(outcomes).toEqual([['1 (eth-sign)', outcome]]);
    expect(`${inspect(refused)} ${lines.join()}`).not.toMatch(/secret-/);
  });

  test('by a key version of Google’s whose answer was changed on its way', async () => {
    const { signer, outcomes } = await open(await startGoogle((answer) => ({ ...answer, signatureCrc32c: '1' })));
    await expect(signer.signDigest(digest)).rejects.toMatchObject({ name: 'SignerUnavailableError' });
    expect(outcomes).toEqual([['1 (google-kms)', 'wrong']]);
  });
});

test('a stand-in signs when the first is late, what comes late is dropped, and the first is asked again after a rest', async () => {
  let answerLate = () => {};
  const first = await startPlace((response, request) => {
    answerLate = () => void honest(response, request);
  });
  const second = await startPlace();
  const { signer, places, times, outcomes } = await open({ ...first.config, standIns: [second.config] });

  const signing = signer.signDigest(digest);
  await vi.waitFor(() => expect(first.asked()).toBe(1));
  expect(second.asked()).toBe(0);
  times.pass(timeoutMs);
  expect(await signing).toBe(await signed());
  expect(outcomes).toEqual([
    ['1 (eth-sign)', 'late'],
    ['2 (eth-sign)', 'signed'],
  ]);
  answerLate();
  expect(places.complaint()).toBe('the signer at 1 (eth-sign) does not sign');
  expect(places.fault()).toBeUndefined();

  expect(await signer.signDigest(digest)).toBe(await signed());
  expect([first.asked(), second.asked()]).toEqual([1, 2]);

  first.place.answer = honest;
  times.pass(afterRestMs);
  await vi.waitFor(() => expect(places.complaint()).toBeUndefined());
  await signer.signDigest(digest);
  expect([first.asked(), second.asked()]).toEqual([3, 2]);
  expect(times.left()).toBe(0);
});

test('a key with no place left that signs is at fault until one does', async () => {
  const place = await startPlace((response, request) => respondResult(response, request, '0x'));
  const { signer, places, times } = await open(place.config);
  await expect(signer.signDigest(digest)).rejects.toThrow('send the same request again');
  expect(places.fault()).toBe(`no place with the key of ${address} signs`);
  await expect(signer.signDigest(digest)).rejects.toThrow('send the same request again');
  expect(place.asked()).toBe(1);
  place.place.answer = honest;
  times.pass(afterRestMs);
  await vi.waitFor(() => expect(places.fault()).toBeUndefined());
});

describe('at start', () => {
  test.each([
    ['AWS KMS', startAws, 'has the key of'],
    ['Google Cloud KMS', () => startGoogle(), 'has the key of'],
    ['eth_sign', async () => (await startPlace()).config, 'has other keys'],
  ])('another key is a mistake, and is said to be: %s', async (_name, start, words) => {
    const config = { ...(await start()), address: privateKeyToAccount(`0x${'19'.repeat(32)}`).address };
    const { places } = await open(config);
    await expect(places.check()).rejects.toMatchObject({ tryAgain: false, message: expect.stringContaining(words) });
  });

  test('a place that is away is an outage, unless another one has the key', async () => {
    const away = { kind: 'eth-sign', url: `http://127.0.0.1:${await findClosedPort()}`, address, timeoutMs } as const;
    const alone = await open(away);
    await expect(alone.places.check()).rejects.toMatchObject({ tryAgain: true });
    const { places, signer } = await open({ ...away, standIns: [(await startPlace()).config] });
    await places.check();
    expect(places.complaint()).toBe('the signer at 1 (eth-sign) does not sign');
    expect(await signer.signDigest(digest)).toBe(await signed());
  });

  test('a stand-in has to have the same key; one that is here is one', async () => {
    const { config } = await startPlace((response) => void response.destroy());
    const here = (privateKey: Hex) => ({ kind: 'raw', privateKey: new Secret(privateKey) }) as const;
    const { signer } = await open({ ...config, standIns: [here(key)] });
    expect(await signer.signDigest(digest)).toBe(await signed());
    const strange = open({ ...config, standIns: [here(`0x${'18'.repeat(32)}`)] });
    await expect(strange).rejects.toThrow(`it signs as ${other.address}, the signer before it as ${address}`);
  });
});

test('a server with a certificate of its own is trusted by name, and gets the token', async () => {
  const authority = makeCertificate('test authority', { dns: [] });
  const { certificate, privateKey } = makeCertificate('signer', { dns: [], ip: ['127.0.0.1'] }, authority);
  const server = createHttpsServer({ cert: certificate, key: privateKey }, async (incoming, response) => {
    const isKnown = incoming.headers.authorization === 'Bearer the-token';
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
  expect(lines.join()).not.toMatch(/the-token|secret-words/);
});

import fc from 'fast-check';
import { Keystore } from 'ox';
import type { Hex } from 'viem';
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import { createSigner } from '../../core/evm/signer/create-signer.ts';
import { openKeystore } from '../../core/evm/signer/open-keystore.ts';
import { repeatsOfRun } from '../support/run/rows-of-run.ts';

const privateKey = `0x${'17'.repeat(32)}` as const;
const password = 'correct horse';

const openWith = (keystore: unknown, given = password) =>
  createSigner({ kind: 'keystore', json: JSON.stringify(keystore), password: new Secret(given) });

describe('a keystore opens to its key', () => {
  test.each([
    ['scrypt as most programs write it', { n: 8_192, r: 8, p: 1 }],
    ['scrypt with an r of 1, which OpenSSL does not take', { n: 65_536, r: 1, p: 1 }],
  ])('%s', async (_name, cost) => {
    const [key, options] = await Keystore.scryptAsync({ password, ...cost });
    const keystore = Keystore.encrypt(privateKey, key, options);
    expect((await openWith(keystore)).address).toBe(privateKeyToAddress(privateKey));
    await expect(openWith(keystore, 'wrong')).rejects.toThrow('The password is wrong');
  });

  test('PBKDF2', async () => {
    const [key, options] = await Keystore.pbkdf2Async({ password, iterations: 1_000 });
    expect((await openWith(Keystore.encrypt(privateKey, key, options))).address).toBe(privateKeyToAddress(privateKey));
  });
});

test('a keystore that asks for more memory than any sensible one does not open', async () => {
  const [key, options] = await Keystore.scryptAsync({ password, n: 8_192, r: 8, p: 1 });
  const keystore = Keystore.encrypt(privateKey, key, options);
  const { crypto } = keystore;
  const greedy = { ...keystore, crypto: { ...crypto, kdfparams: { ...crypto.kdfparams, n: 2 ** 30, r: 64 } } };
  await expect(openWith(greedy)).rejects.toThrow('The keystore could not be opened');
});

test.each([
  ['of another version', (keystore: object) => ({ ...keystore, version: 4 }), 'not version 3'],
  ['whose version is a text', (keystore: object) => ({ ...keystore, version: '3' }), 'not version 3'],
  ['without a version', ({ version: _, ...rest }: { version?: unknown }) => rest, 'not an encrypted V3 keystore'],
  ['without what it encrypts', ({ crypto: _, ...rest }: { crypto?: unknown }) => rest, 'not an encrypted V3 keystore'],
  ['that is null', () => null, 'not an encrypted V3 keystore'],
  ['that is a text', () => 'crypto version', 'not an encrypted V3 keystore'],
] as const)('a keystore %s is said to be so', async (_what, change, words) => {
  const [key, options] = await Keystore.scryptAsync({ password, n: 8_192, r: 8, p: 1 });
  await expect(openWith(change(Keystore.encrypt(privateKey, key, options)))).rejects.toThrow(words);
});

test('a keystore file that is not JSON is said to be so, and not quoted', async () => {
  const opening = createSigner({ kind: 'keystore', json: `{"${privateKey}`, password: new Secret(password) });
  await expect(opening).rejects.toThrow(/^The keystore file is not JSON\.$/);
});

test('a digest is signed as a wallet signs its bytes as a message', async () => {
  const digest = fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`);
  const key = fc.constantFrom<Hex>(privateKey, `0x${'00'.repeat(31)}01`, `0x${'a5'.repeat(32)}`);
  await fc.assert(
    fc.asyncProperty(digest, key, async (raw, opened) => {
      const signer = await createSigner({ kind: 'raw', privateKey: new Secret(opened) });
      const account = privateKeyToAccount(opened);
      expect(signer.address).toBe(account.address);
      expect(await signer.signDigest(raw)).toBe(await account.signMessage({ message: { raw } }));
    }),
    // One signature in 256 has a leading zero in one of its halves.
    { numRuns: repeatsOfRun(100, 600) },
  );
});

test('a keystore that is being opened already is not opened again', async () => {
  const [key, options] = await Keystore.scryptAsync({ password, n: 8_192, r: 8, p: 1 });
  const json = JSON.stringify(Keystore.encrypt(privateKey, key, options));
  const opening = openKeystore(json, new Secret(password));
  const again = { kind: 'keystore', json: 'not looked at', password: new Secret('nor this'), opening } as const;
  expect((await createSigner(again)).address).toBe(privateKeyToAddress(privateKey));
});

test('a keystore that does not open is a fault of the configuration, by name', async () => {
  await expect(openWith({})).rejects.toMatchObject({ name: 'SignerConfigError' });
});

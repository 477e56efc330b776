import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import {
  entryPoint06Address,
  entryPoint07Address,
  entryPoint08Address,
  entryPoint09Address,
} from 'viem/account-abstraction';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryPointAddresses } from '../../core/domain/entry-point-version.ts';
import { keyFiles } from '../../server/backup/copies.ts';
import { loadConfig } from '../../server/config/load-config.ts';
import { readClientTls, readServerTls } from '../../server/config/secret-files.ts';
import { toCoreConfig } from '../../server/config/to-core-config.ts';

const masterKey = 'ab'.repeat(32);
const explorerKey = 'THE-KEY-OF-AN-EXPLORER';
const vendorUrl = 'https://vendor.example/v2/10/rpc?apikey=THE-KEY-OF-A-VENDOR';
const password = 'correct horse battery staple';
const paymaster = '0x1111111111111111111111111111111111111111';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-core-config-'));
  writeFileSync(join(folder, 'master.key'), `${masterKey}\n`, { mode: 0o600 });
  writeFileSync(join(folder, 'keystore.json'), '{"version":3}');
  writeFileSync(join(folder, 'password'), `${password}\nsecond line\n`, { mode: 0o600 });
  writeFileSync(join(folder, 'vendor.url'), `${vendorUrl}\n`, { mode: 0o600 });
  writeFileSync(join(folder, 'explorer.key'), `${explorerKey}\n`, { mode: 0o600 });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The configuration as its file says it. */
function config(change: object = {}, environment: Readonly<Record<string, string>> = {}) {
  const file = join(folder, 'config.json');
  const content = {
    databaseFile: 'tollfree.db',
    masterKeyFile: 'master.key',
    chains: [chain()],
    ...change,
  };
  writeFileSync(file, JSON.stringify(content));
  return loadConfig({ config: file }, environment);
}

function coreConfig(change: object = {}) {
  return toCoreConfig(config(change));
}

function chain(change: object = {}): object {
  return {
    chainId: 10,
    name: 'Some chain',
    nodeUrls: ['https://node.example'],
    entryPoints: { '0.7': '0x2222222222222222222222222222222222222222' },
    paymasterContracts: [
      { version: '1.0.0', family: 'pimlico-singleton-0.6', address: paymaster, tokenRecipient: paymaster },
      { version: '2.0.0', family: 'pimlico-singleton-0.7', address: paymaster, tokenRecipient: paymaster },
    ],
    nativePrice: { sources: [{ kind: 'fixed', usd: '2000' }], minimumSources: 1 },
    signer: { keystoreFile: 'keystore.json', passwordFile: 'password' },
    maxFeePerGasCeiling: '500 gwei',
    maxCostPerOperation: '1 ether',
    ...change,
  };
}

test.each([
  [10, {}, undefined],
  [1, {}, undefined],
  [143, {}, 'monad'],
  [10, { dataFee: 'none' }, 'none'],
  [777, { dataFee: 'scroll' }, 'scroll'],
])('the fee model of chain %d with %o is %s', async (chainId, change, model) => {
  const { chains } = await coreConfig({ chains: [chain({ chainId, ...change })] });
  expect(chains[0]?.dataFee).toBe(model);
});

test('a coin that is a dollar has that price where the file has none', async () => {
  const { nativePrice: _, ...priceless } = chain() as { readonly nativePrice: unknown };
  const { chains } = await coreConfig({ chains: [{ ...priceless, chainId: 100 }] });
  expect(chains[0]?.nativePrice).toMatchObject({ sources: [{ kind: 'fixed', usd: '1' }], minimumSources: 1 });
  const own = await coreConfig({ chains: [chain({ chainId: 100 })] });
  expect(own.chains[0]?.nativePrice).toMatchObject({ sources: [{ kind: 'fixed', usd: '2000' }] });
});

test('secrets come from their files and print as [redacted]', async () => {
  const explorer = { kind: 'etherscan', apiKeyFile: 'explorer.key' };
  const config = await coreConfig({ chains: [chain({ explorer })] });
  const [opened] = config.chains;
  expect(Buffer.from(config.masterKey.reveal()).toString('hex')).toBe(masterKey);
  expect(opened?.signer.kind === 'keystore' && opened.signer.password.reveal()).toBe(password);
  expect(opened?.explorer?.kind === 'etherscan' && opened.explorer.apiKey.reveal()).toBe(explorerKey);
  const printed = `${JSON.stringify(config, (_, value) => (typeof value === 'bigint' ? `${value}` : value))} ${inspect(config, { depth: 10 })}`;
  expect(printed).toContain('[redacted]');
  expect(printed).not.toContain(password);
  expect(printed).not.toContain(masterKey);
  expect(printed).not.toContain(explorerKey);
});

const vendor = {
  urlFile: 'vendor.url',
  accounts: 'all',
  paymasters: ['0x3333333333333333333333333333333333333333'],
  budget: { usdPerDay: '12.5', usdPerMonth: '300' },
};

test('a vendor has its URL from a file or a variable, and prints without it', async () => {
  const opened = await coreConfig({ chains: [chain({ vendor })] });
  const found = opened.chains[0]?.vendor;
  expect(found?.url.reveal()).toBe(vendorUrl);
  expect(found?.budget).toEqual({
    usdMicrosPerDay: 12_500_000n,
    usdMicrosPerMonth: 300_000_000n,
    maxSharePerClient: 0.25,
  });
  expect(inspect(opened, { depth: 10 })).not.toContain('THE-KEY-OF-A-VENDOR');
  const { urlFile: _, ...others } = vendor;
  const overridden = config({ chains: [chain({ vendor: others })] }, { TOLLFREE_CHAIN_10_VENDOR_URL: vendorUrl });
  expect((await toCoreConfig(overridden)).chains[0]?.vendor?.url.reveal()).toBe(vendorUrl);
});

test.each<[string, object, RegExp]>([
  ['without a budget', { budget: undefined }, /vendor\.budget/],
  ['with half a budget', { budget: { usdPerDay: '1' } }, /vendor\.budget\.usdPerMonth/],
  ['with a budget that is a number', { budget: { usdPerDay: 1, usdPerMonth: '1' } }, /vendor\.budget\.usdPerDay/],
  ['for no one in particular', { accounts: undefined }, /vendor\.accounts/],
  ['with any paymaster contract', { paymasters: [] }, /vendor\.paymasters/],
  ['with a paymaster contract of our own', { paymasters: [paymaster] }, /vendor\.paymasters/],
  ['without a URL', { urlFile: undefined }, /vendor/],
])('a vendor %s is refused', (_what, change, error) => {
  expect(() => config({ chains: [chain({ vendor: { ...vendor, ...change } })] })).toThrow(error);
});

test('a database on a server is taken with its password, which prints as [redacted]', async () => {
  const url = 'postgres://books:hidden-word@db.example/books';
  const { database } = await coreConfig({ databaseFile: undefined, databaseUrl: url });
  expect(database.kind === 'postgres' && database.url.reveal()).toBe(url);
  expect(`${JSON.stringify(database)} ${inspect(database)} ${String(Object.values(database))}`).not.toContain(
    'hidden-word',
  );
});

test('a database of another kind is a sentence, which does not hold its password', async () => {
  const config = { databaseFile: undefined, databaseUrl: 'mysql://books:hidden-word@db.example/books' };
  const failure = await Promise.resolve(config).then(coreConfig).catch(String);
  expect(failure).toContain('databaseUrl must be the URL of a PostgreSQL database');
  expect(failure).not.toContain('hidden-word');
});

test.skipIf(process.platform === 'win32').each([
  ['master.key', 0o640, 'The master key file'],
  ['master.key', 0o604, 'The master key file'],
  ['password', 0o644, 'The password file'],
])('%s of mode %o is refused with the chmod that fixes it', async (name, mode, what) => {
  const file = join(folder, name);
  chmodSync(file, mode);
  try {
    await expect(coreConfig()).rejects.toThrow(
      `${what} ${file} is open to other users of this machine (mode ${mode.toString(8)}). Close it: chmod 600 ${file}`,
    );
    chmodSync(file, 0o400);
    await coreConfig();
  } finally {
    chmodSync(file, 0o600);
  }
});

test.skipIf(process.platform === 'win32')('a TLS key that others can read is refused, a certificate is not', () => {
  const file = (name: string) => join(folder, name);
  for (const name of ['server.pem', 'authority.pem', 'server.key']) writeFileSync(file(name), name, { mode: 0o644 });
  const server = { certificateFile: file('server.pem'), keyFile: file('server.key') };
  const read = [
    () => readServerTls({ listen: '', reflection: false, tls: { ...server, clientCaFile: file('authority.pem') } }),
    () => readClientTls({ address: [], tls: { ...server, caFile: file('authority.pem') } }),
  ];
  for (const tls of read) expect(tls).toThrow(`chmod 600 ${file('server.key')}`);
  chmodSync(file('server.key'), 0o600);
  for (const tls of read) expect(tls()?.certificate).toBe('server.pem');
});

test('only the EntryPoints that a paymaster contract needs are used, canonical unless the file says otherwise', async () => {
  const config = await coreConfig();
  expect(config.chains[0]?.entryPoints).toEqual({
    '0.6': '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
    '0.7': '0x2222222222222222222222222222222222222222',
  });
});

test.each([
  ['no database', { databaseFile: undefined }, /databaseFile is missing/],
  ['two databases', { databaseUrl: 'postgres://db/books' }, /both databaseFile and databaseUrl/],
  ['no master key', { masterKeyFile: undefined }, /masterKeyFile is missing/],
  ['no chains', { chains: undefined }, /chains is missing/],
  [
    'a chain without a paymaster contract',
    { chains: [chain({ paymasterContracts: [] })] },
    /chain 10 has no paymasterContracts/,
  ],
  ['a master key file that is not there', { masterKeyFile: 'nowhere' }, /The master key file .*nowhere cannot be read/],
  ['a master key that is too short', { masterKeyFile: 'password' }, /must hold 64 hex digits/],
])('%s is a sentence', async (_, change, sentence) => {
  await expect(coreConfig(change)).rejects.toMatchObject({ exitCode: 1, message: sentence });
});

test('the EntryPoints’ own addresses are those that viem has', () => {
  const published = {
    '0.6': entryPoint06Address,
    '0.7': entryPoint07Address,
    '0.8': entryPoint08Address,
    '0.9': entryPoint09Address,
  };
  expect(entryPointAddresses).toEqual(published);
});

const address = '0x3333333333333333333333333333333333333333';

describe('a signing key that is elsewhere', () => {
  const signerOf = async (signer: object) => (await coreConfig({ chains: [chain({ signer })] })).chains[0]?.signer;

  test('is found where its section says, with its stand-ins', async () => {
    const ethSign = { url: 'https://signer.example/key', address, tokenFile: 'password' };
    const awsKms = { keyId: 'alias/gas', region: 'eu-central-1', address };
    const keyVersion = 'projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/2';
    const standIns = [
      { awsKms },
      { googleKms: { keyVersion, address } },
      { keystoreFile: 'keystore.json', passwordFile: 'password' },
    ];
    const signer = await signerOf({ ethSign, standIns });
    expect(signer).toMatchObject({
      kind: 'eth-sign',
      url: ethSign.url,
      address,
      timeoutMs: 2_000,
      standIns: [
        { kind: 'aws-kms', ...awsKms, timeoutMs: 2_000 },
        { kind: 'google-kms', keyVersion, address, timeoutMs: 2_000 },
        { kind: 'keystore' },
      ],
    });
    expect(signer?.kind === 'eth-sign' && signer.token?.reveal()).toBe(password);
    expect(inspect(signer, { depth: 10 })).not.toContain(password);
  });

  test('what it is reached with belongs to a backup, and what its stand-ins need', () => {
    const ethSign = { url: 'https://signer.example', address, tokenFile: 'signer.token', caFile: 'signer.pem' };
    const standIns = [{ keystoreFile: 'keystore.json', passwordFile: 'password' }, { ethSign }];
    const files = keyFiles(config({ chains: [chain({ signer: { ethSign, standIns } })] }));
    const names = ['master.key', 'signer.token', 'signer.pem', 'keystore.json', 'password'];
    expect(files).toEqual(names.map((name) => join(folder, name)));
  });

  test.each([
    ['none', {}, /signer must have one of keystoreFile, ethSign, awsKms and googleKms/],
    [
      'two',
      { keystoreFile: 'keystore.json', ethSign: { url: 'https://a.example', address } },
      /signer must have one of/,
    ],
    ['no address', { ethSign: { url: 'https://a.example' } }, /signer\.ethSign\.address/],
    [
      'a token in clear',
      { ethSign: { url: 'http://a.example', address, tokenFile: 'password' } },
      /must have an https url/,
    ],
    ['a cloud in clear', { awsKms: { keyId: 'k', region: 'r', address, endpoint: 'http://kms.example' } }, /https/],
    [
      'a key without version',
      { googleKms: { keyVersion: 'projects/p/cryptoKeys/k', address } },
      /must be a key version/,
    ],
    [
      'a certificate that is none',
      { ethSign: { url: 'https://a.example', address, caFile: 'password' } },
      /no certificate/,
    ],
  ])('with %s is a mistake', async (_what, signer, words) => {
    await expect(signerOf(signer)).rejects.toThrow(words);
  });
});

test('a hot wallet is a named keystore, with its amounts in wei', async () => {
  const hotWallet = { wallet: 'hot', maxPerDay: '2 ether', deposits: { below: '0.5 ether', to: '1 ether' } };
  const signers = { hot: { keystoreFile: 'keystore.json', passwordFile: 'password' } };
  const opened = await coreConfig({ signers, chains: [chain({ hotWallet })] });
  expect(opened.chains[0]?.hotWallet).toEqual({
    wallet: { kind: 'keystore', json: '{"version":3}', password: expect.anything() },
    maxPerDay: 2n * 10n ** 18n,
    deposits: { below: 5n * 10n ** 17n, to: 10n ** 18n },
  });
  expect(inspect(opened, { depth: 10 })).not.toContain(password);
});

import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { mistakeIds } from '../../server/config-check/mistake.ts';
import { runInProcess } from '../support/command-line/run-in-process.ts';
import { runTollfree } from '../support/command-line/run-tollfree.ts';
import { writeKeystore } from '../support/command-line/write-keystore.ts';
import { testCertificate } from '../support/servers/test-certificate.ts';

const password = 'a password of the test';
const address = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';
const wrongChecksum = address.replace('c7D4', 'C7D4');

let folder: string;
/** The kinds of mistakes that have been found, in all configurations. */
const met = new Set<string>();
const file = (name: string) => join(folder, name);
const write = (name: string, text: string, mode = 0o600) => {
  writeFileSync(file(name), text);
  chmodSync(file(name), mode);
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-check-'));
  write('master.key', 'ab'.repeat(32));
  write('password', password);
  write('short.key', 'ab');
  write('open.key', 'cd'.repeat(32), 0o644);
  write('empty', '');
  write('other.password', 'another one');
  write('open.db', '', 0o644);
  write('tls.pem', testCertificate.cert);
  write('tls.key', testCertificate.key);
  writeKeystore(file('signer.json'), password);
  writeKeystore(file('second.json'), password);
  const second = JSON.parse(readKeystore('second.json'));
  write('changed.json', JSON.stringify({ ...second, address: address.slice(2) }));
});
afterAll(() => rmSync(folder, { recursive: true }));

function readKeystore(name: string): string {
  return readFileSync(file(name), 'utf8');
}

type Json = Record<string, unknown>;

const contract: Json = { version: '1.0.0', family: 'pimlico-singleton-0.7', address, tokenRecipient: address };
const signer = { keystoreFile: 'signer.json', passwordFile: 'password' };
const price = { sources: [{ kind: 'fixed', usd: '2000' }], minimumSources: 1 };
const token = { symbol: 'USDC', address, decimals: 6, price };
const healthyChain: Json = {
  chainId: 10,
  name: 'Some chain',
  nodeUrls: ['https://node.example'],
  paymasterContracts: [contract],
  nativePrice: price,
  signer,
  maxFeePerGasCeiling: '500 gwei',
  maxCostPerOperation: '1 ether',
};
const sound: Json = { databaseFile: 'tollfree.db', masterKeyFile: 'master.key', chains: [healthyChain] };

const keyVersion = 'projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1';

const whole = (change: Json) => ({ ...sound, ...change });
const chain = (change: Json) => whole({ chains: [{ ...healthyChain, ...change }] });

const otherKey = { keystoreFile: 'second.json', passwordFile: 'password' };
const hotWallet = { wallet: signer, maxPerDay: '5 ether', deposits: { below: '1 ether', to: '2 ether' } };

const signerElsewhere: Json = { url: 'https://signer.example', address };
/** A chain whose key is with a signer elsewhere, and perhaps with another one. */
const elsewhere = (change: Json, standIn?: Json) =>
  chain({
    signer: {
      ethSign: { ...signerElsewhere, ...change },
      ...(standIn && { standIns: [{ ethSign: { ...signerElsewhere, ...standIn } }] }),
    },
  });

const answerSchema = z.object({
  mistakes: z.array(
    z.object({
      id: z.string(),
      setting: z.string(),
      line: z.number().optional(),
      problem: z.string(),
      hint: z.string().optional(),
    }),
  ),
});

function noted(stdout: string) {
  const { mistakes } = answerSchema.parse(JSON.parse(stdout));
  for (const { id } of mistakes) met.add(id);
  return mistakes;
}

async function check(content: unknown, ...flags: readonly string[]) {
  const text = typeof content === 'string' ? content : JSON.stringify(content, undefined, 2);
  write('tollfree.json', text);
  const said = await runInProcess('config', 'check', '--config', file('tollfree.json'), '--json', ...flags);
  return { ...said, text, mistakes: noted(said.stdout) };
}

test('a sound configuration has no mistake', async () => {
  expect(await check(sound)).toMatchObject({ code: 0, mistakes: [], stderr: '' });
});

test('nor has one that names its signer and price sources once for two chains', async () => {
  const named = { ...healthyChain, signer: 'main', nativePrice: { sources: ['one'], minimumSources: 1 } };
  const parts = { signers: { main: signer }, priceSources: { one: { kind: 'fixed', usd: '2000' } } };
  const two = whole({ ...parts, chains: [named, { ...named, chainId: 8453 }] });
  expect(await check(two)).toMatchObject({ code: 0, mistakes: [], stderr: '' });
});

test('what is wrong with a signer that two chains name is said once, where it stands', async () => {
  const chains = [healthyChain, { ...healthyChain, chainId: 8453 }].map((each) => ({ ...each, signer: 'main' }));
  const { mistakes } = await check(whole({ signers: { main: { ...signer, passwordFile: 'other.password' } }, chains }));
  expect(mistakes).toMatchObject([
    { id: 'keystore-password', setting: 'signers.main.passwordFile', line: expect.any(Number) },
  ]);
});

test('nor has one whose keys are elsewhere, with a token that is shorter than those of our own', async () => {
  write('short.token', 'a-token');
  const files = { tokenFile: 'short.token', caFile: 'tls.pem' };
  expect(await check(elsewhere(files, files))).toMatchObject({ code: 0, mistakes: [], stderr: '' });
});

type Row = readonly [what: string, content: unknown, id: string, setting: string, problem: RegExp, hint: RegExp];

const rows: readonly Row[] = [
  ['text without a comma', '{\n"logLevel": "info"\n"core": {}}', 'syntax', '', /comma expected/, /directly before/],
  ['an unknown key', whole({ databasefile: 'x' }), 'unknown-key', 'databasefile', /not a known/, /"databaseFile"/],
  [
    'an unknown key of a chain',
    chain({ bundlerURL: 'x' }),
    'unknown-key',
    'chains[0].bundlerURL',
    /not a/,
    /"bundlerUrl"/,
  ],
  [
    'a bundler exposed to no one known',
    chain({ bundler: { url: 'http://127.0.0.1:4337', expose: 'OWNS' } }),
    'wrong-value',
    'chains[0].bundler.expose',
    /must be one of: NONE, OWN, ANY/,
    /Is "OWN" meant/,
  ],
  [
    'a key like no other',
    whole({ quux: 1 }),
    'unknown-key',
    'quux',
    /not a known setting/,
    /known keys are .*databaseFile/,
  ],
  ...(
    [
      ['gateway.limits.abiBodyBytes', whole({ gateway: { limits: { abiBodyBytes: 1 } } }), /at most 524288 bytes/],
      ['gateway.limits.rpcBodyBytes', whole({ gateway: { limits: { rpcBodyBytes: 1 } } }), /at most 131072 bytes/],
      [
        'gateway.limits.managementBodyBytes',
        whole({ gateway: { limits: { managementBodyBytes: 1 } } }),
        /at most 65536/,
      ],
      ['webhooks.connectTimeoutMs', whole({ webhooks: { connectTimeoutMs: 1 } }), /500 ms/],
      ['core.deadlineMs', whole({ core: { address: 'unix:core.sock', deadlineMs: 1 } }), /15000 ms/],
      ['validity.minSeconds', whole({ validity: { minSeconds: 30 } }), /at least 60 seconds/],
      ['holds.maxShareOfTankWithoutExpiry', whole({ holds: { maxShareOfTankWithoutExpiry: 1 } }), /at most 0.5/],
      [
        'chains[0].sequencerUptime.graceSeconds',
        chain({ sequencerUptime: { feed: address, graceSeconds: 1 } }),
        /3600 seconds/,
      ],
      ['chains[0].signer.ethSign.timeoutMs', elsewhere({ timeoutMs: 100 }), /2000 ms/],
      [
        'signers.main.awsKms.timeoutMs',
        whole({ signers: { main: { awsKms: { keyId: 'k', region: 'eu', address, timeoutMs: 100 } } } }),
        /2000 ms/,
      ],
      [
        'signers.main.googleKms.timeoutMs',
        whole({ signers: { main: { googleKms: { keyVersion, address, timeoutMs: 100 } } } }),
        /2000 ms/,
      ],
    ] as const
  ).map(
    ([setting, content, instead]): Row => [
      `the setting ${setting} of an earlier version`,
      content,
      'removed-key',
      setting,
      /no longer a setting/,
      new RegExp(`${instead.source}.*Remove it`),
    ],
  ),
  [
    'a signer without its definition',
    chain({ signer: 'main' }),
    'unknown-name',
    'chains[0].signer',
    /is "main", which is no name in signers/,
    /Add "main" to signers/,
  ],
  [
    'a price source without its definition',
    chain({ nativePrice: { sources: ['coinbase', { kind: 'fixed', usd: '1' }] } }),
    'unknown-name',
    'chains[0].nativePrice.sources[0]',
    /is "coinbase", which is no name in priceSources/,
    /Add "coinbase" to priceSources/,
  ],
  [
    'a mistake in a signer that chains name',
    whole({ signers: { main: { ...signer, keystorefile: 'x' } }, chains: [{ ...healthyChain, signer: 'main' }] }),
    'unknown-key',
    'signers.main.keystorefile',
    /not a known setting/,
    /"keystoreFile"/,
  ],
  ['no nodes', chain({ nodeUrls: undefined }), 'missing', 'chains[0].nodeUrls', /is missing/, /Add "nodeUrls"/],
  ['no database', whole({ databaseFile: undefined }), 'missing', 'databaseFile', /is missing/, /tollfree init/],
  [
    'two databases',
    whole({ databaseUrl: 'postgres://user:hidden@db/books' }),
    'two-databases',
    'databaseUrl',
    /together with databaseFile/,
    /Remove one/,
  ],
  ['a level that is none', whole({ logLevel: 'debgu' }), 'wrong-value', 'logLevel', /must be one of/, /"debug"/],
  [
    'a family that is none',
    chain({ paymasterContracts: [{ ...contract, family: 'pimlico-singelton-0.7' }] }),
    'wrong-value',
    'chains[0].paymasterContracts[0].family',
    /must be one of/,
    /"pimlico-singleton-0\.7"/,
  ],
  [
    'a number in quotation marks',
    chain({ confirmations: '5' }),
    'wrong-type',
    'chains[0].confirmations',
    /a number/,
    /marks: 5/,
  ],
  [
    'text instead of a list',
    chain({ nodeUrls: 'https://a.example' }),
    'wrong-type',
    'chains[0].nodeUrls',
    /a list/,
    /\["https:/,
  ],
  [
    'a limit of zero',
    whole({ gateway: { limits: { requestBurst: 0 } } }),
    'out-of-range',
    'gateway.limits.requestBurst',
    /must not be below 1/,
    /between 1 and/,
  ],
  [
    'a wrong checksum',
    chain({ allowedBundlers: [wrongChecksum] }),
    'address-checksum',
    'chains[0].allowedBundlers[0]',
    /wrong checksum/,
    new RegExp(address),
  ],
  [
    'an address that is too short',
    chain({ allowedBundlers: ['0x12'] }),
    'address',
    'chains[0].allowedBundlers[0]',
    /40 hex digits/,
    /2 digits/,
  ],
  [
    'the zero address',
    chain({ allowedBundlers: [`0x${'0'.repeat(40)}`] }),
    'address',
    'chains[0].allowedBundlers[0]',
    /must be/,
    /belongs to no one/,
  ],
  [
    'a name for an address',
    chain({ allowedBundlers: ['vitalik.eth'] }),
    'address',
    'chains[0].allowedBundlers[0]',
    /must be/,
    /ENS/,
  ],
  [
    'gwei without the word',
    chain({ maxFeePerGasCeiling: '500' }),
    'amount-unit',
    'chains[0].maxFeePerGasCeiling',
    /its unit/,
    /"500 gwei".*gwei is usual/,
  ],
  [
    'an amount as a number',
    chain({ maxCostPerOperation: 1 }),
    'amount-unit',
    'chains[0].maxCostPerOperation',
    /its unit/,
    /"1 ether": ether is usual/,
  ],
  [
    'an amount inside',
    chain({ gasPrice: { minTip: '1 finney' } }),
    'amount-unit',
    'chains[0].gasPrice.minTip',
    /its unit/,
    /units are/,
  ],
  [
    'a source that is none',
    chain({ nativePrice: { sources: [{ kind: 'chainlnk' }], minimumSources: 1 } }),
    'unknown-kind',
    'chains[0].nativePrice.sources[0].kind',
    /unknown kind/,
    /"chainlink"/,
  ],
  [
    'a chain twice',
    whole({ chains: [healthyChain, healthyChain] }),
    'chainId-twice',
    'chains[1].chainId',
    /10 a second/,
    /Entry 1/,
  ],
  [
    'a version twice',
    chain({ paymasterContracts: [contract, contract] }),
    'version-twice',
    'chains[0].paymasterContracts[1].version',
    /1\.0\.0 a second time/,
    /another version/,
  ],
  [
    'a token twice',
    chain({ tokens: [token, { ...token, address: address.toLowerCase() }] }),
    'address-twice',
    'chains[0].tokens[1].address',
    /a second time/,
    /Entry 1/,
  ],
  [
    'a port twice',
    whole({ gateway: { listen: '0.0.0.0:9464' } }),
    'port-twice',
    'gateway.adminListen',
    /9464, which gateway\.listen/,
    /127\.0\.0\.1:9465/,
  ],
  [
    'gRPC for everybody',
    whole({ grpc: { listen: '0.0.0.0:5000' } }),
    'grpc-open',
    'grpc.listen',
    /other machines/,
    /grpc\.tls/,
  ],
  [
    'gRPC without a token',
    whole({ grpc: { listen: '127.0.0.1:5000' } }),
    'grpc-open',
    'grpc.listen',
    /every user/,
    /tokenFile/,
  ],
  [
    'a proxy by name',
    whole({ gateway: { trustedProxies: ['proxy'] } }),
    'wrong-value',
    'gateway.trustedProxies[0]',
    /CIDR/,
    /names/,
  ],
  [
    'no contract',
    chain({ paymasterContracts: [] }),
    'no-contract',
    'chains[0].paymasterContracts',
    /nothing can be/,
    /deploy/,
  ],
  [
    'a master key that is not there',
    whole({ masterKeyFile: 'none' }),
    'file-missing',
    'masterKeyFile',
    /does not exist/,
    /openssl/,
  ],
  [
    'a master key that is too short',
    whole({ masterKeyFile: 'short.key' }),
    'file-form',
    'masterKeyFile',
    /64 hex/,
    /openssl/,
  ],
  [
    'an open former master key',
    whole({ previousMasterKeyFiles: ['open.key'] }),
    'file-open',
    'previousMasterKeyFiles[0]',
    /mode 644/,
    /chmod 600/,
  ],
  ['a folder for a key', whole({ masterKeyFile: '.' }), 'file-form', 'masterKeyFile', /names a folder/, /openssl/],
  [
    'an empty password',
    chain({ signer: { ...signer, passwordFile: 'empty' } }),
    'file-form',
    'chains[0].signer.passwordFile',
    /first line/,
    /password of the keystore/,
  ],
  [
    'no keystore but text',
    chain({ signer: { ...signer, keystoreFile: 'password' } }),
    'file-form',
    'chains[0].signer.keystoreFile',
    /V3 keystore/,
    /keystore create/,
  ],
  [
    'another password',
    chain({ signer: { ...signer, passwordFile: 'other.password' } }),
    'keystore-password',
    'chains[0].signer.passwordFile',
    /does not open/,
    /keystore’s password/,
  ],
  [
    'a keystore of another address',
    chain({ signer: { ...signer, keystoreFile: 'changed.json' } }),
    'keystore-address',
    'chains[0].signer.keystoreFile',
    new RegExp(`claims the address ${address}, but holds`),
    /which key is the right one/,
  ],
  [
    'one key twice',
    chain({ signer: undefined, signers: [signer, signer] }),
    'signer-twice',
    'chains[0].signers[1].keystoreFile',
    /second time/,
    /once/,
  ],
  [
    'the token of a signer that is not there',
    elsewhere({ tokenFile: 'none' }),
    'file-missing',
    'chains[0].signer.ethSign.tokenFile',
    /does not exist/,
    /bearer token/,
  ],
  [
    'an open token of a signer',
    elsewhere({ tokenFile: 'open.key' }),
    'file-open',
    'chains[0].signer.ethSign.tokenFile',
    /mode 644/,
    /chmod 600/,
  ],
  [
    'an empty token of a signer',
    elsewhere({ tokenFile: 'empty' }),
    'file-form',
    'chains[0].signer.ethSign.tokenFile',
    /token in its first line/,
    /bearer token/,
  ],
  [
    'an authority of a signer that is no certificate',
    elsewhere({ caFile: 'tls.key' }),
    'file-form',
    'chains[0].signer.ethSign.caFile',
    /certificate in PEM/,
    /authority/,
  ],
  [
    'an empty authority of a stand-in',
    elsewhere({}, { caFile: 'empty' }),
    'file-form',
    'chains[0].signer.standIns[0].ethSign.caFile',
    /certificate in PEM/,
    /authority/,
  ],
  [
    'a stand-in with another password',
    chain({ signer: { ...signer, standIns: [{ ...signer, passwordFile: 'other.password' }] } }),
    'keystore-password',
    'chains[0].signer.standIns[0].passwordFile',
    /does not open/,
    /keystore’s password/,
  ],
  [
    'a stand-in with another key',
    chain({ signer: { ...signer, standIns: [{ ...signer, keystoreFile: 'second.json' }] } }),
    'stand-in-key',
    'chains[0].signer.standIns[0].keystoreFile',
    /leads to the key of/,
    /same key/,
  ],
  [
    'a key elsewhere twice',
    chain({ signer: undefined, signers: [{ ethSign: signerElsewhere }, { ethSign: signerElsewhere }] }),
    'signer-twice',
    'chains[0].signers[1].ethSign.address',
    /second time/,
    /once/,
  ],
  [
    'a hot wallet with the key of the signer',
    chain({ hotWallet }),
    'hot-wallet-key',
    'chains[0].hotWallet.wallet.keystoreFile',
    /also a signer of chains\[0\]/,
    /key of its own/,
  ],
  [
    'a hot wallet with an amount without its unit',
    chain({ hotWallet: { ...hotWallet, wallet: otherKey, maxPerDay: '5' } }),
    'amount-unit',
    'chains[0].hotWallet.maxPerDay',
    /amount with its unit/,
    /ether/,
  ],
  [
    'an empty key of an explorer',
    chain({ explorer: { kind: 'etherscan', apiKeyFile: 'empty' } }),
    'file-form',
    'chains[0].explorer.apiKeyFile',
    /key in its first line/,
    /explorer’s API key/,
  ],
  ['an open database', whole({ databaseFile: 'open.db' }), 'file-open', 'databaseFile', /mode 644/, /chmod 600/],
  [
    'a database in no folder',
    whole({ databaseFile: 'none/x.db' }),
    'folder-missing',
    'databaseFile',
    /does not exist/,
    /mkdir/,
  ],
  [
    'no certificate but a key',
    whole({ grpc: { tls: { certificateFile: 'tls.key', keyFile: 'tls.key', clientCaFile: 'tls.pem' } } }),
    'file-form',
    'grpc.tls.certificateFile',
    /certificate in PEM/,
    /authority/,
  ],
];

describe('config check names', () => {
  test.each(rows)('%s', async (_, content, id, setting, problem, hint) => {
    const { code, stderr, mistakes } = await check(content);
    expect(mistakes).toEqual([
      expect.objectContaining({
        id,
        setting,
        problem: expect.stringMatching(problem),
        hint: expect.stringMatching(hint),
      }),
    ]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'tollfree: The configuration has 1 mistake.\n' });
  });

  test.each([
    ['whose wallet is with a server', { wallet: { ethSign: signerElsewhere } }, '.wallet', /keystoreFile/],
    ['whose cap is not above a refill', { maxPerDay: '2 ether' }, '', /maxPerDay above each to/],
    [
      'whose mark is above what it tops up to',
      { deposits: { below: '2 ether', to: '1 ether' } },
      '.deposits',
      /to above/,
    ],
    ['whose rule of deposits is null', { deposits: null }, '.deposits', /object/],
    ['that tops nothing up', { deposits: undefined }, '', /executors or deposits/],
    ['for executors that are not there', { executors: hotWallet.deposits }, '.executors', /no bundler\.relay/],
  ])('a hot wallet %s', async (_, change, setting, problem) => {
    const { mistakes } = await check(chain({ hotWallet: { ...hotWallet, wallet: otherKey, ...change } }));
    const id = expect.stringMatching(/^wrong-(value|type)$/);
    const found = { id, setting: `chains[0].hotWallet${setting}` };
    expect(mistakes).toEqual([expect.objectContaining({ ...found, problem: expect.stringMatching(problem) })]);
  });

  test('all of them at once, each at its line and column', async () => {
    const { chains: _, ...rest } = chain({});
    const broken = {
      ...rest,
      databasefile: 'x',
      chains: [
        { ...healthyChain, nodeUrl: 1, maxCostPerOperation: '5' },
        { ...healthyChain, signer: undefined },
      ],
    };
    const { mistakes, text } = await check(broken);
    const ids = mistakes.map(({ id, setting }) => `${id} ${setting}`);
    expect(ids).toEqual([
      'unknown-key databasefile',
      'amount-unit chains[0].maxCostPerOperation',
      'unknown-key chains[0].nodeUrl',
      'wrong-value chains[1]',
      'chainId-twice chains[1].chainId',
    ]);
    const lines = text.split('\n');
    expect(mistakes.slice(0, 3).map(({ line = 0 }) => lines[line - 1])).toEqual([
      expect.stringContaining('"databasefile"'),
      expect.stringContaining('"maxCostPerOperation": "5"'),
      expect.stringContaining('"nodeUrl"'),
    ]);
  });

  test('a key that is set twice, which JSON says nothing of', async () => {
    const text = JSON.stringify(sound).replace('{', '{"logLevel":"info","logLevel":"warn",');
    expect((await check(text)).mistakes).toMatchObject([{ id: 'key-twice', setting: 'logLevel' }]);
  });

  test('a file that is not there', async () => {
    const { code, stdout } = await runInProcess('config', 'check', '--config', file('none.json'), '--json');
    expect(code).toBe(1);
    expect(noted(stdout)).toMatchObject([{ id: 'file-unreadable', hint: expect.stringContaining('tollfree init') }]);
  });

  test('a variable of a chain that is not there', async () => {
    process.env.TOLLFREE_CHAIN_77_BUNDLER_URL = 'https://bundler.example';
    onTestFinished(() => void delete process.env.TOLLFREE_CHAIN_77_BUNDLER_URL);
    expect((await check(sound)).mistakes).toMatchObject([
      { id: 'variable', problem: expect.stringContaining('has no chain 77') },
    ]);
  });

  test('files of another user', async () => {
    write('theirs.key', 'ab'.repeat(32), 0o000);
    write('theirs.db', '', 0o400);
    write('theirs.json', JSON.stringify(whole({ masterKeyFile: 'theirs.key', databaseFile: 'theirs.db' })), 0o644);
    // Root reads and writes whatever the mode says, until that right is taken from it.
    const asAnybody = process.getuid?.() === 0 ? ['setpriv', '--inh-caps=-all', '--bounding-set=-all'] : [];
    const { code, stdout } = await runTollfree(['config', 'check', '--config', file('theirs.json'), '--json'], {
      through: asAnybody,
    });
    expect(code).toBe(1);
    expect(noted(stdout)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 'file-unreadable', setting: 'masterKeyFile' }),
        expect.objectContaining({ id: 'file-unwritable', setting: 'databaseFile' }),
      ]),
    );
  });

  test('the flag that a setting came from', async () => {
    const { code, stdout } = await runInProcess('config', 'check', '--config', file('sound.json'), '--listen', 'x');
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining('sound.json cannot be read') });
    write('sound.json', JSON.stringify(sound));
    const said = await runInProcess('config', 'check', '--config', file('sound.json'), '--listen', 'x');
    expect(said).toMatchObject({
      code: 1,
      stdout: '--listen\n  gateway.listen must be host:port, like 127.0.0.1:3000\n',
    });
  });
});

test('each kind of mistake is in one of these configurations', () => {
  expect(mistakeIds.filter((id) => !met.has(id))).toEqual([]);
});

test('a service that does not start names the same mistakes', async () => {
  write('tollfree.json', JSON.stringify(chain({ nodeUrl: 'x', maxCostPerOperation: '5' })));
  const { code, stderr } = await runInProcess('node', '--config', file('tollfree.json'));
  expect(code).toBe(1);
  for (const sentence of ['has 2 mistakes', 'Is "nodeUrls" meant?', 'ether is usual'])
    expect(stderr).toContain(sentence);
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEther, parseGwei } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Environment } from '../../clients/cli/terminal/environment.ts';
import { defaultGasPriceBounds } from '../../core/gas/fees/gas-price-bounds.ts';
import { configSchema } from '../../server/config/config-schema.ts';
import { loadConfig } from '../../server/config/load-config.ts';

const configFolder = resolve(import.meta.dirname, '../../server/config');
const exampleFile = join(configFolder, 'tollfree.example.json');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Json = Record<string, unknown>;

function example(): Json & {
  signers: { main: Json };
  chains: [Json & { tokens: [Json]; paymasterContracts: [Json, Json] }];
} {
  return JSON.parse(readFileSync(exampleFile, 'utf8'));
}

let written = 0;
/** Writes a configuration and loads it. */
function load(content: unknown, flags: Json = {}, environment: Environment = {}) {
  const file = join(folder, `config-${written++}.json`);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return loadConfig({ config: file, ...flags }, environment);
}

/** The example with one change to its only chain. */
function withChain(change: Json): Json {
  const config = example();
  return { ...config, chains: [{ ...config.chains[0], ...change }] };
}

describe('a signer that chains name', () => {
  test('is the same as one that is written out', () => {
    const { signers, chains } = example();
    const named = load(example()).chains;
    expect(named).toEqual(load({ ...example(), chains: [{ ...chains[0], signer: signers.main }] }).chains);
    const two = load(withChain({ signer: undefined, signers: ['main', { keystoreFile: 'old.json' }] }));
    expect(two.chains?.[0]?.signers?.[0]).toEqual(named?.[0]?.signer);
  });

  test('takes the password file that the environment has for one chain', () => {
    const { chains } = load(
      { ...example(), chains: [example().chains[0], { ...example().chains[0], chainId: 5 }] },
      {},
      { TOLLFREE_CHAIN_5_SIGNER_PASSWORD_FILE: '/run/secrets/five' },
    );
    expect(chains?.map(({ signer }) => signer?.passwordFile)).toEqual([
      expect.stringContaining('secrets/signer.password'),
      '/run/secrets/five',
    ]);
  });
});

describe('the example', () => {
  test('loads, with file paths taken from its own folder', () => {
    const config = loadConfig({ config: exampleFile }, {});
    expect(config.databaseFile).toBe(join(configFolder, 'data/tollfree.db'));
    expect(config.chains?.[0]?.signer?.passwordFile).toBe(join(configFolder, 'secrets/signer.password'));
    expect(config.chains?.[0]?.maxFeePerGasCeiling).toBe(parseGwei('200'));
    expect(config.chains?.[0]?.maxCostPerOperation).toBe(parseEther('0.05'));
  });

  test('may have no ceiling when that is written out', () => {
    const config = load(withChain({ maxFeePerGasCeiling: 'none', maxCostPerOperation: 'none', gasPrice: 'none' }));
    const without = { maxFeePerGasCeiling: 'none', maxCostPerOperation: 'none', gasPrice: 'none' };
    expect(config.chains?.[0]).toMatchObject(without);
  });

  test('compares prices with the chain’s unless the operator says otherwise', () => {
    expect(load(withChain({ gasPrice: undefined })).chains?.[0]?.gasPrice).toEqual(defaultGasPriceBounds);
    const own = load(withChain({ gasPrice: { maxTipMultiple: 1.5, minTip: '2 gwei' } })).chains?.[0]?.gasPrice;
    expect(own).toEqual({ maxBaseFeeMultiple: 3, maxTipMultiple: 1.5, minTip: parseGwei('2') });
  });

  test('knows code of accounts that the operator adds, and takes no other form of it', () => {
    const codeHash = `0x${'ab'.repeat(32)}`;
    const entry = { name: 'INFINITISM', version: '1.0.0', codeHash, immutables: [2] };
    const accounts = { implementations: [entry], proxies: [{ codeHash }], gas: { ANY: { call: 500_000 } } };
    expect(load(withChain({ accounts })).chains?.[0]?.accounts).toEqual({
      implementations: [entry],
      proxies: [{ codeHash }],
      gas: { ANY: { call: 500_000n } },
    });
    const wrong = [
      { implementations: [{ ...entry, name: 'NOBODY' }] },
      { implementations: [{ ...entry, codeHash: '0xab' }] },
      { implementations: [{ ...entry, codeHash: codeHash.toUpperCase() }] },
      { factories: [{ codeHash }] },
      { proxies: [{ codeHash, slots: [] }] },
      { gas: { ALL: {} } },
      { gas: { ANY: { call: 0 } } },
    ];
    for (const change of wrong) expect(() => load(withChain({ accounts: change }))).toThrow(/accounts/);
  });

  test('every key of the schema is in a table of the page about the configuration', () => {
    const page = readFileSync('docs/reference/configuration.md', 'utf8');
    const schema = JSON.stringify(z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }));
    const keys = new Set<string>();
    JSON.parse(schema, (name, value: unknown) => {
      if (name === 'properties' && typeof value === 'object' && value !== null) {
        for (const key of Object.keys(value)) keys.add(key);
      }
      return value;
    });
    expect(keys.size).toBeGreaterThan(40);
    const missing = [...keys].filter((key) => key !== '$schema' && !new RegExp(`[\`.{"]${key}\\b`).test(page));
    expect(missing).toEqual([]);
  });
});

describe('defaults', () => {
  test('production takes neither plain http nor private addresses for webhooks', () => {
    expect(load({}).webhooks).toMatchObject({ allowHttp: false, allowedRanges: [] });
  });

  test('HTTP listens on loopback, and gRPC nowhere', () => {
    const { gateway, grpc } = load({});
    expect([gateway.listen.host, gateway.adminListen.host]).toEqual(['127.0.0.1', '127.0.0.1']);
    expect(grpc.listen).toBeUndefined();
  });
});

describe('decisions', () => {
  test('are kept for 30 days and up to a million when nothing is said', () => {
    expect(load({}).decisions).toEqual({ keepDays: 30, keepMost: 1_000_000 });
  });

  test('are kept as a flag says, else a variable, else the file', () => {
    const file = { decisions: { keepDays: 1, keepMost: 1_001 } };
    const environment = { TOLLFREE_DECISIONS_KEEP_DAYS: '2', TOLLFREE_DECISIONS_KEEP_MOST: '1002' };
    expect(load(file).decisions).toEqual({ keepDays: 1, keepMost: 1_001 });
    expect(load(file, {}, environment).decisions).toEqual({ keepDays: 2, keepMost: 1_002 });
    expect(load(file, { decisionsKeepDays: '3' }, environment).decisions).toEqual({ keepDays: 3, keepMost: 1_002 });
  });

  test.each([
    [() => load({ decisions: { keepDays: 0 } }), /decisions\.keepDays must not be below 1/],
    [() => load({ decisions: { keepMost: 999 } }), /decisions\.keepMost must not be below 1000/],
    [() => load({ decisions: { keepDays: 1.5 } }), /decisions\.keepDays must be a whole number/],
    [
      () => load({}, { decisionsKeepDays: 'many' }),
      /decisions\.keepDays must be a whole number .*--decisions-keep-days/,
    ],
    [() => load({ decisions: { keep: 5 } }), /"keep" in decisions is not a known setting/],
  ])('are not kept for something else (%#)', (loadWrong, sentence) => {
    expect(loadWrong).toThrow(sentence);
  });
});

describe('the keys of a chain', () => {
  const file = (name: string) => ({ keystoreFile: `/keys/${name}.json`, passwordFile: `/keys/${name}.password` });
  const chainWith = (change: Json) => load(withChain(change)).chains?.[0];

  test('are one signer, or several with the newest first', () => {
    expect(chainWith({ signer: file('one') })?.signer).toEqual(file('one'));
    const several = [file('new'), file('old')];
    expect(chainWith({ signer: undefined, signers: several })?.signers).toEqual(several);
  });

  test.each([
    ['both', { signers: [file('new')] }],
    ['none', { signer: undefined }],
    ['an empty list', { signer: undefined, signers: [] }],
  ])('are refused when there are %s', (_what, change) => {
    expect(() => chainWith(change)).toThrow(/signer/);
  });
});

describe('precedence', () => {
  test('a flag wins over the environment, the environment over the file, the file over the default', () => {
    const file = { gateway: { listen: '127.0.0.1:1001', adminListen: '127.0.0.1:1002' }, logLevel: 'error' };
    const environment = { TOLLFREE_LISTEN: '127.0.0.1:2001', TOLLFREE_ADMIN_LISTEN: '127.0.0.1:2002' };
    const config = load(file, { listen: '[::1]:3001' }, environment);
    expect(config.gateway.listen).toEqual({ host: '::1', port: 3001 });
    expect(config.gateway.adminListen.port).toBe(2002);
    expect(config.logLevel).toBe('error');
    expect(config.grpc.reflection).toBe(false);
  });

  test('the environment names the file when no flag does', () => {
    expect(loadConfig({}, { TOLLFREE_CONFIG: exampleFile }).chains).toHaveLength(1);
  });

  test('a path from a flag or the environment is taken from the working directory', () => {
    const config = load({ databaseFile: 'a.db' }, { databaseFile: 'b.db' }, { TOLLFREE_MASTER_KEY_FILE: 'key' });
    expect(config).toMatchObject({ databaseFile: resolve('b.db'), masterKeyFile: resolve('key') });
  });

  test('the cores of a gateway are one address, a list, or a text with commas, which a flag can be', () => {
    const cores = ['unix:/run/a.sock', '127.0.0.1:1'];
    const address = (...given: Parameters<typeof load>) => load(...given).core?.address;
    expect(address({ core: { address: cores[0] } })).toEqual([cores[0]]);
    expect(address({ core: { address: cores } })).toEqual(cores);
    expect(address({ core: { address: 'unix:/else' } }, { core: cores.join(', ') })).toEqual(cores);
  });

  test('the bundler of a chain is a url alone or with what of it is exposed, and its url can come from the environment', () => {
    const environment = { TOLLFREE_CHAIN_11155111_BUNDLER_URL: 'https://other.example' };
    const bundlerOf = (change: Json, given = {}) => load(withChain(change), {}, given).chains?.[0]?.bundler;
    const url = 'https://bundler.example';
    expect(bundlerOf({})).toBeUndefined();
    const read = (urls: readonly string[], expose = 'NONE') => ({ url: urls, expose, asksForLimits: true });
    const other = 'https://other.example';
    expect(bundlerOf({ bundlerUrl: url })).toEqual(read([url]));
    expect(bundlerOf({ bundler: { url } })).toEqual(read([url]));
    expect(bundlerOf({ bundler: { url, expose: 'OWN' } })).toEqual(read([url], 'OWN'));
    expect(bundlerOf({ bundler: { url, asksForLimits: false } })).toEqual({ ...read([url]), asksForLimits: false });
    expect(bundlerOf({}, environment)).toEqual(read([other]));
    expect(bundlerOf({ bundlerUrl: url }, environment)).toEqual(read([other]));
    const exposed = { bundler: { url, expose: 'OWN' } };
    expect(bundlerOf(exposed, environment)).toEqual(read([other], 'OWN'));
    expect(bundlerOf({ bundler: { expose: 'ANY' } }, environment)).toEqual(read([other], 'ANY'));
    expect(() => bundlerOf({ ...exposed, bundlerUrl: url })).toThrow(/must not have both bundler and bundlerUrl/);
  });

  test('a chain may have several bundlers, also from the environment', () => {
    const urls = ['https://one.example', 'https://two.example'];
    const urlOf = (change: Json, given = {}) => load(withChain(change), {}, given).chains?.[0]?.bundler?.url;
    expect(urlOf({ bundler: { url: urls } })).toEqual(urls);
    expect(urlOf({ bundlerUrl: urls })).toEqual(urls);
    expect(urlOf({}, { TOLLFREE_CHAIN_11155111_BUNDLER_URL: urls.join(', ') })).toEqual(urls);
    expect(() => urlOf({ bundler: { url: [] } })).toThrow(/bundler\.url must have at least one URL/);
    expect(() => urlOf({ bundler: { url: [...urls, 'ftp://three.example'] } })).toThrow(/bundler\.url/);
  });

  test('node URLs and the password file of a chain can come from the environment', () => {
    const environment = {
      TOLLFREE_CHAIN_11155111_NODE_URLS: 'https://one.example, https://two.example',
      TOLLFREE_CHAIN_11155111_SIGNER_PASSWORD_FILE: '/run/secrets/password',
    };
    expect(load(example(), {}, environment).chains?.[0]).toMatchObject({
      nodeUrls: ['https://one.example', 'https://two.example'],
      signer: { passwordFile: '/run/secrets/password' },
    });
  });
});

test('comments and a comma behind the last entry are not part of the configuration', () => {
  const text = `{
    // Where the log goes on: "https://not.a/comment" in here.
    "logLevel": "debug", /* as long as something is sought */
    "dashboard": { "publicUrl": "https://gas.example.org", },
  }`;
  expect(load(text)).toMatchObject({ logLevel: 'debug', dashboard: { publicUrl: 'https://gas.example.org' } });
});

describe('a mistake is one sentence with exit code 1', () => {
  const broken: readonly (readonly [string, () => unknown, RegExp])[] = [
    [
      'a file that is not there',
      () => loadConfig({ config: '/nowhere/x.json' }, {}),
      /\/nowhere\/x\.json cannot be read/,
    ],
    ['text that is not JSON', () => load('{\n"logLevel": '), /is not valid JSON: value expected in line 2\./],
    ['an empty file', () => load(''), /is not valid JSON/],
    ['a comment without an end', () => load('{} /* '), /is not valid JSON: unexpected end of comment in line 1\./],
    ['an unknown key', () => load({ ...example(), databasefile: 'x' }), /"databasefile" is not a known setting/],
    ['an unknown key inside', () => load(withChain({ node: 'x' })), /"node" in chains\[0\] is not a known setting/],
    [
      'a private key in the file',
      () => load(withChain({ signer: { privateKey: `0x${'11'.repeat(32)}` } })),
      /chains\[0\]\.signer/,
    ],
    ['a missing setting', () => load(withChain({ nodeUrls: undefined })), /chains\[0\]\.nodeUrls is missing/],
    [
      'a second core that is none',
      () => load({ core: { address: ['127.0.0.1:1', '127.0.0.1'] } }),
      /core\.address\[1\] must be host:port/,
    ],
    ['no core', () => load({ core: { address: [] } }), /core\.address must have at least one address/],
    [
      'a core twice',
      () => load({ core: { address: 'a:1,a:1' } }),
      /core\.address must not have the same address twice/,
    ],
    ['a wrong type', () => load({ logLevel: 5 }), /logLevel must be one of: debug, info, warn, error/],
    [
      'an address that is none',
      () => load(withChain({ tokens: [{ ...example().chains[0].tokens[0], address: '0x12' }] })),
      /chains\[0\]\.tokens\[0\]\.address must be an address/,
    ],
    [
      'an address with a wrong checksum',
      () =>
        load(
          withChain({
            tokens: [{ ...example().chains[0].tokens[0], address: '0x1C7D4B196Cb0C7B01d743Fbc6116a902379C7238' }],
          }),
        ),
      /chains\[0\]\.tokens\[0\]\.address must be an address/,
    ],
    [
      'a family that does not exist',
      () =>
        load(withChain({ paymasterContracts: [{ ...example().chains[0].paymasterContracts[0], family: 'other' }] })),
      /paymasterContracts\[0\]\.family must be one of: pimlico-singleton-0\.6/,
    ],
    [
      'a version twice',
      () => {
        const [first] = example().chains[0].paymasterContracts;
        return load(withChain({ paymasterContracts: [first, first] }));
      },
      /chains\[0\]\.paymasterContracts must not have the same version twice/,
    ],
    [
      'a chain twice',
      () => load({ ...example(), chains: [example().chains[0], example().chains[0]] }),
      /chains must not have the same chainId twice/,
    ],
    ['a node URL that is none', () => load(withChain({ nodeUrls: ['ws://x'] })), /nodeUrls\[0\] must be an http/],
    [
      'a price kind that is unknown',
      () => load(withChain({ nativePrice: { sources: [{ kind: 'guess' }] } })),
      /nativePrice\.sources\[0\]\S* has an unknown kind/,
    ],
    [
      'no price of a coin that is no dollar',
      () => load(withChain({ chainId: 4_242, nativePrice: undefined })),
      /nativePrice is missing. Set it to the sources of the native coin’s USD price/,
    ],
    [
      'a fee model that is unknown',
      () => load(withChain({ dataFee: 'optimism' })),
      /chains\[0\]\.dataFee must be one of: none, op-stack, arbitrum, scroll, mantle, linea, monad/,
    ],
    [
      'a price of zero',
      () => load(withChain({ nativePrice: { sources: [{ kind: 'fixed', usd: '0.00' }] } })),
      /more than zero/,
    ],
    ['an amount as a number', () => load(withChain({ maxCostPerOperation: 5 })), /maxCostPerOperation must be text/],
    ['an amount without unit', () => load(withChain({ maxCostPerOperation: '5' })), /an amount with its unit/],
    ['an amount below one wei', () => load(withChain({ maxCostPerOperation: '0.5 wei' })), /an amount with its unit/],
    ...[{ maxFeePerGasCeiling: undefined }, { maxCostPerOperation: undefined }].map(
      (change) =>
        [
          `a chain without its ${Object.keys(change)}`,
          () => load(withChain({ chainId: 4_242, ...change })),
          /^chains\[0\] must have maxFeePerGasCeiling and maxCostPerOperation, .* or "none"/,
        ] as const,
    ),
    ['a webhook timeout above 10 s', () => load({ webhooks: { timeoutMs: 10_001 } }), /must not be above 10000/],
    [
      'bounds out of order',
      () => load({ validity: { defaultSeconds: 700 } }),
      /validity must have defaultSeconds ≤ maxSeconds/,
    ],
    [
      'a setting of an earlier version',
      () => load({ validity: { minSeconds: 60 } }),
      /"minSeconds" in validity is no longer a setting .* at least 60 seconds\. Remove it\.$/,
    ],
    [
      'a signer that is not there',
      () => load(withChain({ signer: 'another' })),
      /is "another", which is no name in signers/,
    ],
    ['a name of an object', () => load(withChain({ signer: 'constructor' })), /is no name in signers/],
    [
      'less for policies than for all',
      () => load({ validity: { maxSecondsByPolicy: 500 } }),
      /validity must have maxSeconds ≤ maxSecondsByPolicy/,
    ],
    [
      'more than a day for policies',
      () => load({ validity: { maxSecondsByPolicy: 86_401 } }),
      /validity\.maxSecondsByPolicy/,
    ],
    [
      'a listen address without port',
      () => load({ gateway: { listen: 'localhost' } }),
      /gateway\.listen must be host:port/,
    ],
    [
      'a gRPC address that is none',
      () => load({ grpc: { listen: 'unix:' } }),
      /grpc\.listen must be host:port or unix/,
    ],
    ['a list where an object belongs', () => load([]), /The configuration must be an object/],
    [
      'a variable of a chain that is not configured',
      () => load(example(), {}, { TOLLFREE_CHAIN_5_BUNDLER_URL: 'https://x.example' }),
      /TOLLFREE_CHAIN_5_BUNDLER_URL is set, but the configuration has no chain 5/,
    ],
  ];

  test.each(broken)('%s', (_, act, sentence) => {
    expect(act).toThrow(expect.objectContaining({ exitCode: 1, message: expect.stringMatching(sentence) }));
  });

  test('it names the flag or the variable the setting came from', () => {
    expect(() => load({}, {}, { TOLLFREE_LISTEN: 'x' })).toThrow(/\(in TOLLFREE_LISTEN\)/);
    expect(() => load({}, { listen: 'x' })).toThrow(/\(in --listen\)/);
  });
});

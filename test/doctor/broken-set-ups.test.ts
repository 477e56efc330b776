import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { type Address, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { Secret } from '../../core/base/values/secret.ts';
import { encodeDecisionRecord } from '../../core/decisions/decision-record.ts';
import { entryPointAddresses } from '../../core/domain/entry-point-version.ts';
import { defaultPolicy } from '../../core/domain/policy.ts';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';
import { unitPriceProbeAddress } from '../../core/gas/unit-price-probe.ts';
import { type ChainClient, createChainClient } from '../../core/node/chain-client.ts';
import { policyText } from '../../core/policies/policy-text.ts';
import type { Database } from '../../core/store/database.ts';
import { checkMasterKey } from '../../core/store/master-keys/check-master-key.ts';
import { markMoved } from '../../core/store/sqlite/moved-mark.ts';
import { openHandle } from '../../core/store/sqlite/open-handle.ts';
import { openSqliteStore } from '../../core/store/sqlite/open-sqlite-store.ts';
import { loadConfig } from '../../server/config/load-config.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { checkDistance } from '../../server/doctor/chain/check-nodes.ts';
import { isPriceOf } from '../../server/doctor/chain/check-prices.ts';
import { runChecks } from '../../server/doctor/examine.ts';
import { type Finding, findingsAbout, troubleIds } from '../../server/doctor/finding.ts';
import { checkEgress } from '../../server/doctor/machine/check-egress.ts';
import { checkMachine } from '../../server/doctor/machine/check-machine.ts';
import { compileSolidity } from '../../tools/compile-solidity.ts';
import { deploySimulationCode } from '../support/chain/deploy-simulation-code.ts';
import { leaseDevnet, leasedSignerKey } from '../support/chain/lease-devnet.ts';
import { runInProcess } from '../support/command-line/run-in-process.ts';
import { writeKeystore } from '../support/command-line/write-keystore.ts';
import { chainConfig } from '../support/estimation/estimation-bench.ts';
import { unitPriceAnswer } from '../support/estimation/unit-price-answer.ts';
import { startTestGateway } from '../support/gateway/start-test-gateway.ts';
import { findClosedPort } from '../support/servers/find-closed-port.ts';
import {
  forward,
  type RpcServer,
  respond,
  respondError,
  respondResult,
  startRpcServer,
} from '../support/servers/json-rpc-server.ts';
import { makeCertificate } from '../support/servers/make-certificate.ts';
import { json, startPriceServer } from '../support/servers/price-server.ts';

const password = 'a password of the test';
const dayMs = 86_400_000;
const stranger: Address = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';

type Json = Record<string, unknown>;

let devnet: Devnet;
let folder: string;
let closedPort: number;
let adminPort: number;
let feeds: Record<'coin' | 'usdc' | 'other' | 'euro' | 'stale' | 'nameless' | 'sequencer' | 'stopped', Address>;
const servers: RpcServer[] = [];
/** What the doctor has found that is not sound, in all set-ups. */
const met = new Set<string>();
/** Milliseconds that this process's clock is put ahead by a node that is slow. */
let clockAhead = 0;
/** The URL of a node that answers one method otherwise, and hands on everything else. */
const nodes = {
  otherChain: '',
  old: '',
  withoutOverrides: '',
  withoutState: '',
  withoutLogs: '',
  otherGas: '',
  slowHead: '',
  slow: '',
  withoutCode: '',
  bundler: '',
  vendor: '',
  strangeBundler: '',
};

const file = (name: string) => join(folder, name);
function write(name: string, text: string, mode = 0o600): void {
  writeFileSync(file(name), text);
  chmodSync(file(name), mode);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-doctor-'));
  devnet = await leaseDevnet();
  closedPort = await findClosedPort();
  adminPort = await findClosedPort();
  await makeFiles();
  await fill('pimlico-singleton-0.7');
  feeds = await deployFeeds();
  await devnet.client.mine({ blocks: 5 });
  await startNodes();
});
beforeEach(() => {
  clockAhead = 0;
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + clockAhead);
  return () => clock.mockRestore();
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await devnet.close();
  rmSync(folder, { recursive: true });
});

async function makeFiles(): Promise<void> {
  write('master.key', 'ab'.repeat(32));
  write('open.key', 'ab'.repeat(32), 0o644);
  write('password', password);
  writeKeystore(file('signer.json'), password, leasedSignerKey);
  writeKeystore(file('stranger.json'), password);
  writeKeystore(file('hot.json'), password);
  writeKeystore(file('unopened.json'), password);
  write('short.password', 'another password');
  mkdirSync(file('open'), { mode: 0o777 });
  chmodSync(file('open'), 0o777);
  await (await openSqliteStore(file('tollfree.db'))).close();
  await makeUnbounded('unbounded.db');
  await makeUnbounded('uncapped.db');
  await makeCapped('capped.db');
  await (await openSqliteStore(file('newer.db'))).close();
  const newer = openHandle(file('newer.db'));
  newer.exec("INSERT INTO schema_migrations (version, name, applied_at) VALUES (9999, 'later', 0)");
  newer.close();
  await (await openSqliteStore(file('older.db'))).close();
  const older = openHandle(file('older.db'));
  older.exec('UPDATE schema_migrations SET version = 60');
  older.close();
  await (await openSqliteStore(file('moved.db'))).close();
  markMoved(file('moved.db'), 'postgres://db.example/gas');
  const otherKey = { masterKey: new Secret(Buffer.alloc(32, 7)), previousMasterKeys: [] };
  const otherStore = await openSqliteStore(file('other-key.db'));
  await checkMasterKey(otherStore, otherKey);
  await otherStore.close();
  const foreign = openHandle(file('foreign.db'));
  foreign.exec('CREATE TABLE notes (text TEXT)');
  foreign.close();
  chmodSync(file('foreign.db'), 0o600);
  write('text.db', 'not a database at all, though as long as its header would have to be, and longer still than that');
  await damage('damaged.db');
  const one = makeCertificate('one', { dns: ['one.example'] });
  const other = makeCertificate('other', { dns: ['other.example'] });
  write('one.pem', one.certificate);
  for (const [name, beginsAt] of [
    ['ended', Date.now() - 30 * dayMs],
    ['early', Date.now() + dayMs],
  ] as const) {
    const { certificate, privateKey } = makeCertificate(name, { dns: ['one.example'] }, undefined, beginsAt);
    write(`${name}.pem`, certificate);
    write(`${name}.key`, privateKey);
  }
  write('one.key', one.privateKey);
  write('other.key', other.privateKey);
}

/** A database with a paymaster without a policy. */
async function makeUnbounded(name: string): Promise<void> {
  const { db, close } = await openSqliteStore(file(name));
  await addPaymaster(db);
  await close();
}

async function addPaymaster(db: Kysely<Database>): Promise<string> {
  const [account_id, paymaster_id] = [randomUUID(), randomUUID()];
  await db.insertInto('accounts').values({ account_id, name: 'shop', created_at: 0 }).execute();
  const { chainId: chain_id } = devnet;
  const paymaster = { paymaster_id, account_id, name: 'play', chain_id, version: '1', funding_wallet: null };
  await db
    .insertInto('paymasters')
    .values({ ...paymaster, created_at: 0 })
    .execute();
  return paymaster_id;
}

/** A database with a paymaster whose cap has just refused what could cost 0.021 of the coin. */
async function makeCapped(name: string): Promise<void> {
  const { db, close } = await openSqliteStore(file(name));
  const paymaster_id = await addPaymaster(db);
  const policy = policyText({ ...defaultPolicy, maxCostWei: 1_000n });
  await db.insertInto('policies').values({ paymaster_id, policy, updated_at: 0 }).execute();
  const worstCase = parseEther('0.021');
  const columns = encodeDecisionRecord({
    facts: { calls: [], deploysOnly: false, maxFeePerGas: 1n, worstCase },
    trace: [{ rule: 'policy-cost', finding: ['policy-cost', worstCase, undefined, 1_000n, undefined], remedy: '…' }],
  });
  await db
    .insertInto('decisions')
    .values({
      decision_id: randomUUID(),
      paymaster_id,
      chain_id: devnet.chainId,
      method: 'getPaymasterData',
      outcome: 'refused',
      mode: 'SPONSORED',
      reason: 'LIMIT_EXCEEDED',
      sender: null,
      nonce: null,
      token: null,
      hold_id: null,
      ...columns,
      created_at: Math.floor(Date.now() / 1_000),
    })
    .execute();
  await close();
}

/** A database whose pages after the first ones have been written over. */
async function damage(name: string): Promise<void> {
  await (await openSqliteStore(file(name))).close();
  const content = readFileSync(file(name));
  const page = content.readUInt16BE(16);
  content.fill(0xff, page * 4, page * 12);
  writeFileSync(file(name), content);
}

/** Gives a contract a deposit. */
async function fill(family: 'pimlico-singleton-0.7'): Promise<void> {
  const account = privateKeyToAccount(devnet.fundedKeys[2] ?? '0x');
  const hash = await devnet.client.sendTransaction({
    account,
    chain: null,
    to: devnet.entryPoints['0.7'],
    data: `0xb760faf9${devnet.paymasterContracts[family].slice(2).padStart(64, '0')}`,
    value: parseEther('1'),
  });
  await devnet.client.waitForTransactionReceipt({ hash });
}

async function deployFeeds(): Promise<typeof feeds> {
  const contract = compileSolidity(join(import.meta.dirname, 'contracts/NamedFeed.sol')).get('NamedFeed');
  if (contract === undefined) throw new Error('There is no NamedFeed.');
  const account = privateKeyToAccount(devnet.fundedKeys[2] ?? '0x');
  const now = BigInt(Math.floor(Date.now() / 1_000));
  const deploy = async (name: string, answer: bigint, age = 0n) => {
    const hash = await devnet.client.deployContract({
      account,
      chain: null,
      abi: contract.abi,
      bytecode: contract.creationBytecode,
      args: [name, answer, now - 10_000n, now - age],
    });
    const { contractAddress } = await devnet.client.waitForTransactionReceipt({ hash });
    return contractAddress ?? stranger;
  };
  const inUsd = (dollars: bigint) => dollars * 10n ** 8n;
  return {
    coin: await deploy('ETH / USD', inUsd(2_000n)),
    usdc: await deploy('devUSD / USD', inUsd(1n)),
    other: await deploy('BTC / USD', inUsd(60_000n)),
    euro: await deploy('devUSD / EUR', inUsd(1n)),
    stale: await deploy('ETH / USD', inUsd(2_000n), 9_000n),
    nameless: await deploy('', inUsd(2_000n)),
    sequencer: await deploy('L2 Sequencer Uptime Status Feed', 0n),
    stopped: await deploy('L2 Sequencer Uptime Status Feed', 1n),
  };
}

/** Whether a call creates a contract. */
function isPriceProbe(call: unknown): boolean {
  return typeof call === 'object' && call !== null && 'to' in call && call.to === unitPriceProbeAddress;
}

async function startNodes(): Promise<void> {
  const lying = async (answer: (request: Asked) => unknown) => {
    const server = await startRpcServer(async (request, response) => {
      const said = answer(request);
      if (said instanceof Error) return respondError(response, request, -32_000, said.message);
      if (said !== undefined) return respondResult(response, request, said);
      respond(response, await forward(devnet.rpcUrl, request));
    });
    servers.push(server);
    return server.url;
  };
  nodes.otherChain = await lying(({ method }) => (method === 'eth_chainId' ? '0xa' : undefined));
  const block = await devnet.client.request({ method: 'eth_getBlockByNumber', params: ['latest', false] });
  nodes.old = await lying(({ method }) =>
    method === 'eth_getBlockByNumber' ? { ...block, timestamp: '0x1' } : undefined,
  );
  nodes.withoutOverrides = await lying(({ method, params }) =>
    method === 'eth_call' && params.length > 2 ? new Error('too many arguments, want at most 2') : undefined,
  );
  nodes.withoutState = await lying(({ method, params }) =>
    method === 'eth_call' && String(params[1]).startsWith('0x') ? new Error('missing trie node') : undefined,
  );
  nodes.withoutLogs = await lying(({ method }) =>
    method === 'eth_getLogs' ? new Error('block range is too wide') : undefined,
  );
  nodes.otherGas = await lying(({ method, params }) =>
    method === 'eth_call' && isPriceProbe(params[0])
      ? unitPriceAnswer({ ...gasSchedules.osaka, newSlot: 65_527n })
      : undefined,
  );
  nodes.slowHead = await lying(({ method }) =>
    method === 'eth_getBlockByNumber' ? new Error('the node is syncing') : undefined,
  );
  nodes.slow = await lying(({ method }) => {
    if (method === 'eth_chainId') clockAhead = 3_000;
    return undefined;
  });
  nodes.withoutCode = await lying(({ method }) =>
    method === 'eth_getCode' ? new Error('the method is not available') : undefined,
  );
  const supports =
    (...addresses: Address[]) =>
    (request: Asked) =>
      request.method === 'eth_supportedEntryPoints' ? addresses : undefined;
  nodes.bundler = await lying(supports(entryPointAddresses['0.7']));
  nodes.vendor = await lying(({ method }) =>
    method === 'pm_getPaymasterStubData'
      ? { paymaster: stranger, paymasterData: '0x', paymasterVerificationGasLimit: '0x1' }
      : undefined,
  );
  nodes.strangeBundler = await lying((request) =>
    request.method === 'eth_chainId' ? '0xa' : supports(entryPointAddresses['0.6'])(request),
  );
}

type Asked = { readonly method: string; readonly params: readonly unknown[] };

const chainlink = (aggregator: Address) => ({ kind: 'chainlink', aggregator, maxAgeSeconds: 3_600 });

function healthyContract(): Json {
  const family = 'pimlico-singleton-0.7';
  return {
    version: '2.0.0',
    family,
    address: devnet.paymasterContracts[family],
    tokenRecipient: devnet.tokenRecipient,
  };
}

function healthyToken(): Json {
  const [token] = devnet.tokens;
  return { ...token, price: { sources: [chainlink(feeds.usdc), { kind: 'fixed', usd: '1' }] } };
}

function healthyChain(): Json {
  return {
    chainId: devnet.chainId,
    name: 'Development chain',
    nodeUrls: [devnet.rpcUrl],
    bundlerUrl: nodes.bundler,
    paymasterContracts: [healthyContract()],
    tokens: [healthyToken()],
    nativePrice: { sources: [chainlink(feeds.coin), { kind: 'fixed', usd: '2000' }] },
    sequencerUptime: { feed: feeds.sequencer },
    signer: { keystoreFile: 'signer.json', passwordFile: 'password' },
    confirmations: 2,
    maxFeePerGasCeiling: '500 gwei',
    maxCostPerOperation: '1 ether',
  };
}

function whole(change: Json = {}): Json {
  return {
    databaseFile: 'tollfree.db',
    masterKeyFile: 'master.key',
    gateway: { listen: `127.0.0.1:${closedPort}`, adminListen: `127.0.0.1:${adminPort}` },
    chains: [healthyChain()],
    ...change,
  };
}

const chain = (change: Json) => whole({ chains: [{ ...healthyChain(), ...change }] });
const token = (change: Json) => chain({ tokens: [{ ...healthyToken(), ...change }] });
const contract = (change: Json) => chain({ paymasterContracts: [{ ...healthyContract(), ...change }] });
const vendor = (url: string) => ({
  url,
  accounts: 'all',
  paymasters: [entryPointAddresses['0.6']],
  budget: { usdPerDay: '1', usdPerMonth: '10' },
});
const hotWallet = (keystoreFile: string) => ({
  wallet: { keystoreFile, passwordFile: keystoreFile === 'hot.json' ? 'password' : 'short.password' },
  maxPerDay: '5 ether',
  deposits: { below: '1 ether', to: '2 ether' },
});
const coinOf = (...sources: unknown[]) => chain({ nativePrice: { sources, minimumSources: sources.length } });

const answerSchema = z.object({
  findings: z.array(
    z.object({
      id: z.string(),
      level: z.enum(['ok', 'warning', 'failure']),
      about: z.string(),
      message: z.string(),
      remedy: z.string().optional(),
    }),
  ),
});

async function examine(content: Json) {
  write('tollfree.json', JSON.stringify(content));
  const said = await runInProcess('doctor', '--config', file('tollfree.json'), '--json');
  return { ...said, findings: noted(answerSchema.parse(JSON.parse(said.stdout)).findings) };
}

/** Notes what was found in a broken set-up. */
function noted<T extends Pick<Finding, 'id' | 'level'>>(findings: readonly T[]): readonly T[] {
  for (const { id, level } of findings) if (level !== 'ok') met.add(id);
  return findings;
}

describe('a sound installation', () => {
  test('may be on a chain whose gas prices no known fork has: they are printed', async () => {
    const { findings } = await examine(chain({ nodeUrls: [devnet.rpcUrl, nodes.otherGas] }));
    const [, other] = findings.filter(({ id }) => id === 'node-gas');
    expect(other).toMatchObject({ level: 'ok' });
    expect(other?.message).toMatch(/those of no known fork.* new slot 65527, changed slot 5000/);
  });

  test('has nothing to fix, and is left as it was', async () => {
    const before = readdirSync(folder).toSorted();
    const { code, findings } = await examine(whole());
    expect(findings.filter(({ level }) => level !== 'ok')).toEqual([]);
    expect(code).toBe(0);
    expect(readdirSync(folder).toSorted()).toEqual([...new Set([...before, 'tollfree.json'])].toSorted());
    const ids = new Set(findings.map(({ id }) => id));
    for (const id of [
      'node-overrides',
      'node-gas',
      'node-state',
      'signer-accepted',
      'stake',
      'bundler',
      'feed-pair',
      'sequencer',
      'token',
      'database',
    ]) {
      expect(ids).toContain(id);
    }
  });

  test('is shown to people with a mark for each look', async () => {
    write('tollfree.json', JSON.stringify(chain({ nodeUrls: [devnet.rpcUrl, 'http://127.0.0.1:1/secret-key'] })));
    const { code, stdout, stderr } = await runInProcess('doctor', '--config', file('tollfree.json'));
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'tollfree: 1 to fix, 0 to review\n' });
    expect(stdout).toContain(`chain ${devnet.chainId}, node 1\n  ✓ It responds`);
    expect(stdout).toContain(`chain ${devnet.chainId}, node 2\n  ✗ Its address refuses connections`);
    expect(stdout).not.toContain('secret-key');
  });
});

type Row = readonly [
  what: string,
  content: () => Json,
  id: string,
  level: string,
  message: RegExp,
  remedy: RegExp,
  /** What else is found then. */
  also?: readonly string[],
];

const tls = (name: string, keyFile = `${name}.key`) => ({
  grpc: { listen: '127.0.0.1:1', tls: { certificateFile: `${name}.pem`, keyFile, clientCaFile: 'one.pem' } },
});

const rows: readonly Row[] = [
  [
    'a contract of another EntryPoint',
    () => chain({ entryPoints: { '0.7': entryPointAddresses['0.8'] } }),
    'contract-entry-point',
    'failure',
    new RegExp(`belongs to the EntryPoint at ${entryPointAddresses['0.7']}`),
    /family/,
    ['deposit-empty', 'stake-missing', 'bundler-entry-point'],
  ],
  [
    'a key that cannot be told',
    () => chain({ signer: { keystoreFile: 'signer.json' } }),
    'signer-unknown',
    'warning',
    /No key could be opened/,
    /passwordFile/,
  ],
  [
    'a silent node',
    () => chain({ nodeUrls: [devnet.rpcUrl, 'http://127.0.0.1:1'] }),
    'node-silent',
    'failure',
    /refuses connections/,
    /correct host and port/,
  ],
  [
    'a node of another chain',
    () => chain({ nodeUrls: [devnet.rpcUrl, nodes.otherChain] }),
    'node-other-chain',
    'failure',
    /of chain 10/,
    /chainId/,
  ],
  [
    'a node that stands still',
    () => chain({ nodeUrls: [devnet.rpcUrl, nodes.old] }),
    'node-clock',
    'failure',
    /seconds older/,
    /timedatectl/,
  ],
  [
    'a node without a head',
    () => chain({ nodeUrls: [devnet.rpcUrl, nodes.slowHead] }),
    'node-no-head',
    'failure',
    /newest block/,
    /in sync/,
  ],
  ['a slow node', () => chain({ nodeUrls: [nodes.slow] }), 'node-slow', 'warning', /It took 3\d{3} ms/, /faster node/],
  [
    'a node without overrides',
    () => chain({ nodeUrls: [devnet.rpcUrl, nodes.withoutOverrides] }),
    'node-overrides',
    'failure',
    /state overrides/,
    /geth/,
    // Prices are measured with an override too.
    ['node-gas'],
  ],
  [
    'a node without older states',
    () => chain({ nodeUrls: [devnet.rpcUrl, nodes.withoutState] }),
    'node-state',
    'failure',
    /2 blocks ago/,
    /archive/,
  ],
  [
    'a node with few logs',
    () => chain({ nodeUrls: [devnet.rpcUrl, nodes.withoutLogs] }),
    'node-logs',
    'warning',
    /refuses the logs/,
    /startBlock/,
  ],
  [
    'no EntryPoint',
    () => chain({ entryPoints: { '0.7': stranger } }),
    'entry-point-missing',
    'failure',
    /no EntryPoint 0\.7/,
    /entryPoints/,
    ['bundler-entry-point'],
  ],
  [
    'no contract',
    () => contract({ address: stranger }),
    'contract-missing',
    'failure',
    new RegExp(stranger),
    /deploy --family/,
  ],
  [
    'a key that the contract does not take',
    () => chain({ signer: { keystoreFile: 'stranger.json', passwordFile: 'password' } }),
    'signer-refused',
    'failure',
    /as a signer/,
    /addSigner/,
  ],
  [
    'a contract without a deposit',
    () => contract({ family: 'pimlico-singleton-0.8', address: devnet.paymasterContracts['pimlico-singleton-0.8'] }),
    'deposit-empty',
    'warning',
    /no deposit/,
    /tank show/,
    ['bundler-entry-point'],
  ],
  [
    'an EntryPoint that is none',
    () => chain({ entryPoints: { '0.7': devnet.target.address } }),
    'deposit-unknown',
    'failure',
    /does not report its deposit/,
    /entryPoints/,
    ['bundler-entry-point', 'contract-entry-point', 'node-state'],
  ],
  [
    'a node that does not show code',
    () => chain({ nodeUrls: [nodes.withoutCode] }),
    'check-failed',
    'failure',
    /Check failed/,
    /Fix the other findings of its chain/,
    // The contract, and the token.
    ['check-failed'],
  ],
  [
    'a bundler of another EntryPoint',
    () => chain({ bundlerUrl: nodes.strangeBundler }),
    'bundler-entry-point',
    'warning',
    /does not support/,
    /another bundler/,
    ['bundler-other-chain'],
  ],
  [
    'a bundler of another chain',
    () => chain({ bundlerUrl: nodes.strangeBundler }),
    'bundler-other-chain',
    'failure',
    /of chain 10/,
    /bundlerUrl/,
    ['bundler-entry-point'],
  ],
  [
    'a bundler of another EntryPoint that clients are to send to',
    () => chain({ bundlerUrl: undefined, bundler: { url: nodes.strangeBundler, expose: 'OWN' } }),
    'bundler-entry-point',
    'failure',
    /does not support/,
    /does not take operations of the contract/,
    ['bundler-other-chain'],
  ],
  [
    'a bundler that is none, that clients are to send to',
    () => chain({ bundlerUrl: undefined, bundler: { url: 'http://127.0.0.1:1', expose: 'ANY' } }),
    'bundler-silent',
    'failure',
    /EntryPoints/,
    /Clients cannot send operations/,
  ],
  [
    'a bundler that is none',
    () => chain({ bundlerUrl: 'http://127.0.0.1:1' }),
    'bundler-silent',
    'warning',
    /EntryPoints/,
    /ERC-7769/,
  ],
  [
    'a vendor that is none',
    () => chain({ vendor: vendor('http://127.0.0.1:1/secret-key') }),
    'vendor-silent',
    'failure',
    /gives no stub/,
    /ERC-7677/,
  ],
  [
    'a vendor with another paymaster contract',
    () => chain({ vendor: vendor(nodes.vendor) }),
    'vendor-other-paymaster',
    'failure',
    new RegExp(stranger),
    /vendor\.paymasters/,
  ],
  [
    'a hot wallet whose keystore does not open',
    () => chain({ hotWallet: hotWallet('unopened.json') }),
    'hot-wallet-key',
    'failure',
    /cannot be read/,
    /hotWallet\.wallet/,
    ['config-keystore-password'],
  ],
  [
    'a hot wallet without coin',
    () => chain({ hotWallet: hotWallet('hot.json') }),
    'hot-wallet-low',
    'warning',
    /has 0 ether, less than maxPerDay/,
    /at least 5 ether/,
  ],
  [
    'a feed that is none',
    () => coinOf(chainlink(stranger)),
    'price-source',
    'warning',
    /could not be read/,
    /aggregator/,
    ['price-none'],
  ],
  [
    'a stale feed',
    () => coinOf(chainlink(feeds.stale)),
    'price-source',
    'warning',
    /seconds ago/,
    /heartbeat/,
    ['price-none'],
  ],
  [
    'no price',
    () => coinOf(chainlink(feeds.stale)),
    'price-none',
    'failure',
    /no price of the coin/,
    /sources above/,
    ['price-source'],
  ],
  [
    'prices that disagree',
    () => coinOf(chainlink(feeds.coin), { kind: 'fixed', usd: '3000' }),
    'price-none',
    'failure',
    /disagree/,
    /same asset/,
  ],
  [
    'a feed of another pair',
    () => token({ price: { sources: [chainlink(feeds.other)], minimumSources: 1 } }),
    'feed-pair',
    'failure',
    /BTC \/ USD, not for devUSD/,
    /with USD/,
  ],
  [
    'a feed in another currency',
    () => token({ price: { sources: [chainlink(feeds.euro)], minimumSources: 1 } }),
    'feed-pair',
    'failure',
    /devUSD \/ EUR/,
    /in USD/,
  ],
  [
    'a feed without a name',
    () => coinOf(chainlink(feeds.nameless)),
    'feed-unnamed',
    'warning',
    /does not report its pair/,
    /by hand/,
  ],
  [
    'a sequencer that is down',
    () => chain({ sequencerUptime: { feed: feeds.stopped } }),
    'sequencer',
    'failure',
    /is down/,
    /uptime feed/,
  ],
  [
    'an uptime feed that is none',
    () => chain({ sequencerUptime: { feed: stranger } }),
    'sequencer',
    'failure',
    /could not be read/,
    /uptime feed/,
  ],
  [
    'a layer 2 without an uptime feed',
    () => chain({ sequencerUptime: undefined, dataFee: 'op-stack' }),
    'sequencer-unset',
    'warning',
    /no uptime feed/,
    /sequencerUptime/,
    ['data-fee'],
  ],
  [
    'a fee model whose oracle the chain does not have',
    () => chain({ dataFee: 'op-stack' }),
    'data-fee',
    'failure',
    /GasPriceOracle .* does not respond/,
    /dataFee/,
  ],
  ['no token', () => token({ address: stranger }), 'token-missing', 'failure', /no contract at/, /each chain/],
  [
    'a token that is none',
    () => token({ address: entryPointAddresses['0.7'] }),
    'token-none',
    'failure',
    /not an ERC-20/,
    /address/,
  ],
  [
    'other decimals',
    () => token({ decimals: 18 }),
    'token-decimals',
    'failure',
    /6 decimals, not 18.*too much/,
    /to 6/,
  ],
  [
    'another symbol',
    () => token({ symbol: 'USDC' }),
    'token-symbol',
    'warning',
    /symbol is devUSD/,
    /shown the symbol/,
    ['feed-pair'],
  ],
  [
    'a paymaster without a total limit',
    () => whole({ databaseFile: 'unbounded.db' }),
    'paymaster-unbounded',
    'warning',
    /"play" has no total limit/,
    /tollfree budget create "play" --max 50\.00 --window day --paymasters "play"$/,
  ],
  [
    'a paymaster without a cap on a chain without a ceiling',
    () => ({ ...chain({ maxCostPerOperation: 'none' }), databaseFile: 'uncapped.db' }),
    'paymaster-uncapped',
    'warning',
    /"play" has no cap on what one operation can cost/,
    /maxCostPerOperation in the policy/,
    ['paymaster-unbounded'],
  ],
  [
    'a cap that refuses operations',
    () => whole({ databaseFile: 'capped.db' }),
    'paymaster-cap-refuses',
    'warning',
    /"play" refused 1 request in the last day/,
    /tollfree policy set-cap "0\.042 ether" --paymaster "play"/,
    ['paymaster-unbounded'],
  ],
  [
    'a newer database',
    () => whole({ databaseFile: 'newer.db' }),
    'database-newer',
    'failure',
    /version 9999/,
    /newer one/,
  ],
  [
    'a database of an earlier build',
    () => whole({ databaseFile: 'older.db' }),
    'database-older',
    'failure',
    /version 60, from before the first release/,
    /new file/,
  ],
  [
    'a database that was moved to a server',
    () => whole({ databaseFile: 'moved.db' }),
    'database-moved',
    'failure',
    /moved to postgres:\/\/db\.example\/gas/,
    /databaseUrl/,
  ],
  [
    'a foreign database',
    () => whole({ databaseFile: 'foreign.db' }),
    'database-foreign',
    'failure',
    /another program/,
    /separate file/,
  ],
  [
    'text for a database',
    () => whole({ databaseFile: 'text.db' }),
    'database-unreadable',
    'failure',
    /SQLITE_NOTADB/,
    /backup/,
  ],
  [
    'a damaged database',
    () => whole({ databaseFile: 'damaged.db' }),
    'database-damaged',
    'failure',
    /damaged/,
    /backup/,
  ],
  [
    'a database of another master key',
    () => whole({ databaseFile: 'other-key.db' }),
    'database-master-key',
    'failure',
    /another master key/,
    /masterKeyFile/,
  ],
  [
    'a folder that others may write to',
    () => whole({ databaseFile: 'open/tollfree.db' }),
    'data-folder',
    'warning',
    /replace the database/,
    /chmod go-w/,
  ],
  [
    'an open master key',
    () => whole({ masterKeyFile: 'open.key' }),
    'config-file-open',
    'failure',
    /mode 644/,
    /chmod 600/,
  ],
  [
    'a setting that is none',
    () => whole({ databasefile: 'x' }),
    'config-unknown-key',
    'failure',
    /tollfree\.json:1:/,
    /"databaseFile"/,
  ],
  [
    'the key of another certificate',
    () => whole(tls('one', 'other.key')),
    'tls-key',
    'failure',
    /does not belong to/,
    /certificate/,
    ['tls-ends-soon', 'tls-ends-soon'],
  ],
  [
    'a certificate that ends soon',
    () => whole(tls('one')),
    'tls-ends-soon',
    'warning',
    /It expires on/,
    /new certificate/,
    ['tls-ends-soon'],
  ],
  [
    'a certificate that has ended',
    () => whole(tls('ended')),
    'tls-expired',
    'failure',
    /It expired on/,
    /ended\.pem.*restart the service/,
    ['tls-ends-soon'],
  ],
  [
    'a certificate that has not begun',
    () => whole(tls('early')),
    'tls-early',
    'failure',
    /not valid before/,
    /clock/,
    ['tls-ends-soon'],
  ],
  [
    'webhooks to this machine',
    () => whole({ webhooks: { allowedRanges: ['127.0.0.0/8'] } }),
    'webhook-guard',
    'warning',
    /127\.0\.0\.1/,
    /allowedRanges/,
  ],
  [
    'webhooks to a cloud’s metadata, in public',
    () => whole({ dashboard: { publicUrl: 'https://127.0.0.1:1' }, webhooks: { allowedRanges: ['169.254.0.0/16'] } }),
    'webhook-guard',
    'failure',
    /credentials/,
    /allowedRanges/,
    ['proxies-untold'],
  ],
  [
    'a sign-up that no browser can reach',
    () => whole({ dashboard: { signUp: 'open' } }),
    'sign-up-nowhere',
    'warning',
    /signUp is open, but .*no one can sign in/,
    /publicUrl/,
  ],
  [
    'a proxy that is not told',
    () => whole({ dashboard: { publicUrl: 'https://127.0.0.1' } }),
    'proxies-untold',
    'warning',
    /share the limits of one client address: 50 requests a second and 200 open operations/,
    /trustedProxies/,
  ],
  [
    'webhooks without TLS',
    () => whole({ webhooks: { allowHttp: true } }),
    'webhook-http',
    'warning',
    /without TLS/,
    /allowHttp/,
  ],
  [
    'a name without an address',
    () => chain({ nodeUrls: [devnet.rpcUrl, 'https://node.invalid/secret-key'] }),
    'dns',
    'failure',
    /no address/,
    /name servers/,
    ['node-silent'],
  ],
];

function troublesOf<T extends Pick<Finding, 'id' | 'level'>>(findings: readonly T[]): readonly T[] {
  return noted(findings).filter(({ level }) => level !== 'ok');
}

/** What is found wrong next to a service that runs. */
async function troublesNextTo(
  { url, adminUrl }: { readonly url: string; readonly adminUrl: string },
  publicUrl?: string,
) {
  const gateway = { listen: new URL(url).host, adminListen: new URL(adminUrl).host };
  const { findings } = await examine(
    whole({ gateway, ...(publicUrl === undefined ? {} : { dashboard: { publicUrl } }) }),
  );
  return troublesOf(findings);
}

describe('the doctor finds', () => {
  for (const [what, content, id, level, message, remedy, also = []] of rows) {
    test(what, async () => {
      const { code, stdout, findings } = await examine(content());
      const found = troublesOf(findings);
      expect(found.map((one) => one.id).toSorted()).toEqual([id, ...also].toSorted());
      expect(found).toContainEqual(
        expect.objectContaining({
          id,
          level,
          message: expect.stringMatching(message),
          remedy: expect.stringMatching(remedy),
        }),
      );
      const worst = findings.some((finding) => finding.level === 'failure') ? 1 : 2;
      expect(code).toBe(worst);
      expect(stdout).not.toContain('secret-key');
    });
  }

  test('a stake that bundlers find too low, until it is as high as it says', async () => {
    const config = ['--config', file('tollfree.json')];
    write('tollfree.json', JSON.stringify(chain({ paymasterContracts: [] })));
    write('payer.key', devnet.fundedKeys[3] ?? '');
    const payer = ['--key-file', file('payer.key'), '--yes', ...config];
    const deployed = await runInProcess(
      ...['paymaster-contract', 'deploy', '--family', 'tollfree-0.8', '--write'],
      ...['--signer', privateKeyToAccount(leasedSignerKey).address],
      ...payer,
    );
    expect(deployed).toMatchObject({ code: 0 });
    const found = async () => {
      const { stdout } = await runInProcess('doctor', ...config, '--json');
      return noted(answerSchema.parse(JSON.parse(stdout)).findings).find(({ id }) => id.startsWith('stake'));
    };
    const missing = { id: 'stake-missing', remedy: expect.stringContaining('"0.1 ether"') };
    expect(await found()).toMatchObject(missing);
    await runInProcess('paymaster-contract', 'stake', '1 gwei', ...payer);
    const low = await found();
    expect(low).toMatchObject({ id: 'stake-low', message: expect.stringContaining('want 0.1 ether') });
    const [, rest = ''] = /stake "([^"]+)"/.exec(low?.remedy ?? '') ?? [];
    await runInProcess('paymaster-contract', 'stake', rest, ...payer);
    expect(await found()).toMatchObject({ id: 'stake', level: 'ok', message: 'Its stake is 0.1 ether.' });
  });

  test('executors of a relay that are empty, a contract, a signer, or not the bundler’s', async () => {
    const [executor, other] = [privateKeyToAccount(generatePrivateKey()).address, stranger] as const;
    await devnet.client.setBalance({ address: executor, value: parseEther('1') });
    const signer = privateKeyToAccount(leasedSignerKey).address;
    const found = async (executors: readonly Address[], metrics: string) => {
      const { url } = await startPriceServer((_, response) => response.end(metrics));
      const relay = { kind: 'ALTO', url, executors, entryPoint: '0.7' };
      const { findings } = await examine(
        chain({ bundlerUrl: undefined, bundler: { url: nodes.bundler, expose: 'NONE', relay } }),
      );
      return findings.filter(({ about }) => about.endsWith(', relay')).map(({ id, level }) => `${id} ${level}`);
    };
    const named = (...wallets: readonly Address[]) =>
      wallets.map((wallet) => `alto_executor_wallet_balance{wallet="${wallet}"} 1`).join('\n');
    expect(await found([executor], named(executor))).toEqual(['executor ok', 'executor-owner ok']);
    expect(await found([executor], 'alto_executor_wallets_total_count 1')).toEqual([
      'executor ok',
      'executor-count ok',
    ]);
    expect(await found([executor], '')).toEqual(['executor ok', 'executor-unknown ok']);
    expect(await found([executor], 'alto_executor_wallets_total_count 2')).toContain('executor-other warning');
    expect(await found([executor], named(executor, other))).toContain('executor-other failure');
    expect(await found([executor, other], named(executor))).toEqual(
      expect.arrayContaining(['executor-empty warning', 'executor-other failure']),
    );
    expect(await found([devnet.target.address], '')).toContain('executor-contract failure');
    expect(await found([signer], '')).toContain('executor-signer failure');
  });

  test('something else at the port of the service', async () => {
    const { url } = await startPriceServer(json('{"price": 1}'));
    const { findings } = await examine(whole({ gateway: { adminListen: new URL(url).host } }));
    expect(findings).toContainEqual(expect.objectContaining({ id: 'port-taken', level: 'failure' }));
  });

  test('a program that reports its readiness in the same form', async () => {
    for (const parts of [[], [{ part: 'store', ready: true }]]) {
      const { url } = await startPriceServer(json(JSON.stringify({ ready: true, parts })));
      const { findings } = await examine(
        whole({ gateway: { listen: `127.0.0.1:${closedPort}`, adminListen: new URL(url).host } }),
      );
      expect(troublesOf(findings)).toEqual([expect.objectContaining({ id: 'port-taken', level: 'failure' })]);
      expect(findings.map(({ id }) => id)).not.toContain('service');
    }
  });

  test('another Tollfree service at the port of this one', async () => {
    const parts = [{ part: `chain ${devnet.chainId + 1}`, ready: true, detail: 'the node responds' }];
    const found = await troublesNextTo(await startTestGateway({ core: { status: async () => parts } }));
    expect(found).toEqual([
      expect.objectContaining({
        id: 'port-taken',
        level: 'failure',
        message: expect.stringContaining('Another Tollfree'),
      }),
    ]);
  });

  test('a service that is not ready', async () => {
    const parts = [{ part: `chain ${devnet.chainId}`, ready: false, detail: 'its node does not respond' }];
    const found = await troublesNextTo(await startTestGateway({ core: { status: async () => parts } }));
    expect(found).toEqual([
      expect.objectContaining({
        id: 'service-part',
        level: 'warning',
        message: expect.stringContaining(`chain ${devnet.chainId}: its node does not respond`),
      }),
    ]);
  });

  test('a public URL that leads elsewhere', async () => {
    const gateway = await startTestGateway();
    const document = JSON.stringify({ info: { title: 'Another', version: '1' } });
    const other = new URL((await startPriceServer(json(document))).url).origin;
    expect(await troublesNextTo(gateway, gateway.url)).toEqual([]);
    for (const [publicUrl, message] of [
      [other, /leads to another service/],
      [`http://127.0.0.1:${closedPort}`, /does not lead to this service/],
    ] as const) {
      expect(await troublesNextTo(gateway, publicUrl)).toEqual([
        expect.objectContaining({ id: 'public-url', level: 'warning', message: expect.stringMatching(message) }),
      ]);
    }
  });

  test('a name that only the hosts file knows', async () => {
    write('tollfree.json', JSON.stringify(chain({ nodeUrls: ['https://node.example'], bundlerUrl: undefined })));
    const config = loadConfig({ config: file('tollfree.json') }, {});
    const names = { isKnown: async () => true, serve: async () => [] };
    const found = troublesOf(await runChecks(checkEgress(config, names)));
    expect(found).toEqual([
      expect.objectContaining({ id: 'dns-hosts-file', level: 'warning', about: 'name node.example' }),
    ]);
  });

  test('a look that has no end', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const found = runChecks([{ about: 'a node', run: () => new Promise<never>(() => {}) }]);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(troublesOf(await found)).toEqual([
      expect.objectContaining({ id: 'check-timed-out', about: 'a node', level: 'failure' }),
    ]);
  });

  test('a machine that runs short', () => {
    write('tollfree.json', JSON.stringify(whole()));
    const config = loadConfig({ config: file('tollfree.json') }, {});
    const short = { freeDisk: () => 50 * 2 ** 20, freeMemory: () => 2 ** 20, maxOpenFiles: () => 256 };
    const found = troublesOf(checkMachine(config, short));
    expect(found.map(({ id, level }) => [id, level])).toEqual([
      ['disk', 'failure'],
      ['memory', 'warning'],
      ['open-files', 'warning'],
    ]);
  });

  test('a node that is far away, on a machine that sends slowly after a pause', async () => {
    const roundTripTo = (ms: number): ChainClient => {
      const client = createChainClient(chainConfig(devnet));
      const getChainId: ChainClient['getChainId'] = async () => {
        clockAhead += ms;
        return devnet.chainId;
      };
      return { ...client, getChainId };
    };
    const location = { entryPoints: devnet.entryPoints, confirmations: 0 };
    const found = async (ms: number, isSlow: boolean | undefined) =>
      troublesOf([await checkDistance(location, roundTripTo(ms), findingsAbout('a node'), () => isSlow)].flat());
    expect(await found(100, true)).toEqual([
      expect.objectContaining({ id: 'node-far', level: 'warning', message: expect.stringMatching(/takes 10\d ms/) }),
    ]);
    expect([await found(100, false), await found(100, undefined), await found(5, true)]).toEqual([[], [], []]);
    await deploySimulationCode(devnet);
    expect(await found(100, true)).toEqual([]);
  });

  test('in one of these set-ups, whatever it can find', () => {
    expect(troubleIds.filter((id) => !met.has(id))).toEqual([]);
  });
});

test.each([
  ['ETH / USD', 1, undefined, true],
  ['BTC / USD', 1, undefined, false],
  ['MATIC / USD', 137, undefined, true],
  ['POL / USD', 137, undefined, true],
  ['USDC / USD', 8_453, 'USDbC', true],
  ['USDC / USD', 10, 'USDC.e', true],
  ['USDT / USD', 10, 'USDC', false],
  ['USDC / ETH', 1, 'USDC', false],
])('%s is the price on chain %i of %s: %s', (description, chainId, symbol, isIts) => {
  expect(isPriceOf(description, { chainId, symbol })).toBe(isIts);
});

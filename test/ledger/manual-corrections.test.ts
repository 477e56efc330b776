import { maxAdjustmentReason, maxPageSize, maxStrayDeposits } from '@tollfree/contract/limits';
import { type Address, type Hex, numberToHex, pad, toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { actAs } from '../../core/domain/access/actor.ts';
import type { ChainConfig } from '../../core/domain/core-config.ts';
import { endOfTime } from '../../core/evm/entry-point/entry-point-abi.ts';
import { biconomySponsorship07 } from '../../core/evm/paymaster-contracts/biconomy/biconomy-sponsorship-0.7.ts';
import type { PaymasterContractRuntime } from '../../core/evm/paymaster-contracts/family/family.ts';
import { verifyingPaymaster07 } from '../../core/evm/paymaster-contracts/verifying/verifying-paymaster-0.7.ts';
import { createRowSums } from '../../core/ledger/checking/row-sums.ts';
import { holdBatch } from '../../core/ledger/holds/hold-batch.ts';
import { createLedger, type Ledger } from '../../core/ledger/manage-ledger.ts';
import { auditedStore, recordOperations } from '../../core/management/audit-log/audited-store.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import type { FollowedChain } from '../../core/node/followed-chain.ts';
import { fromWeiText } from '../../core/store/wei.ts';
import {
  chainId,
  contract,
  depositEvent,
  entryPoint,
  type HoldAsked,
  holdRequest,
  insertPaymaster,
  landedEvent,
  numberedAddress,
  post,
  readTank,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';
import {
  type RpcServer,
  respond,
  respondError,
  respondResult,
  startRpcServer,
} from '../support/servers/json-rpc-server.ts';

const paymasterId = '10000000-0000-4000-8000-000000000001';
const accountId = '20000000-0000-4000-8000-000000000001';
const wallet = numberedAddress(1);
const key = numberedAddress(0x51);
const otherContract = numberedAddress(0xc2);
/** Unix seconds. */
const now = 10_000;
const ether = 10n ** 18n;
/** Of every block. */
const hash = pad('0xaa');

type ConfiguredContract = Pick<PaymasterContractRuntime, 'family' | 'fault'> & { readonly address: Address };

let node: RpcServer;
/** What the node says, and the watcher has seen; the deposit is that of the ledger where it is not told otherwise. */
let reported: {
  isAway: boolean;
  deposit: bigint | undefined;
  time: number;
  nextNonce: bigint;
  keys: Address;
  /** What happens meanwhile. */
  before: () => Promise<unknown>;
  /** The last block there is. */
  head: bigint;
  view: bigint | undefined;
  walletBalance: bigint | undefined;
};
const ledger = useLedger();
let operations: Ledger;
let contracts: Map<string, PaymasterContractRuntime>;
let chains: Map<number, FollowedChain>;

async function bookDeposit(): Promise<bigint> {
  const { deposit } = await ledger.store.db.selectFrom('contract_totals').select('deposit').executeTakeFirstOrThrow();
  return fromWeiText(deposit);
}

const word = (value: bigint) => toHex(value, { size: 32 });

async function answerCall({ to, data }: { readonly to: Hex; readonly data: Hex }): Promise<Hex> {
  if (to.toLowerCase() === contract.toLowerCase()) return pad(reported.keys).toLowerCase() as Hex;
  // `balanceOf` or `getNonce` of the EntryPoint.
  return word(data.startsWith('0x70a08231') ? (reported.deposit ?? (await bookDeposit())) : reported.nextNonce);
}

beforeAll(async () => {
  node = await startRpcServer(async (request, response) => {
    await reported.before();
    const [first] = request.params;
    if (reported.isAway) return respondError(response, request, -32_000, 'overloaded');
    if (request.method === 'eth_call') return respondResult(response, request, await answerCall(first as never));
    if (BigInt(first as Hex) > reported.head)
      return respond(response, { jsonrpc: '2.0', id: request.id, result: null });
    respondResult(response, request, {
      number: first,
      hash,
      parentHash: hash,
      timestamp: numberToHex(reported.time),
      transactions: [],
    });
  });
});
afterAll(() => node.close());

beforeEach(async () => {
  reported = {
    isAway: false,
    deposit: undefined,
    time: 1,
    nextNonce: 0n,
    keys: key,
    before: async () => {},
    head: 10n ** 6n,
    view: 10n ** 20n,
    walletBalance: undefined,
  };
  const runtime = { version: '1', family: verifyingPaymaster07, location: { chainId, address: contract, entryPoint } };
  contracts = new Map([['1', runtime as PaymasterContractRuntime]]);
  const config = {
    chainId,
    name: 'chain',
    nodeUrls: [node.url],
    callTimeoutMs: 5_000,
    pollIntervalMs: 100,
    startBlock: 0n,
  } as unknown as ChainConfig;
  const deposits = () => new Map([contract, otherContract].map((address) => [address, reported.view ?? 0n]));
  const watcher = {
    view: () => (reported.view === undefined ? undefined : { headTime: now, deposits: deposits() }),
    catchUp: () => Promise.reject(new Error('The chain stands still.')),
  };
  const followed = { config, client: createChainClient(config), watcher, contracts };
  const customerBalances = { read: async () => reported.walletBalance };
  chains = new Map([[chainId, { ...followed, customerBalances } as unknown as FollowedChain]]);
  const clock = { now: () => now * 1_000 };
  const rows = createRowSums(ledger.store, clock);
  operations = recordOperations(createLedger({ store: auditedStore(ledger.store, clock), rows, chains, clock }));
  await insertPaymaster(ledger.store, { paymasterId, accountId });
});

/** What the audit log has: who did what at whose account, and the objects that changed. */
async function readLog() {
  const rows = await ledger.store.db.selectFrom('audit_log').selectAll().orderBy('entry_number').execute();
  return rows.map((row) => ({
    operation: row.operation,
    accountId: row.account_id,
    by: row.actor_kind,
    objects: row.objects.trim().split(' '),
  }));
}

/** Sets the only contract: its family, what is wrong with it, and where it is. */
function configure({ family, address, fault }: ConfiguredContract): void {
  const runtime = { version: '1', family, location: { chainId, address, entryPoint }, ...(fault && { fault }) };
  contracts.set('1', runtime as PaymasterContractRuntime);
}

/** Posts some events, in blocks that the node has. */
async function book(...events: Parameters<typeof post>[1]): Promise<void> {
  await post(ledger.store, events);
  await ledger.store.db.updateTable('contract_watches').set({ last_hash: hash }).execute();
}

async function fundBy(funding: Address): Promise<void> {
  await ledger.store.db
    .updateTable('paymasters')
    .set({ funding_wallet: funding })
    .where('paymaster_id', '=', paymasterId)
    .execute();
}

async function hold(over: HoldAsked = {}): Promise<number> {
  const request = holdRequest({ tank: tankOf(1), amount: 60n, paymasterId, signer: key, ...over });
  const [outcome] = await ledger.store.transaction((transaction) => holdBatch(transaction, [request], 1));
  if (outcome?.kind !== 'held') throw new Error('Nothing was held.');
  return outcome.holdId;
}

/** The reason of a refusal, its field where it has one, and its message; else what was accepted. */
function reportedBy(result: { readonly ok: boolean; readonly value?: unknown; readonly refusal?: object }): string {
  if (result.refusal === undefined)
    return JSON.stringify(result.value, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  const { reason, field = '', message } = result.refusal as Record<string, string>;
  return `${reason} ${field}: ${message}`;
}

describe('the tank of a paymaster', () => {
  const owned = { paymasterId, accountId };

  test('is only its owner’s, and only of a chain and a contract that are configured', async () => {
    const strange = { paymasterId, accountId: '20000000-0000-4000-8000-000000000002' };
    for (const asked of [strange, { paymasterId: 'unknown', accountId }]) {
      expect(reportedBy(await operations.readGasTank(asked))).toMatch(/^PAYMASTER_NOT_FOUND/);
      expect(reportedBy(await operations.listGasTankEntries(asked))).toMatch(/^PAYMASTER_NOT_FOUND/);
    }
    contracts.clear();
    expect(reportedBy(await operations.readGasTank(owned))).toMatch(
      /^PAYMASTER_VERSION_NOT_SUPPORTED .*version not supported/,
    );
    chains.clear();
    expect(reportedBy(await operations.readGasTank(owned))).toMatch(/^PAYMASTER_CHAIN_NOT_SUPPORTED .*not supported/);
  });

  test('is empty without a funding wallet, next to the deposit as far as that is known', async () => {
    const empty = { chainId, contract, funded: 0n, settled: 0n, held: 0n, available: 0n };
    expect(await operations.readGasTank(owned)).toEqual({ ok: true, value: { ...empty, chainDeposit: reported.view } });
    reported.view = undefined;
    expect(await operations.readGasTank(owned)).toEqual({ ok: true, value: empty });
    expect(await operations.listGasTankEntries(owned)).toEqual({ ok: true, value: [] });
  });

  test('says what is in it and how it is filled, which no one should where the contract is another one', async () => {
    await fundBy(wallet);
    await book(depositEvent(1, 100n));
    await hold();
    const sums = { fundingWallet: wallet, funded: 100n, settled: 0n, held: 60n, available: 40n };
    const filled = await operations.readGasTank(owned);
    expect(filled).toMatchObject({ value: { ...sums, filling: { to: entryPoint, from: 'funding-wallet' } } });
    expect(reportedBy(filled)).not.toMatch(/formerTanks|strayDeposits/);
    configure({ family: verifyingPaymaster07, address: contract, fault: 'It is another contract.' });
    const faulty = await operations.readGasTank(owned);
    expect(faulty).toMatchObject({ value: sums });
    expect(reportedBy(faulty)).not.toContain('filling');
    reported.view = undefined;
    expect(await operations.readGasTank(owned)).toMatchObject({ value: { available: 0n } });
  });

  test('has no more than its wallet has where the contract keeps balances, and nothing while that is not known', async () => {
    await fundBy(wallet);
    await book(depositEvent(1, 100n));
    configure({ family: biconomySponsorship07, address: contract });
    expect(await operations.readGasTank(owned)).toMatchObject({ value: { funded: 100n, available: 0n } });
    reported.walletBalance = 30n;
    const known = await operations.readGasTank(owned);
    expect(known).toMatchObject({ value: { available: 30n, filling: { to: contract, from: 'anybody' } } });
  });

  test('names what earlier wallets left, and the wallet’s own deposits that are in no tank', async () => {
    for (const address of [wallet, numberedAddress(2)]) {
      const kept = {
        paymaster_id: paymasterId,
        address,
        message: 'message',
        signature: toHex(1, { size: 65 }),
        set_at: 1,
      };
      await ledger.store.db.insertInto('funding_wallets').values(kept).execute();
    }
    await fundBy(wallet);
    const location = { blockNumber: 1n, txHash: pad('0x77'), logIndex: 1 } as const;
    const stray = { kind: 'deposit', contract, totalDeposit: 0n, rise: 7n, sender: wallet, ...location } as const;
    await book(depositEvent(1, 100n), depositEvent(2, 50n), stray);
    await hold({ tank: tankOf(2), amount: 20n });
    await hold({ tank: tankOf(2), amount: 10n, nonce: 1n });
    await book(landedEvent(0xa1, 1n, 4n));
    expect(await operations.readGasTank(owned)).toMatchObject({
      value: {
        formerTanks: [{ fundingWallet: numberedAddress(2), left: 26n, held: 20n }],
        strayDeposits: [{ txHash: pad('0x77'), amount: 7n, recovery: expect.stringContaining('Ask the operator') }],
      },
    });
    const hashes = Array.from({ length: maxStrayDeposits }, (_, index) => toHex(0x1000 + index, { size: 32 }));
    await book(...hashes.map((txHash) => ({ ...stray, rise: 8n, txHash })));
    const full = await operations.readGasTank(owned);
    const listed = full.ok ? (full.value.strayDeposits ?? []).map(({ txHash }) => txHash) : [];
    expect(listed.toSorted()).toEqual(hashes);
  });

  test('lists its entries, the newest first, page by page', async () => {
    await fundBy(wallet);
    await book(depositEvent(1, 100n), depositEvent(2, 5n));
    await hold();
    await operations.adjustTank({ paymasterId, kind: 'credit', amount: 3n, reason: 'gift' });
    const kinds = async (page: { limit?: number; beforeEntryId?: number }) => {
      const listed = await operations.listGasTankEntries({ ...owned, ...page });
      if (!listed.ok) throw new Error(listed.refusal.message);
      return listed.value;
    };
    const all = await kinds({});
    expect(all).toMatchObject([
      { kind: 'credit', amount: 3n, reason: 'gift', createdAt: now },
      { kind: 'deposit', amount: 100n, txHash: expect.stringMatching(/^0x/), logIndex: expect.any(Number) },
    ]);
    expect(await kinds({ limit: 1 })).toEqual(all.slice(0, 1));
    expect(await kinds({ limit: 0 })).toEqual(all.slice(0, 1));
    expect(await kinds({ beforeEntryId: all[0]?.entryId ?? 0, limit: maxPageSize + 1 })).toEqual(all.slice(1));
  });
});

describe('an operation that landed', () => {
  test('names where on chain it was paid for, and the hold that it ended with it', async () => {
    await fundBy(wallet);
    await book(depositEvent(1, 100n));
    await hold();
    await hold({ paymasterId: 'another', amount: 30n });
    const landed = landedEvent(0xa1, 0n, 25n);
    await book(landed);
    const { txHash, logIndex } = landed;
    const entries = await operations.listGasTankEntries({ paymasterId, accountId, limit: 2 });
    expect(entries).toMatchObject({
      value: [
        { kind: 'settle', amount: 25n, txHash, logIndex },
        { kind: 'release', amount: 60n, txHash, logIndex },
      ],
    });
  });
});

describe('an adjustment', () => {
  const credit = { paymasterId, kind: 'credit', amount: 1n, reason: 'gift' } as const;
  const billion = 10n ** 9n * ether;

  test('is refused where its amount, reason, transaction or tank is none, and changes nothing', async () => {
    expect(reportedBy(await operations.adjustTank(credit))).toMatch(
      /^INVALID_FIELD paymasterId: .*with a funding wallet/,
    );
    await fundBy(wallet);
    await book(depositEvent(1, 100n));
    const bounds = `must be from 1 to ${billion} wei`;
    for (const amount of [0n, -1n, billion + 1n]) {
      expect(reportedBy(await operations.adjustTank({ ...credit, amount }))).toContain(
        `INVALID_FIELD amount: amount ${bounds}`,
      );
    }
    for (const reason of ['', ' ', 'two\nlines', '\ud800', 'r'.repeat(maxAdjustmentReason + 1)]) {
      const refused = reportedBy(await operations.adjustTank({ ...credit, reason }));
      expect(refused).toMatch(/^INVALID_FIELD reason: .*must be 1 to 200 printable characters/);
    }
    for (const forTransaction of ['0x12', `0x${'A'.repeat(64)}`, `0x${'a'.repeat(65)}`, `1${pad('0x01')}`] as Hex[]) {
      const refused = reportedBy(await operations.adjustTank({ ...credit, forTransaction }));
      expect(refused).toMatch(/^INVALID_FIELD forTransaction: .*0x and 64 hex digits/);
    }
    const unknown = reportedBy(await operations.adjustTank({ ...credit, forTransaction: pad('0x01') }));
    expect(unknown).toMatch(/^INVALID_FIELD forTransaction: .*is not a deposit/);
    expect(reportedBy(await operations.adjustTank({ ...credit, paymasterId: 'unknown' }))).toMatch(
      /^PAYMASTER_NOT_FOUND/,
    );
    const tooMuch = reportedBy(await operations.adjustTank({ ...credit, kind: 'debit', amount: 101n }));
    expect(tooMuch).toMatch(/^INSUFFICIENT_FUNDS .*available balance is lower/);
    expect(await readTank(ledger.store, tankOf(1))).toEqual({ funded: 100n, settled: 0n, held: 0n });
  });

  test('is made to the largest amount with the longest reason, and answers with the tank', async () => {
    await fundBy(wallet);
    const reason = 'r'.repeat(maxAdjustmentReason);
    expect(await operations.adjustTank({ ...credit, amount: billion, reason })).toMatchObject({
      value: { funded: billion },
    });
    const debit = { ...credit, kind: 'debit', amount: billion } as const;
    const adjusted = actAs({ kind: 'operator' }, () => operations.adjustTank(debit));
    expect(await adjusted).toMatchObject({ ok: true, value: { funded: 0n, fundingWallet: wallet } });
    expect((await readLog()).at(-1)).toEqual({
      operation: 'adjustTank',
      accountId,
      by: 'operator',
      objects: expect.arrayContaining([`${chainId}:${contract}:${wallet}`]),
    });
  });
});

describe('open holds', () => {
  const list = async (asked: Partial<Parameters<Ledger['listOpenHolds']>[0]> = {}) => {
    const listed = await operations.listOpenHolds({ chainId, ...asked });
    return listed.ok ? listed.value.map(({ holdId }) => holdId) : reportedBy(listed);
  };

  test('are listed by chain and sender, the oldest first, as far as they are open', async () => {
    await book(depositEvent(1, 1_000n));
    const [first, second, landed] = [await hold({ nonce: 1n }), await hold({ nonce: 2n }), await hold({ nonce: 3n })];
    const other = numberedAddress(0xa2);
    const [third, lasting] = [
      await hold({ sender: other }),
      await hold({ sender: other, nonce: 1n, validUntil: endOfTime }),
    ];
    await book(landedEvent(0xa1, 3n, 5n));
    expect(landed).toBeGreaterThan(second);
    expect(await list()).toEqual([first, second, third, lasting]);
    expect(await list({ sender: other.toLowerCase() })).toEqual([third, lasting]);
    expect(await list({ afterHoldId: first, limit: 2 })).toEqual([second, third]);
    expect(await list({ limit: 0 })).toEqual([first]);
    expect(await list({ limit: maxPageSize + 1 })).toHaveLength(4);
    const whole = await operations.listOpenHolds({ chainId, afterHoldId: second });
    const common = { chainId, contract, wallet, paymasterId, sender: other, amount: 60n, createdAt: 1 };
    expect(whole).toEqual({
      ok: true,
      value: [
        { ...common, holdId: third, nonce: 0n, validUntil: 1_000 },
        { ...common, holdId: lasting, nonce: 1n },
      ],
    });
  });

  test('are of no other chain and of no sender that is none', async () => {
    expect(await list({ chainId: chainId + 1 })).toMatch(
      /^INVALID_FIELD chainId: .*must be a chain of the configuration/,
    );
    expect(await list({ sender: 'someone' })).toMatch(/^INVALID_FIELD sender: .*must be an address/);
  });
});

describe('a hold that the operator wants released', () => {
  let holdId: number;
  const release = async (over: Partial<Parameters<Ledger['releaseHold']>[0]> = {}) =>
    reportedBy(await operations.releaseHold({ chainId, holdId, reason: 'stuck', ...over }));
  const held = async () => (await readTank(ledger.store, tankOf(1)))?.held;

  beforeEach(async () => {
    await book(depositEvent(1, 100n));
    holdId = await hold();
  });

  test('is, once nothing can land under it, and its entry says why', async () => {
    await fundBy(wallet);
    expect(await release()).toMatch(/^INVALID_FIELD holdId: .*under which nothing can land any more/);
    expect(await held()).toBe(60n);
    reported.nextNonce = 1n;
    const released = await operations.releaseHold({ chainId, holdId, reason: 'stuck' });
    const ground = expect.stringContaining('had used the nonce for another operation');
    expect(released).toEqual({
      ok: true,
      value: { holdId, sender: numberedAddress(0xa1), nonce: 0n, amount: 60n, ground },
    });
    expect(await held()).toBe(0n);
    const entries = await operations.listGasTankEntries({ paymasterId, accountId, limit: 1 });
    expect(entries).toMatchObject({ value: [{ kind: 'release', amount: 60n, createdAt: now }] });
    expect(reportedBy(entries)).toContain('by the operator: stuck (the account had used the nonce');
    expect(await release()).toMatch(/^INVALID_FIELD holdId: .*must be of an open hold: it was released already/);
    expect(await readLog()).toMatchObject([{ operation: 'releaseHold', by: 'service', objects: [`${holdId}`] }]);
  });

  test('is, where an earlier version has not noted who signed under it', async () => {
    await ledger.store.db.updateTable('holds').set({ signers: null }).execute();
    reported.keys = numberedAddress(0x53);
    expect(await release()).toMatch(/^INVALID_FIELD holdId: .*the keys that signed under it are not known/);
    reported.nextNonce = 1n;
    expect(await release()).toContain('had used the nonce');
    expect(await held()).toBe(0n);
  });

  test('is not, without a reason, of another chain or hold, or of one that has landed', async () => {
    reported.nextNonce = 1n;
    expect(await release({ chainId: 1 })).toMatch(/^INVALID_FIELD chainId: .*must be a chain of the configuration/);
    expect(await release({ reason: '' })).toMatch(/^INVALID_FIELD reason/);
    expect(await release({ holdId: holdId + 1 })).toMatch(/^INVALID_FIELD holdId: .*must be of a hold of the chain/);
    await book(landedEvent(0xa1, 0n, 5n));
    expect(await release()).toMatch(/^INVALID_FIELD holdId: .*its operation has landed already/);
  });

  test('is not while its contract is not followed or its ledger has not been read', async () => {
    reported.nextNonce = 1n;
    await ledger.store.db.updateTable('contract_watches').set({ last_hash: '' }).execute();
    expect(await release()).toMatch(/^CHAIN_UNAVAILABLE .*has not been read from the chain yet/);
    await ledger.store.db.deleteFrom('contract_watches').execute();
    expect(await release()).toMatch(/^CHAIN_UNAVAILABLE .*has not been read from the chain yet/);
    configure({ family: verifyingPaymaster07, address: otherContract });
    expect(await release()).toContain(`must be of a configured contract: operations for ${contract} are not followed`);
    expect(await held()).toBe(60n);
  });

  /** Once, while the node is asked. */
  function meanwhile(happens: () => Promise<unknown>): void {
    reported.before = () => {
      reported.before = async () => {};
      return happens();
    };
  }

  test('is not when the hold or its ledger changed while the chain was asked', async () => {
    reported.nextNonce = 1n;
    const changed = /^CHAIN_UNAVAILABLE .*changed during the check\. Try again/;
    meanwhile(() => hold({ signer: numberedAddress(0x52) }));
    expect(await release()).toMatch(changed);
    meanwhile(() => hold({ validUntil: 2_000 }));
    expect(await release()).toMatch(changed);
    meanwhile(() => ledger.store.db.updateTable('contract_watches').set({ reversals: 1 }).execute());
    expect(await release()).toMatch(changed);
    expect(await held()).toBe(60n);
    meanwhile(() => book(landedEvent(0xa1, 0n, 5n)));
    reported.deposit = 100n;
    expect(await release()).toMatch(/its operation has landed already/);
  });
});

describe('the kept sums next to the chain', () => {
  const states = async () => {
    const read = await operations.readLedgerStates();
    if (!read.ok) throw new Error(read.refusal.message);
    return read.value;
  };

  test('are compared as of the last block of the ledger, for each contract once', async () => {
    const [runtime] = contracts.values();
    if (runtime !== undefined) contracts.set('2', { ...runtime, version: '2' });
    await book(depositEvent(1, 100n));
    await hold();
    reported.deposit = 93n;
    const watch = await ledger.store.db.selectFrom('contract_watches').select('next_block').executeTakeFirstOrThrow();
    const atBlock = BigInt(watch.next_block) - 1n;
    const sums = { chainId, contract, entryPoint, atBlock, bookDeposit: 100n, held: 60n };
    expect(await states()).toEqual([{ ...sums, state: 'compared', chainDeposit: 93n, difference: -7n }]);
    reported.isAway = true;
    expect(await states()).toEqual([{ ...sums, state: 'unreachable' }]);
  });

  test('are not compared before the first block, and are compared again when the ledger moved on meanwhile', async () => {
    expect(await states()).toMatchObject([{ state: 'unreachable', atBlock: 0n, bookDeposit: 0n }]);
    await book(depositEvent(1, 100n));
    const { db } = ledger.store;
    let asked = 0;
    const move = (last: number) => async () => {
      asked += 1;
      if (asked > last) return;
      await db
        .updateTable('contract_watches')
        .set({ last_hash: `0x${last}${asked}` })
        .execute();
    };
    reported.deposit = 93n;
    reported.before = move(1);
    expect(await states()).toMatchObject([{ difference: -7n }]);
    expect(asked).toBe(2);
    asked = 0;
    reported.before = move(100);
    expect(await states()).toMatchObject([{ difference: -7n }]);
    // Not for ever.
    expect(asked).toBe(3);
  });
});

describe('the whole check', () => {
  test('names all versions of a contract’s paymasters, and the balances where one of them keeps them', async () => {
    await fundBy(wallet);
    await book(depositEvent(1, 100n));
    const plain = await operations.checkLedger({ allRows: false });
    expect(plain).toMatchObject({
      value: [{ contract, state: 'compared', difference: 0n, idleTankCount: 0, faults: [] }],
    });
    expect(reportedBy(plain)).not.toContain('customerBalances');
    // A second version that keeps balances comes first or last.
    const [runtime] = contracts.values();
    if (runtime === undefined) throw new Error('There is no contract.');
    const keeping = { ...runtime, version: '0', family: biconomySponsorship07 };
    const orders = [
      [keeping, runtime],
      [runtime, keeping],
    ];
    for (const order of orders) {
      contracts.clear();
      for (const each of order) contracts.set(each.version, each);
      const [report, ...others] = (await operations.checkLedger({ allRows: false })).ok
        ? Object(await operations.checkLedger({ allRows: false })).value
        : [];
      expect(others).toEqual([]);
      expect(report).toHaveProperty('customerBalances');
      // The paymaster of version 1 pays from it.
      expect(report.idleTankCount).toBe(0);
    }
  });
});

describe('a ledger that an operator rolls back', () => {
  const reversal = async (block: bigint, chain = chainId) => {
    const done = await operations.revertLedger({ chainId: chain, block });
    return done.ok ? done.value : reportedBy(done);
  };
  const watch = () =>
    ledger.store.db.selectFrom('contract_watches').select(['next_block', 'last_hash']).executeTakeFirst();
  const config = (startBlock: bigint) => {
    const chain = chains.get(chainId);
    if (chain !== undefined) chains.set(chainId, { ...chain, config: { ...chain.config, startBlock } });
  };

  test('lose what came after a block, and go on after it', async () => {
    const [first, second] = [depositEvent(1, 100n), depositEvent(1, 7n)];
    await book(first, second);
    const to = first.blockNumber;
    const fromBlock = second.blockNumber;
    // A version that names the same contract again takes nothing back again.
    const [runtime] = contracts.values();
    if (runtime !== undefined) contracts.set('2', { ...runtime, version: '2' });
    expect(await reversal(to)).toEqual([{ contract, fromBlock, nextBlock: to + 1n, entries: 1 }]);
    expect(await bookDeposit()).toBe(100n);
    expect(await watch()).toEqual({ next_block: Number(to) + 1, last_hash: hash });
    // A ledger that has not come further stays as it is.
    expect(await reversal(to)).toEqual([]);
    expect(await reversal(to + 1n)).toEqual([]);
    const objects = [`${chainId}:${contract}`];
    expect(await readLog()).toEqual([{ operation: 'revertLedger', accountId: null, by: 'service', objects }]);
  });

  test('begin again when nothing is left of them, which no node needs to know', async () => {
    const opening = depositEvent(1, 100n);
    await book(opening);
    config(opening.blockNumber + 1n);
    await book(depositEvent(1, 7n));
    reported.isAway = true;
    expect(await reversal(opening.blockNumber)).toMatchObject([{ nextBlock: opening.blockNumber + 1n, entries: 2 }]);
    expect(await bookDeposit()).toBe(0n);
    expect(await watch()).toEqual({ next_block: Number(opening.blockNumber) + 1, last_hash: '' });
  });

  test('stay for a chain that is not configured, a block that is not there or too far back, and a node that is away', async () => {
    await book(depositEvent(1, 100n));
    expect(await reversal(1n, 1)).toMatch(/^INVALID_FIELD chainId: .*must be a chain of the configuration/);
    expect(await reversal(-1n)).toMatch(/^INVALID_FIELD block: .*must be at least 0$/);
    expect(await reversal(reported.head + 1n)).toMatch(/^INVALID_FIELD block: .*must be a block that the chain has/);
    config(1n);
    expect(await reversal(-1n)).toMatch(
      /^INVALID_FIELD block: .*must be at least 0: everything after it is read again/,
    );
    config(5n);
    expect(await reversal(3n)).toMatch(/^INVALID_FIELD block: .*must be at least 4: everything after it is read again/);
    config(0n);
    reported.isAway = true;
    expect(await reversal(0n)).toMatch(/^CHAIN_UNAVAILABLE/);
    expect(await bookDeposit()).toBe(100n);
  });
});

import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ArchiveStep } from '../../core/domain/ledger-report.ts';
import type { Result } from '../../core/domain/result/result.ts';
import { readLimitUse } from '../../core/ledger/accounts/read-limit-use.ts';
import { archiveLedger } from '../../core/ledger/archiving/archive-ledger.ts';
import { checkAccounts } from '../../core/ledger/checking/check-accounts.ts';
import { createRowSums } from '../../core/ledger/checking/row-sums.ts';
import { holdBatch } from '../../core/ledger/holds/hold-batch.ts';
import { isHotWallet, readLatestTransfers } from '../../core/ledger/hot-wallet/transfers.ts';
import type { PostedAt } from '../../core/ledger/journal.ts';
import { blocksToRevert } from '../../core/ledger/posting/pass-block.ts';
import { releaseExpired } from '../../core/ledger/posting/release-expired.ts';
import { revertTo } from '../../core/ledger/revert/revert-to.ts';
import { readStatement } from '../../core/ledger/statements/read-statement.ts';
import { readGasTank } from '../../core/ledger/tanks/read-gas-tank.ts';
import { calledKey } from '../../core/policies/called-limits.ts';
import { archiveAll } from '../../core/runtime/upkeep.ts';
import { checkContractLedger } from '../support/core/check-contract-ledger.ts';
import {
  chainId,
  contract,
  depositEvent,
  holdRequest,
  insertPaymaster,
  landedEvent,
  numberedAddress,
  paidInTokens,
  plenty,
  post,
  readTank,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { setPolicyLimits } from '../support/core/set-limits.ts';
import { useLedger } from '../support/core/use-ledger.ts';

const day = 86_400;
/** The operations below are of the first days of 2025, and now is a year later. */
const then = Date.UTC(2025, 0, 3) / 1_000;
const now = Date.UTC(2026, 0, 3) / 1_000;
const clock = { now: () => now * 1_000, monotonicMs: () => 0 } as never;

const ledger = useLedger();
beforeEach(async () => {
  await post(ledger.store, [depositEvent(1, 1_000_000n)], { now: then });
});

const store = () => ledger.store;
const checkedLedger = () =>
  store().transaction((trx) => checkContractLedger(trx, { chainId, contract, keepsBalances: false }));

/** Operations that landed, one a nonce. */
async function land(nonces: readonly number[], at = then, prices: Pick<PostedAt, 'coinPrice'> = {}): Promise<void> {
  const requests = nonces.map((nonce) => holdRequest({ tank: tankOf(1), amount: 100n, nonce: BigInt(nonce) }));
  await store().transaction((trx) => holdBatch(trx, requests, at));
  const landed = nonces.map((nonce) => landedEvent(0xa1, BigInt(nonce), 60n));
  await post(store(), landed, { now: at, ...prices });
}

/** The chain goes on until no reorg reaches what is in the ledger. */
async function bury(): Promise<void> {
  const by = Number(blocksToRevert) + 1;
  await sql`UPDATE contract_watches SET next_block = next_block + ${by}`.execute(store().db);
}

const step = (input: Partial<Parameters<typeof archiveLedger>[1]> = {}) =>
  archiveLedger({ store: store(), clock }, { olderThanDays: 90, after: '', stored: '', ...input });

function accepted(result: Result<ArchiveStep>): ArchiveStep {
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
}

/** Archives everything that is due; answers the rows in their order. */
async function archive(): Promise<readonly Record<string, unknown>[]> {
  let [last, lines] = [{ after: '', rows: '', isLast: false }, ''];
  do {
    last = accepted(await step({ after: last.after, stored: last.rows }));
    lines += last.rows;
  } while (last.rows !== '' || !last.isLast);
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

async function countOf(table: 'journal' | 'holds' | 'signatures' | 'token_payments'): Promise<number> {
  const { count } = await store()
    .db.selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

test('keeps every sum when the rows of old operations go', async () => {
  await land([1, 2, 3, 4, 5]);
  await land([6], now - day);
  await bury();
  const [before, tankBefore] = [await checkedLedger(), await readTank(store(), tankOf(1))];
  expect(before.faults).toEqual([]);
  const rows = await archive();
  expect(rows.filter(({ table }) => table === 'journal')).toHaveLength(5);
  expect(rows.filter(({ table }) => table === 'holds')).toHaveLength(5);
  expect(await countOf('holds')).toBe(1);
  expect(await countOf('journal')).toBe(1 + 1);
  expect(await checkedLedger()).toEqual(before);
  expect(await readTank(store(), tankOf(1))).toEqual(tankBefore);
});

test('archives old transfers of a hot wallet that have ended, and still knows the wallet', async () => {
  const [wallet, other] = [numberedAddress(0xf1), numberedAddress(0xf2)];
  const transfer = (nonce: number, state: 'open' | 'landed' | 'failed', fields: object = {}) => ({
    chain_id: chainId,
    wallet,
    target: contract,
    entry_point: null,
    amount: '5',
    nonce,
    gas: 21_000,
    max_fee: '2',
    max_tip: '1',
    tx_hashes: '[]',
    state,
    created_at: then,
    ended_at: state === 'open' ? null : then,
    ...fields,
  });
  const recent = { created_at: now - day, ended_at: now - day };
  const transfers = [
    transfer(0, 'landed'),
    transfer(1, 'open'),
    transfer(2, 'failed'),
    transfer(3, 'landed', recent),
    transfer(0, 'landed', { wallet: other }),
  ];
  await store().db.insertInto('hot_wallet_transfers').values(transfers).execute();
  const rows = (await archive()).filter(({ table }) => table === 'hot_wallet_transfers');
  expect(rows.map(({ nonce, state }) => [nonce, state])).toEqual([
    [0, 'landed'],
    [2, 'failed'],
  ]);
  const left = await readLatestTransfers(store().db, chainId, 10);
  expect(left.map(({ wallet: of, nonce }) => [of, nonce])).toEqual([
    [other, 0],
    [wallet, 3],
    [wallet, 1],
  ]);
  expect(await isHotWallet(store().db, { chainId, wallet: other })).toBe(true);
});

test('states a month the same after its operations are archived, however often that happens', async () => {
  const of = {
    paymasterId: 'paymaster',
    payer: 'CONTRACT',
    chainId,
    contract,
    wallet: numberedAddress(1),
    keepsBalances: false,
    from: Date.UTC(2025, 0) / 1_000,
    until: Date.UTC(2025, 1) / 1_000,
  } as const;
  const statement = () => store().read((snapshot) => readStatement(snapshot, of));
  const coinPrice = { usdMicrosPerCoin: 10n ** 15n, at: then };
  for (const operations of [3, 6, 9]) {
    const nonces = [1, 2, 3].map((nonce) => operations + nonce);
    await land(nonces, then, operations === 6 ? {} : { coinPrice });
    await bury();
    const [before, checked] = [await statement(), await checkedLedger()];
    expect(before[0]).toMatchObject({ operations, spent: { wei: BigInt(operations) * 60n } });
    expect(checked.faults).toEqual([]);
    await archive();
    expect(await statement()).toEqual(before);
    expect(await checkedLedger()).toEqual(checked);
  }
});

test('archives many operations step by step, past more rows that stay than one step reads', async () => {
  const deposits = Array.from({ length: 1_000 }, () => depositEvent(1, 1n));
  await post(store(), deposits, { now: then });
  await land(Array.from({ length: 40 }, (_, index) => index));
  await bury();
  const before = await checkedLedger();
  const rows = await archive();
  const counts = (['journal', 'holds'] as const).map((name) => rows.filter(({ table }) => table === name).length);
  // The newest row of each stays.
  expect(counts).toEqual([40 - 1, 40 - 1]);
  expect(before.faults).toEqual([]);
  expect(await checkedLedger()).toEqual(before);
});

test('archives more signatures of an operation than one step has', async () => {
  await land([1, 2]);
  await bury();
  const hashes = Array.from({ length: 150 }, (_, index) => `0x${index.toString(16).padStart(64, '0')}`);
  const signed = hashes.map((user_operation_hash) => ({ user_operation_hash, hold_id: 1, created_at: then }));
  await store().db.insertInto('signatures').values(signed).execute();
  const rows = (await archive()).filter(({ table }) => table === 'signatures');
  // The last ones are those of the operations themselves.
  expect(rows.map(({ user_operation_hash }) => user_operation_hash).slice(0, -2)).toEqual(hashes);
  expect(await countOf('signatures')).toBe(0);
});

test('says since when entries are listed', async () => {
  await land([1, 2]);
  await bury();
  const tank = () => store().transaction((trx) => readGasTank(trx, tankOf(1), { chainDeposit: plenty }, now));
  expect((await tank()).entriesSince).toBeUndefined();
  await archive();
  expect((await tank()).entriesSince).toBe(now - 90 * day);
});

describe('leaves in the ledger', () => {
  test('what a reorg that the ledger follows can reach', async () => {
    await land([1, 2]);
    expect(await archive()).toEqual([]);
    expect(await countOf('journal')).toBe(1 + 2);
    expect((await checkedLedger()).faults).toEqual([]);
    const { archived_block } = await store()
      .db.selectFrom('contract_watches')
      .select('archived_block')
      .executeTakeFirstOrThrow();
    expect(archived_block).toBeNull();
  });

  test('operations that are not old enough', async () => {
    await land([1, 2], now - 89 * day);
    await bury();
    expect(await archive()).toEqual([]);
  });

  test('a live hold, however old, and what its signature can still cost', async () => {
    const request = holdRequest({ tank: tankOf(1), amount: 100n, nonce: 9n });
    await store().transaction((trx) => holdBatch(trx, [request], then));
    await land([10]);
    await bury();
    await archive();
    expect((await checkedLedger()).faults).toEqual([]);
    await post(store(), [landedEvent(0xa1, 9n, 60n)], { now });
    expect(await readTank(store(), tankOf(1))).toMatchObject({ settled: 120n, held: 0n });
    expect((await checkedLedger()).faults).toEqual([]);
  });

  test('the hold of a decision that is kept', async () => {
    await land([1, 2]);
    await bury();
    const none = Buffer.of();
    await sql`INSERT INTO decisions (decision_id, paymaster_id, chain_id, method, outcome, hold_id,
      record, reasons, created_at) VALUES ('one', 'paymaster', ${chainId}, 'getPaymasterData', 'signed', 1, '{}', ${none}, ${then})`.execute(
      store().db,
    );
    await archive();
    expect(await store().db.selectFrom('holds').select('hold_id').execute()).toEqual([{ hold_id: 1 }, { hold_id: 2 }]);
    expect((await checkedLedger()).faults).toEqual([]);
  });

  test('what was reversed, and deposits', async () => {
    await land([1]);
    const { next_block } = await store()
      .db.selectFrom('contract_watches')
      .select('next_block')
      .executeTakeFirstOrThrow();
    const reversal = {
      chainId,
      contract,
      watchBefore: BigInt(next_block),
      toBlock: 0n,
      nextBlock: 1n,
      lastHash: '0x',
    } as const;
    await store().transaction((trx) => revertTo(trx, reversal, then));
    const entries = await countOf('journal');
    await bury();
    await archive();
    expect(await countOf('journal')).toBe(entries);
    expect((await checkedLedger()).faults).toEqual([]);
  });
});

test('gives no number of an archived row to another one', async () => {
  await land([1, 2]);
  await bury();
  const newest = async () => {
    const { id } = await store()
      .db.selectFrom('journal')
      .select(({ fn }) => fn.max<number>('entry_id').as('id'))
      .executeTakeFirstOrThrow();
    return Number(id);
  };
  const before = await newest();
  await archive();
  await post(store(), [depositEvent(1, 5n)], { now });
  expect(await newest()).toBe(before + 1);
});

test('is never rolled back to a block whose operations are archived', async () => {
  await land([1, 2, 3]);
  await bury();
  await archive();
  const watch = await store().db.selectFrom('contract_watches').selectAll().executeTakeFirstOrThrow();
  expect(watch.archived_block).not.toBeNull();
  const before = await checkedLedger();
  const reversal = { chainId, contract, watchBefore: BigInt(watch.next_block), lastHash: '0x' } as const;
  const back = (toBlock: bigint) =>
    store().transaction((trx) => revertTo(trx, { ...reversal, toBlock, nextBlock: toBlock + 1n }, now));
  await expect(back(BigInt(watch.archived_block ?? 0) - 1n)).rejects.toThrow('watch');
  expect(await checkedLedger()).toEqual(before);
  await back(BigInt(watch.archived_block ?? 0));
  expect((await checkedLedger()).faults).toEqual([]);
});

describe('a step', () => {
  test('that is repeated changes nothing more', async () => {
    await land([1, 2, 3]);
    await bury();
    const first = accepted(await step());
    expect(accepted(await step({ after: first.after, stored: first.rows })).deleted).toBeGreaterThan(0);
    const before = await checkedLedger();
    expect(accepted(await step({ after: first.after, stored: first.rows })).deleted).toBe(0);
    expect(await checkedLedger()).toEqual(before);
    expect(before.faults).toEqual([]);
  });

  test('deletes nothing that was stored otherwise than the ledger has it', async () => {
    await land([1, 2, 3]);
    await bury();
    const { rows } = accepted(await step());
    const before = await countOf('journal');
    const forged = rows.replace(/"amount":"/, '"amount":"9');
    expect(forged).not.toBe(rows);
    expect(await step({ stored: forged })).toMatchObject({ ok: false, refusal: { reason: 'INVALID_FIELD' } });
    expect(await countOf('journal')).toBe(before);
  });

  test.each([
    ['a deposit', { table: 'journal', entry_id: 1 }],
    ['an entry of today', { table: 'journal', entry_id: 2 }],
    ['a live hold', { table: 'holds', hold_id: 1 }],
    ['another table', { table: 'tanks', tank_id: 1 }],
    ['a number that is none', { table: 'journal', entry_id: '1 OR 1 = 1' }],
  ])('refuses to delete %s', async (_name, row) => {
    const request = holdRequest({ tank: tankOf(1), amount: 100n, nonce: 9n });
    await store().transaction((trx) => holdBatch(trx, [request], now));
    await land([10, 11], now);
    await bury();
    const result = await step({ stored: `${JSON.stringify(row)}\n` });
    expect(result).toMatchObject({ ok: false, refusal: { reason: 'INVALID_FIELD' } });
    expect([await countOf('journal'), await countOf('holds')]).toEqual([3, 3]);
  });

  test.each([
    ['few days', { olderThanDays: 39 }],
    ['many days', { olderThanDays: 36_501 }],
    ['half a day', { olderThanDays: 90.5 }],
    ['a place of another table', { after: 'tanks 1' }],
    ['a place with too long a key', { after: 'holds 1 2' }],
    ['a place with too short a key', { after: 'signatures 1' }],
    ['a place with more than a key', { after: 'signatures 1 0x 2' }],
    ['a place without a number', { after: 'holds one' }],
    ['rows', { stored: 'no JSON' }],
    ['too many rows', { stored: `${JSON.stringify({ table: 'holds', hold_id: 1 })}\n`.repeat(101) }],
  ])('refuses %s that it does not take', async (_name, input) => {
    const [field = ''] = Object.keys(input);
    const message = expect.stringContaining(`${field} must be`);
    expect(await step(input)).toMatchObject({ ok: false, refusal: { reason: 'INVALID_FIELD', field, message } });
  });
});

test('no one deletes an entry but the archive', async () => {
  await land([1, 2]);
  await expect(sql`DELETE FROM journal`.execute(store().db)).rejects.toThrow('never deleted');
});

test('archives what users paid in tokens with the operation', async () => {
  const request = holdRequest({ tank: tankOf(1), amount: 100n, nonce: 1n, mode: 'ERC20' });
  await store().transaction((trx) => holdBatch(trx, [request], then));
  await post(store(), [paidInTokens(landedEvent(0xa1, 1n, 60n), 7n)], { now: then });
  await land([2]);
  await post(store(), [paidInTokens(landedEvent(0xa2, 3n, 60n), 7n)], { now: then });
  await bury();
  const rows = await archive();
  expect(rows.filter(({ table }) => table === 'token_payments')).toMatchObject([{ amount: '7', hold_id: 1 }]);
  expect((await checkedLedger()).faults).toEqual([]);
});

test('what limits and tickets have counted without an end stays after archiving', async () => {
  const mints = { contract: numberedAddress(0x9a), method: 'mint' };
  const calls = new Map([[calledKey(mints) ?? '', 5]]);
  const limits = [...(['sender', 'subject', 'total'] as const).flatMap((per) => [{ per }, { per, ...mints }])].flatMap(
    (limit) =>
      (['operations', 'wei'] as const).map((unit) => ({ ...limit, unit, window: 'ever' as const, max: 1_000n })),
  );
  const paymasterId = '10000000-0000-4000-8000-000000000001';
  await insertPaymaster(store(), { paymasterId, accountId: '20000000-0000-4000-8000-000000000001' });
  await setPolicyLimits(store(), paymasterId, limits, { requireTicket: true });
  const ofTicket = { per: 'ticket', window: 'ever', unit: 'wei', max: 1_000n } as const;
  const ticket = { id: 'ticket:1', endsAt: now, limits: [ofTicket] };
  const key = { keyNumber: 3, limits: new Map([[3, [{ window: 'ever', unit: 'operations', max: 10n } as const]]]) };
  const asked = { paymasterId, tank: tankOf(1), amount: 100n, ticket, key, ticketUser: 'subject:1', calls };
  for (const nonce of [1n, 2n]) {
    await store().transaction((trx) => holdBatch(trx, [holdRequest({ ...asked, nonce })], then));
    await post(store(), [landedEvent(0xa1, nonce, 60n)], { now: then });
  }
  // One that expired counts no more.
  await store().transaction((trx) => holdBatch(trx, [holdRequest({ ...asked, nonce: 9n })], then));
  await store().transaction((trx) => releaseExpired(trx, { chainId, contract, chainTime: 1_001 }, then));
  await land([3]);
  await bury();
  const hold = {
    sender: numberedAddress(0xa1),
    keyNumber: 3,
    ticketUser: 'subject:1',
    ticket: 'ticket:1',
    paymasterId,
    policyId: '',
  };
  const all = [...limits, ofTicket, { per: 'key', window: 'ever', unit: 'operations', max: 10n } as const];
  const uses = () => readLimitUse(store().db, all, { hold, now });
  const before = await uses();
  expect(before).toEqual([2n, 120n, 10n, 120n, 2n, 120n, 10n, 120n, 2n, 120n, 10n, 120n, 120n, 2n]);
  await archive();
  expect(await countOf('holds')).toBe(1);
  expect(await uses()).toEqual(before);
  expect(await store().read(checkAccounts)).toEqual([]);
});

test('what was added up before is right after archiving, and what is added up meanwhile too', async () => {
  await land([1, 2, 3, 4]);
  await bury();
  const early = createRowSums(store(), clock);
  await early.catchUp();
  const check = async (rows: typeof early) => {
    await rows.catchUp();
    return store().read(async (snapshot) => {
      const known = { rows: await rows.at(snapshot) };
      return (await checkContractLedger(snapshot, { chainId, contract, keepsBalances: false }, known)).faults;
    });
  };
  let last = accepted(await step());
  while (last.rows !== '' || !last.isLast) {
    last = accepted(await step({ after: last.after, stored: last.rows }));
    expect(await check(early)).toEqual([]);
    expect(await check(createRowSums(store(), clock))).toEqual([]);
  }
  await land([5], now);
  expect(await check(early)).toEqual([]);
  expect(await early.readAgain()).toBeGreaterThan(0);
  expect(await check(early)).toEqual([]);
});

test('archives by age without a file', async () => {
  await land([1, 2, 3]);
  await bury();
  const before = await checkedLedger();
  await archiveAll({ store: store(), clock, keepDays: 90, isClockRight: () => true }, () => false);
  // The newest row of each table stays.
  expect(await countOf('holds')).toBe(1);
  expect(await checkedLedger()).toEqual(before);
});

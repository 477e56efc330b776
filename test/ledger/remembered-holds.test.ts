import { type Hex, numberToHex, pad } from 'viem';
import { beforeEach, describe, expect, test } from 'vitest';
import { pruneAccounts } from '../../core/decisions/pruning/prune-counts.ts';
import { type ArchivePlace, archiveTurn } from '../../core/ledger/archiving/archive-ledger.ts';
import { checkAccounts } from '../../core/ledger/checking/check-accounts.ts';
import { createRowSums, type RowSums } from '../../core/ledger/checking/row-sums.ts';
import { forgetUnpaid } from '../../core/ledger/holds/forget-unpaid.ts';
import { holdBatch } from '../../core/ledger/holds/hold-batch.ts';
import type { HoldRequest } from '../../core/ledger/holds/hold-request.ts';
import { tidyRelays } from '../../core/ledger/holds/relayed-operations.ts';
import { blocksToRevert } from '../../core/ledger/posting/pass-block.ts';
import { releaseExpired } from '../../core/ledger/posting/release-expired.ts';
import { revertTo } from '../../core/ledger/revert/revert-to.ts';
import type { Store } from '../../core/store/store.ts';
import { toWeiText } from '../../core/store/wei.ts';
import { createSeededRandom, type SeededRandom } from '../support/arbitrary/seeded-random.ts';
import {
  chainId,
  contract,
  depositEvent,
  type HoldAsked,
  holdRequest,
  insertPaymaster,
  landedEvent,
  numberedAddress,
  plenty,
  post,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { setPolicyLimits } from '../support/core/set-limits.ts';
import { useLedger } from '../support/core/use-ledger.ts';

const beginning = 1_800_000_000;
let now = beginning;
const clock = { now: () => now * 1_000 };
const validSeconds = 600;
const paymasterId = '10000000-0000-4000-8000-000000000001';

const ledger = useLedger();
beforeEach(async () => {
  now = beginning;
  await insertPaymaster(ledger.store, { paymasterId, accountId: '20000000-0000-4000-8000-000000000001' });
  await setPolicyLimits(ledger.store, paymasterId, [
    { per: 'sender', window: 'day', unit: 'operations', max: 1_000_000n },
    { per: 'sender', window: 'ever', unit: 'wei', max: 10n ** 20n },
    { per: 'total', window: 'month', unit: 'wei', max: 10n ** 20n },
  ]);
  await post(ledger.store, [depositEvent(1, plenty)], { now });
});

async function hold(requests: readonly HoldAsked[]): Promise<void> {
  const asked = requests.map((request) =>
    holdRequest({ tank: tankOf(1), paymasterId, amount: 100n, validUntil: now + validSeconds, ...request }),
  );
  const outcomes = await ledger.store.transaction((trx) => holdBatch(trx, asked, now));
  for (const { kind } of outcomes) expect(kind).toBe('held');
}

/** Operations of one sender that land, one a nonce. */
async function land(sender: number, nonces: readonly bigint[]): Promise<void> {
  await hold(nonces.map((nonce) => ({ sender: numberedAddress(sender), nonce })));
  await post(
    ledger.store,
    nonces.map((nonce) => landedEvent(sender, nonce, 60n)),
    { now },
  );
}

/** The chain goes on until no rollback by itself reaches what has landed. */
async function bury(): Promise<void> {
  await ledger.store.db
    .updateTable('contract_watches')
    .set(({ eb }) => ({ next_block: eb('next_block', '+', Number(blocksToRevert) + 1) }))
    .execute();
}

/** Counts one more operation in the account with this name. */
async function spoil(like: string): Promise<string> {
  const { db } = ledger.store;
  const { account_id, name } = await db
    .selectFrom('ledger_accounts')
    .select(['account_id', 'name'])
    .where('name', 'like', like)
    .executeTakeFirstOrThrow();
  await db
    .updateTable('ledger_accounts')
    .set(({ eb }) => ({ count: eb('count', '+', 1) }))
    .where('account_id', '=', account_id)
    .execute();
  return name;
}

async function checkAgain(rows: RowSums): Promise<readonly string[]> {
  await rows.readAgain();
  return rows.checkAccounts();
}

const ofSender = (sender: number) => `limit/%/${numberedAddress(sender)}/%`;

describe('a check after the first one', () => {
  test('finds what is wrong with an account of a live hold', async () => {
    const rows = createRowSums(ledger.store, clock);
    await land(0xa1, [1n, 2n]);
    await bury();
    expect(await rows.checkAccounts()).toEqual([]);
    await hold([{ sender: numberedAddress(0xa1), nonce: 3n }]);
    const name = await spoil(ofSender(0xa1));
    expect(await rows.checkAccounts()).toEqual([expect.stringMatching(`^account ${name}: stored 4 .* its holds 3 `)]);
  });

  test('finds what is wrong with an account of a hold that several checks have found live', async () => {
    const rows = createRowSums(ledger.store, clock);
    await hold([{ sender: numberedAddress(0xa2), nonce: 1n }]);
    await land(0xa1, [1n, 2n]);
    await bury();
    for (let checks = 0; checks < 3; checks += 1) expect(await rows.checkAccounts()).toEqual([]);
    const name = await spoil(ofSender(0xa2));
    expect(await rows.checkAccounts()).toEqual([expect.stringMatching(`^account ${name}: stored 2 .* its holds 1 `)]);
  });

  test('finds what went wrong when a hold of before ended', async () => {
    const rows = createRowSums(ledger.store, clock);
    await hold([{ sender: numberedAddress(0xa1), nonce: 1n }]);
    expect(await rows.checkAccounts()).toEqual([]);
    await post(ledger.store, [landedEvent(0xa1, 1n, 60n)], { now });
    const name = await spoil(ofSender(0xa1));
    await bury();
    expect(await rows.checkAccounts()).toEqual([expect.stringMatching(`^account ${name}: stored 2 .* its holds 1 `)]);
  });

  test('leaves accounts of final holds to the check of all rows', async () => {
    const rows = createRowSums(ledger.store, clock);
    await land(0xa1, [1n, 2n]);
    await bury();
    expect(await rows.checkAccounts()).toEqual([]);
    const name = await spoil(ofSender(0xa1));
    expect(await rows.checkAccounts()).toEqual([]);
    const found = [expect.stringMatching(`^account ${name}: stored 3 `)];
    expect(await checkAgain(rows)).toEqual(found);
    // A restart begins again.
    expect(await createRowSums(ledger.store, clock).checkAccounts()).toEqual(found);
  });

  test('does not read final holds again, also behind one that stays open', async () => {
    const rows = createRowSums(ledger.store, clock);
    await hold([{ sender: numberedAddress(0xa2), nonce: 1n }]);
    await land(0xa1, [1n, 2n]);
    await bury();
    expect(await rows.checkAccounts()).toEqual([]);
    const { db } = ledger.store;
    const sender = numberedAddress(0xa1);
    await db
      .updateTable('holds')
      .set({ kept_wei: toWeiText(59n) })
      .where('sender', '=', sender)
      .execute();
    expect(await rows.checkAccounts()).toEqual([]);
    expect(await checkAgain(rows)).toContainEqual(expect.stringMatching(/stored 2 and 120, its holds 2 and 118$/));
  });

  test('agrees after the operator has rolled back to an old block', async () => {
    const rows = createRowSums(ledger.store, clock);
    await land(0xa1, [1n, 2n]);
    const { block } = await ledger.store.db
      .selectFrom('journal')
      .select(({ fn }) => fn.max<number>('block_number').as('block'))
      .executeTakeFirstOrThrow();
    await bury();
    expect(await rows.checkAccounts()).toEqual([]);
    await rollBack(ledger.store, BigInt(block) - 1n);
    expect(await rows.checkAccounts()).toEqual([]);
  });

  test('agrees after what it remembers was archived and pruned', async () => {
    const rows = createRowSums(ledger.store, clock);
    await land(0xa1, [1n, 2n, 3n, 4n]);
    await bury();
    expect(await rows.checkAccounts()).toEqual([]);
    now += 100 * 86_400;
    while (!(await pruneAccounts(ledger.store, now)));
    for (let from: ArchivePlace | undefined | 'begin' = 'begin'; from !== undefined; )
      from = await archiveTurn(ledger.store, { from: from === 'begin' ? undefined : from, before: now });
    const { holds } = await ledger.store.db
      .selectFrom('holds')
      .select(({ fn }) => fn.countAll<number>().as('holds'))
      .executeTakeFirstOrThrow();
    expect(Number(holds)).toBe(1);
    await land(0xa1, [5n]);
    expect(await rows.checkAccounts()).toEqual([]);
    expect(await checkAgain(rows)).toEqual([]);
  });
});

async function rollBack(store: Store, toBlock: bigint): Promise<void> {
  await store.transaction(async (transaction) => {
    const { next_block } = await transaction
      .selectFrom('contract_watches')
      .select('next_block')
      .executeTakeFirstOrThrow();
    const reversal = { chainId, contract, watchBefore: BigInt(next_block), toBlock, nextBlock: toBlock + 1n } as const;
    await revertTo(transaction, { ...reversal, lastHash: '0x' }, now);
  });
}

/** An operation for which a hold was made, and the block that it landed in. */
type Operation = { readonly sender: number; readonly nonce: bigint; readonly hash?: Hex; landedIn?: bigint };

type World = {
  readonly random: SeededRandom;
  readonly operations: Operation[];
  /** No rollback reaches what landed by then. */
  safeBlock: bigint;
};

const hashOf = (nonce: bigint): Hex => pad(numberToHex(0xabc0000n + nonce), { size: 32 });

/** One thing that changes holds or accounts while they are read. `archives` also takes what has ended out of the database. */
async function act(world: World, archives: boolean): Promise<void> {
  const { random, operations } = world;
  const lot = random.below(archives ? 110 : 100);
  if (lot < 35) return ask(world);
  if (lot < 60) return landSome(world);
  if (lot < 70) {
    const expired = { chainId, contract, chainTime: now };
    await ledger.store.transaction((trx) => releaseExpired(trx, expired, now));
  } else if (lot < 76) now += random.pick([60, 900, 40_000]);
  else if (lot < 82) await forgetUnpaid(ledger.store, now);
  else if (lot < 86) await pruneAccounts(ledger.store, now);
  else if (lot < 90) await tidyRelays(ledger.store, { chainId, contract }, now);
  else if (lot < 95) await rollBackSome(world);
  else if (lot < 100) {
    await bury();
    for (const { landedIn = 0n } of operations) if (landedIn > world.safeBlock) world.safeBlock = landedIn;
  } else {
    for (let from: ArchivePlace | undefined, turn = 0; turn < 4; turn += 1)
      from = await archiveTurn(ledger.store, { from, before: now });
  }
}

async function ask({ random, operations }: World): Promise<void> {
  const asked = Array.from({ length: random.between(1, 40) }, (): HoldAsked => {
    const joined = operations.length > 0 && random.chance(10) ? random.pick(operations) : undefined;
    const nonce = joined?.nonce ?? BigInt(operations.length);
    const sender = joined?.sender ?? random.between(0xa1, 0xb0);
    const hash = joined === undefined && random.chance(20) ? hashOf(nonce) : joined?.hash;
    if (joined === undefined) operations.push({ sender, nonce, ...(hash === undefined ? {} : { hash }) });
    const isAtRisk = hash === undefined && random.chance(20);
    return {
      sender: numberedAddress(sender),
      nonce,
      amount: BigInt(random.between(50, 200)),
      client: `client ${random.below(3)}`,
      ...(hash === undefined ? {} : { relayed: { userOperationHash: hash, operation: '{}' } }),
      ...(isAtRisk ? { mode: 'ERC20', unpaidBudget: allUnpaid } : {}),
    };
  });
  await hold(asked);
}

const allUnpaid: NonNullable<HoldRequest['unpaidBudget']> = {
  maxUnpaidSharePerSender: 1,
  maxUnpaidSharePerPaymaster: 1,
};

/** Some that have not landed yet. Those that were relayed may be late. */
async function landSome({ random, operations }: World): Promise<void> {
  const waiting = operations.filter(({ landedIn }) => landedIn === undefined);
  for (const operation of random.shuffle(waiting).slice(0, random.between(1, 30))) {
    const { sender, nonce, hash } = operation;
    const event = landedEvent(sender, nonce, BigInt(random.between(1, 150)));
    await post(ledger.store, [hash === undefined ? event : { ...event, userOperationHash: hash, relayed: true }], {
      now,
    });
    operation.landedIn = event.blockNumber;
  }
}

/** The last blocks are gone, as far as the ledger can be rolled back. */
async function rollBackSome({ random, operations, safeBlock }: World): Promise<void> {
  const blocks = operations.flatMap(({ landedIn = 0n }) => (landedIn > safeBlock ? [landedIn] : []));
  const first = blocks.sort(upwards).at(-random.between(1, 10));
  if (first === undefined) return;
  await rollBack(ledger.store, first - 1n);
  for (const operation of operations) if ((operation.landedIn ?? 0n) >= first) delete operation.landedIn;
}

const upwards = (first: bigint, second: bigint) => (first < second ? -1 : first > second ? 1 : 0);

/** A store of which each reading is followed by something that changes what was read. */
function changedBetweenReads(work: () => Promise<void>): { store: Store; wholeReads(): number } {
  let wholeReads = 0;
  const read: Store['read'] = async (reading) => {
    if (Object.is(reading, checkAccounts)) wholeReads += 1;
    const result = await ledger.store.read(reading);
    await work();
    return result;
  };
  return { store: { ...ledger.store, read }, wholeReads: () => wholeReads };
}

describe('no fault is found while holds change between the steps of a check', () => {
  test.each([1, 2])('that are made, land, also late, expire, and are rolled back and pruned (%d)', async (seed) => {
    const world: World = { random: createSeededRandom(seed), operations: [], safeBlock: 0n };
    for (let count = 0; count < 60; count += 1) await act(world, false);
    const { store, wholeReads } = changedBetweenReads(() => act(world, false));
    const rows = createRowSums(store, clock);
    for (let round = 0; round < 15; round += 1) expect(await rows.checkAccounts()).toEqual([]);
    // Not because everything was read again in one snapshot.
    expect(wholeReads()).toBe(0);
    expect(await checkAgain(rows)).toEqual([]);
  });

  test.each([4, 5])('and are archived (%d)', async (seed) => {
    const world: World = { random: createSeededRandom(seed), operations: [], safeBlock: 0n };
    for (let count = 0; count < 60; count += 1) await act(world, true);
    const { store } = changedBetweenReads(() => act(world, true));
    const rows = createRowSums(store, clock);
    for (let round = 0; round < 15; round += 1) {
      if (round % 5 === 0) expect(await checkAgain(rows)).toEqual([]);
      expect(await rows.checkAccounts()).toEqual([]);
    }
    // What stayed of it all is right, and a fault would be found.
    await spoil('tank/1');
    expect(await rows.checkAccounts()).toHaveLength(1);
  });
});

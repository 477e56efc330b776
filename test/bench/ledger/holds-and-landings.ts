import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type { Hex } from 'viem';
import { withRests } from '../../../core/base/time/with-rests.ts';
import { actAs } from '../../../core/domain/access/actor.ts';
import { type ArchivePlace, archiveTurn } from '../../../core/ledger/archiving/archive-ledger.ts';
import { checkAllLedgers } from '../../../core/ledger/checking/check-ledger.ts';
import { createRowSums } from '../../../core/ledger/checking/row-sums.ts';
import { cutStretch } from '../../../core/ledger/following/cut-stretch.ts';
import { takeStretch } from '../../../core/ledger/following/take-stretch.ts';
import { holdBatch } from '../../../core/ledger/holds/hold-batch.ts';
import type { HoldRequest } from '../../../core/ledger/holds/hold-request.ts';
import { blocksToRevert } from '../../../core/ledger/posting/pass-block.ts';
import type { ChainClient } from '../../../core/node/chain-client.ts';
import type { UserOperationLanded } from '../../../core/node/chain-event.ts';
import {
  chainId,
  contract,
  depositEvent,
  holdRequest,
  insertPaymaster,
  landedEvent,
  numberedAddress,
  openLedger,
  post,
  tankOf,
} from '../../support/core/ledger-lab.ts';
import { setPolicyLimits } from '../../support/core/set-limits.ts';
import { silentLogger } from '../../support/logging/recording-logger.ts';
import { watchTurns } from '../turn-time.ts';
import { multiplyLedger } from './multiply-ledger.ts';

/**
 * `npm run bench:holds`: how many holds of new senders and landings the ledger takes a second, 32 in a transaction and with three
 * limits, the processor time of this process for one, and the longest turn while 900 operations of one look are settled.
 * `--operations 6000`. With `--filled 300000` so many have landed before, ten of each sender: 100,000 (or
 * `--landed`) by the service's own functions, and the rest are copies of those, each with a contract and a tank of its own. At the end the ledger is checked
 * three times, next to another reading, and what landed before is archived for ten seconds. On PostgreSQL with `TEST_DATABASE=postgres` and `DATABASE_URL`, as the tests.
 */
const { values: flags } = parseArgs({
  options: {
    operations: { type: 'string', default: '6000' },
    filled: { type: 'string', default: '0' },
    landed: { type: 'string', default: '100000' },
  },
});
const operations = Number(flags.operations);
const filled = Number(flags.filled);
const operationsOfSender = 10;
const atOnceToFill = 256;
const atOnce = 32;
const inOneLook = 900;
const msToArchive = 10_000;
const betweenReadingsMs = 20;
const longestTurn = watchTurns();
const { store, database, close } = await openLedger();
const now = Math.floor(Date.now() / 1_000);
const amount = 10n ** 12n;
const ids = { paymasterId: '10000000-0000-4000-8000-000000000001', accountId: '20000000-0000-4000-8000-000000000001' };
await insertPaymaster(store, ids);
await setPolicyLimits(store, ids.paymasterId, [
  { per: 'sender', window: 'day', unit: 'operations', max: 1_000n },
  { per: 'sender', window: 'day', unit: 'wei', max: 10n ** 26n },
  { per: 'total', window: 'month', unit: 'wei', max: 10n ** 26n },
]);
await post(store, [depositEvent(1, 10n ** 24n)], { now });

await fill();

const requests = Array.from({ length: operations }, (_, index) => requestOf(index));
show(
  await measure('holds of new senders', batchesOf(requests), (some) =>
    store.transaction((trx) => holdBatch(trx, some, now)),
  ),
);
const events = requests.map(landingOf);
show(await measure('landings', batchesOf(events), (some) => post(store, some, { now })));
await settleOneLook();
if (filled > 0) {
  await moveOnInChain();
  await check();
  await archive();
}
await close();

/** What has landed before: it is not in the numbers. */
async function fill(): Promise<void> {
  const start = performance.now();
  const landed = Math.min(filled, Number(flags.landed));
  for (let index = 0; index < landed; index += atOnceToFill) {
    const some = Array.from({ length: Math.min(atOnceToFill, landed - index) }, (_, offset) =>
      requestOf(operations + inOneLook + index + offset, operationsOfSender),
    );
    await store.transaction((trx) => holdBatch(trx, some, now));
    await post(store, some.map(landingOf), { now });
  }
  if (filled === 0) return;
  await multiplyLedger(store, database, Math.round(filled / landed) - 1);
  const bytes = await databaseBytes();
  const took = (performance.now() - start) / 1_000;
  print(`${filled} operations before, in ${took.toFixed(0)} s: ${(bytes / filled).toFixed(0)} bytes each`);
}

/** Of the database with its indexes, without what SQLite has not taken from its log yet. */
async function databaseBytes(): Promise<number> {
  const { rows } =
    database.kind === 'sqlite'
      ? await sql<{
          bytes: number;
        }>`SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size`.execute(store.db)
      : await sql<{ bytes: number }>`SELECT pg_database_size(current_database()) AS bytes`.execute(store.db);
  return Number(rows[0]?.bytes);
}

/** All rules of the ledger: by all of its rows, by what the first check remembers, and by all rows again. */
async function check(): Promise<void> {
  const rows = createRowSums(store, { now: () => now * 1_000 });
  for (const { what, read } of [
    { what: 'first', read: rows.catchUp },
    { what: 'second', read: rows.catchUp },
    { what: 'of all rows', read: rows.readAgain },
  ]) {
    const reading = watchReading();
    const [start, cpuBefore] = [performance.now(), process.cpuUsage()];
    longestTurn();
    await read();
    const faults = await checkAllLedgers(store, rows);
    const { user, system } = process.cpuUsage(cpuBefore);
    const took = ((performance.now() - start) / 1_000).toFixed(1);
    print(
      `ledger check, ${what}: ${faults.length} faults, ${took} s, ${((user + system) / 1e6).toFixed(1)} s of this process, ` +
        `longest turn ${longestTurn().toFixed(0)} ms, longest wait of a reading for an account ${(await reading.longest()).toFixed(0)} ms`,
    );
  }
}

/** Reads one row again and again, as someone at the dashboard does: the service's own readings take turns. */
function watchReading(): { longest(): Promise<number> } {
  let longest = 0;
  let isOver = false;
  async function watch(): Promise<void> {
    while (!isOver) {
      const start = performance.now();
      await actAs({ kind: 'session', accountId: ids.accountId }, () =>
        store.read((snapshot) => snapshot.selectFrom('tanks').select('tank_id').limit(1).execute()),
      );
      longest = Math.max(longest, performance.now() - start);
      await setTimeout(betweenReadingsMs);
    }
  }
  const watching = watch();
  return {
    longest: async () => {
      isOver = true;
      await watching;
      return longest;
    },
  };
}

/** As the background does it: half of the time is rest. */
async function archive(): Promise<void> {
  const before = await countJournal();
  const start = performance.now();
  longestTurn();
  let from: ArchivePlace | undefined;
  const turn = async () => {
    from = await archiveTurn(store, { from, before: now + 1 });
    return from === undefined;
  };
  await withRests(turn, () => performance.now() - start > msToArchive);
  const took = (performance.now() - start) / 1_000;
  const rows = before - (await countJournal());
  print(
    `archived: ${(rows / took).toFixed(0)} rows of the journal a second, longest turn ${longestTurn().toFixed(0)} ms`,
  );
}

/** So far that no rollback reaches what landed. */
async function moveOnInChain(): Promise<void> {
  await store.db
    .updateTable('contract_watches')
    .set(({ eb }) => ({ next_block: eb('next_block', '+', 2 * Number(blocksToRevert)) }))
    .execute();
}

async function countJournal(): Promise<number> {
  const { rows } = await store.db
    .selectFrom('journal')
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow();
  return Number(rows);
}

function requestOf(index: number, ofSender = 1): HoldRequest {
  return holdRequest({
    ...ids,
    tank: tankOf(1),
    amount,
    nonce: BigInt(index),
    sender: numberedAddress(0x10_0000 + Math.floor(index / ofSender) + (ofSender - 1) * 0x1000_0000),
    client: `client ${index % 50}`.padEnd(22, '.'),
    validUntil: now + 600,
    contentId: nameOf(index),
  });
}

function nameOf(index: number): Hex {
  return `0x${(index + 1).toString(16).padStart(64, '0')}`;
}

function landingOf({ sender, nonce, landing }: HoldRequest): UserOperationLanded {
  const event = landedEvent(0, nonce, amount / 2n);
  const contentId = landing?.contentId;
  return { ...event, sender, ...(contentId === undefined ? {} : { userOperationHash: contentId }) };
}

/** One block in four seconds: ten operations in each. */
async function settleOneLook(): Promise<void> {
  const more = Array.from({ length: inOneLook }, (_, index) => requestOf(operations + index));
  for (const some of batchesOf(more)) await store.transaction((trx) => holdBatch(trx, some, now));
  const watches = store.db.selectFrom('contract_watches').selectAll();
  const watch = await watches.where('contract', '=', contract).executeTakeFirstOrThrow();
  const first = BigInt(watch.next_block);
  const landed = more.map((request, index) => ({
    ...landingOf(request),
    blockNumber: first + BigInt(Math.floor(index / 10)),
  }));
  const nextBlock = first + BigInt(inOneLook / 10);
  const node = { getBlock: async () => ({ hash: '0x' }) } as unknown as ChainClient;
  const stretch = { chainId, contract, events: landed, watchBefore: first, nextBlock, lastHash: '0x' } as const;
  longestTurn();
  const start = performance.now();
  await takeStretch(
    { store, clock: { now: () => now * 1_000 }, logger: silentLogger },
    await cutStretch(node, stretch),
    1,
  );
  const took = performance.now() - start;
  await setTimeout(20);
  print(`${inOneLook} operations of one look: ${took.toFixed(0)} ms, longest turn ${longestTurn().toFixed(0)} ms`);
}

function batchesOf<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / atOnce) }, (_, index) =>
    items.slice(index * atOnce, (index + 1) * atOnce),
  );
}

/** The rate of a kind of work, and the processor time of this process for one, in microseconds. */
async function measure<Item>(
  what: string,
  batches: readonly (readonly Item[])[],
  work: (some: readonly Item[]) => Promise<unknown>,
): Promise<{ readonly what: string; readonly perSecond: number; readonly cpu: number }> {
  const [start, cpuBefore] = [performance.now(), process.cpuUsage()];
  for (const some of batches) await work(some);
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { what, perSecond: operations / seconds, cpu: (user + system) / operations };
}

function show({ what, perSecond, cpu }: Awaited<ReturnType<typeof measure>>): void {
  print(`${what}: ${perSecond.toFixed(0)} a second, ${cpu.toFixed(0)} µs of this process each`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

import { copyFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { type ArchivePlace, archiveTurn } from '../../../core/ledger/archiving/archive-ledger.ts';
import { checkAllLedgers } from '../../../core/ledger/checking/check-ledger.ts';
import { holdBatch } from '../../../core/ledger/holds/hold-batch.ts';
import { blocksToRevert } from '../../../core/ledger/posting/pass-block.ts';
import { openHandle } from '../../../core/store/sqlite/open-handle.ts';
import { depositEvent, holdRequest, landedEvent, openLedger, post, tankOf } from '../../support/core/ledger-lab.ts';

/**
 * `npm run bench:bytes`: what an operation that has landed takes of the ledger on the disk, by table and index, before and after it
 * is archived, and how long the turns are that archive. `--operations 20000`.
 */
const { values: flags } = parseArgs({ options: { operations: { type: 'string', default: '20000' } } });
const operations = Number(flags.operations);
const operationsAtOnce = 500;
const { store, database, close } = await openLedger();
if (database.kind !== 'sqlite') throw new Error('This bench reads the pages of a SQLite file.');
const { file } = database;
const now = Math.floor(Date.now() / 1_000);

await post(store, [depositEvent(1, 10n ** 15n)], { now });
for (let nonce = 0; nonce < operations; nonce += operationsAtOnce) {
  const requests = Array.from({ length: operationsAtOnce }, (_, index) =>
    holdRequest({ tank: tankOf(1), amount: 10n ** 8n, nonce: BigInt(nonce + index) }),
  );
  await store.transaction((trx) => holdBatch(trx, requests, now));
  await post(
    store,
    requests.map(({ nonce: landed }) => landedEvent(0xa1, landed, 10n ** 8n)),
    { now },
  );
}
await sql`UPDATE contract_watches SET next_block = next_block + ${Number(blocksToRevert) + 1}`.execute(store.db);
show('before', sizes());

const times: number[] = [];
let from: ArchivePlace | undefined;
do {
  const start = performance.now();
  from = await archiveTurn(store, { from, before: now + 1 });
  times.push(performance.now() - start);
} while (from !== undefined);
times.sort((first, second) => first - second);
const at = (part: number) => (times[Math.min(Math.floor(times.length * part), times.length - 1)] ?? 0).toFixed(1);
print(`${times.length} turns: ${at(0.5)} ms in the middle, ${at(0.99)} ms at p99, ${at(1)} ms at most`);
show('after', sizes());
print(`faults: ${(await checkAllLedgers(store)).length}`);
await close();

/** Of a copy: the file has its newest pages in the write-ahead log. */
function sizes(): readonly StoredSize[] {
  for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, `${file}.copy${end}`);
  return readSizes(`${file}.copy`);
}

function show(when: string, all: readonly StoredSize[]): void {
  const perOperation = ({ bytes }: StoredSize) => Math.round(bytes / operations);
  print(`${when}: ${all.reduce((sum, size) => sum + perOperation(size), 0)} bytes an operation`);
  for (const size of all.filter((one) => perOperation(one) > 0))
    print(`  ${size.name.padEnd(28)} ${perOperation(size)}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** What a table or index takes on the disk, in bytes, and of tables how many rows it has. */
type StoredSize = {
  readonly name: string;
  readonly table: string;
  readonly bytes: number;
  readonly rows?: number;
};

/** Every table and index of a database, the largest first. */
function readSizes(file: string): readonly StoredSize[] {
  const database = openHandle(file);
  const sizes = database
    .prepare(
      `SELECT dbstat.name AS name, coalesce(tbl_name, dbstat.name) AS "table", sum(pgsize) AS bytes
      FROM dbstat LEFT JOIN sqlite_schema ON sqlite_schema.name = dbstat.name GROUP BY 1 ORDER BY 3 DESC`,
    )
    .all() as { name: string; table: string; bytes: number }[];
  const withRows = sizes.map((size) =>
    size.name === size.table
      ? { ...size, rows: database.prepare(`SELECT count(*) FROM "${size.name}"`).pluck().get() as number }
      : size,
  );
  database.close();
  return withRows;
}

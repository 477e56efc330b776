import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkAllLedgers } from '../../core/ledger/checking/check-ledger.ts';
import { holdBatch } from '../../core/ledger/holds/hold-batch.ts';
import { blocksToRevert } from '../../core/ledger/posting/pass-block.ts';
import { spawnTied } from '../../server/dev/devnet/start-anvil.ts';
import { openArchive, readArchive } from '../../server/ledger-archive/archive-file.ts';
import { compiledProcess } from '../support/command-line/compiled-process.ts';
import { depositEvent, holdRequest, landedEvent, openLedger, post, tankOf } from '../support/core/ledger-lab.ts';
import { addressText } from '../support/store/address-text.ts';

const operations = 150;
const longAgo = Date.UTC(2025, 0, 3) / 1_000;

let ledger: Awaited<ReturnType<typeof openLedger>>;
let folder: string;
beforeEach(async () => {
  ledger = await openLedger();
  folder = mkdtempSync(join(tmpdir(), 'tollfree-archive-'));
});
afterEach(async () => {
  await ledger.close();
  rmSync(folder, { recursive: true });
});

/** A ledger of operations that landed long ago. */
async function fill(): Promise<void> {
  const { store } = ledger;
  await post(store, [depositEvent(1, 10n ** 9n)], { now: longAgo });
  const requests = Array.from({ length: operations }, (_, nonce) =>
    holdRequest({ tank: tankOf(1), amount: 100n, nonce: BigInt(nonce) }),
  );
  await store.transaction((trx) => holdBatch(trx, requests, longAgo));
  await post(
    store,
    requests.map(({ nonce }) => landedEvent(0xa1, nonce, 60n)),
    { now: longAgo },
  );
  await sql`UPDATE contract_watches SET next_block = next_block + ${Number(blocksToRevert) + 1}`.execute(store.db);
}

/** Archives in a process of its own; kills it after so many steps, or lets it end. */
async function run(file: string, killAfter?: number): Promise<void> {
  const args = [compiledProcess('test/ledger/archiving-process'), addressText(ledger.database), file];
  const child = spawnTied(process.execPath, args);
  child.stderr.pipe(process.stderr);
  const ended = once(child, 'close');
  let steps = 0;
  createInterface({ input: child.stdout }).on('line', () => {
    steps += 1;
    if (steps === killAfter) child.kill('SIGKILL');
  });
  const [code, signal] = await ended;
  expect([code, signal]).toEqual(killAfter === undefined ? [0, null] : [null, 'SIGKILL']);
}

const keyOf = (line: string) => {
  const row = JSON.parse(line);
  const id = { entries: row.entry_id, movements: row.movement_id, holds: row.hold_id }[row.table as 'entries'];
  return `${row.table} ${id ?? `${row.hold_id} ${row.user_operation_hash ?? row.called}`}`;
};

test('killed in any step, the ledger adds up, and each row is in the file or in the ledger, once in the end', async () => {
  await fill();
  const file = join(folder, 'archive.jsonl.gz');
  for (const killAfter of [2, 3]) {
    await run(file, killAfter);
    expect(await checkAllLedgers(ledger.store)).toEqual([]);
  }
  await run(file);
  expect(await checkAllLedgers(ledger.store)).toEqual([]);
  const lines = [...readArchive(file)].flatMap(({ rows }) => rows.split('\n').filter((line) => line !== ''));
  expect(new Set(lines.map(keyOf)).size).toBe(lines.length);
  const settled = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'settle');
  const [kept] = await ledger.store.db
    .selectFrom('archived_entries')
    .selectAll()
    .where('kind', '=', 'settle')
    .execute();
  // The newest entry stays in the ledger.
  expect(settled).toHaveLength(operations - 1);
  expect(kept).toMatchObject({ entries: operations - 1, month: Date.UTC(2025, 0) / 1_000 });
  expect(BigInt(kept?.amount ?? 0)).toBe(settled.reduce((sum, { amount }) => sum + BigInt(amount), 0n));
  // Any program that reads gzip reads the file.
  const text = gunzipSync(readFileSync(file)).toString();
  expect(text.split('\n').filter((line) => line.startsWith('{"table"'))).toEqual(lines);
});

const rows = (number: number) => `${JSON.stringify({ table: 'entries', entry_id: number })}\n`;

function written(): string {
  const file = join(folder, 'archive.jsonl.gz');
  const archive = openArchive(file);
  archive.append(rows(1));
  archive.append(rows(2));
  archive.close();
  return file;
}

test.each([1, 10, 60])('cuts off a batch whose last %i bytes are not written, and goes on', (missing) => {
  const file = written();
  truncateSync(file, readFileSync(file).length - missing);
  const archive = openArchive(file);
  expect(archive.lastRows).toBe(rows(1));
  archive.append(rows(3));
  archive.close();
  expect([...readArchive(file)].map((batch) => batch.rows)).toEqual([rows(1), rows(3)]);
});

test('refuses a file that is no archive, and leaves it as it is', () => {
  const file = join(folder, 'letter.txt');
  writeFileSync(file, 'Dear operator');
  expect(() => openArchive(file)).toThrow('is no archive');
  expect(readFileSync(file, 'utf8')).toBe('Dear operator');
});

test('finds a byte that was changed, and what was added', () => {
  const changed = written();
  const content = readFileSync(changed);
  content.writeUInt8(content.readUInt8(40) ^ 1, 40);
  writeFileSync(changed, content);
  expect(() => [...readArchive(changed)]).toThrow('is damaged');
  rmSync(changed);
  const longer = written();
  appendFileSync(longer, 'more');
  expect(() => [...readArchive(longer)]).toThrow('is damaged');
});

test('adds nothing to a file that is damaged, and cuts nothing off it', () => {
  const file = written();
  const content = readFileSync(file);
  const first = content.readUInt32LE(16);
  for (const damage of [
    // The header of the second batch, and its end in a file of three.
    (bytes: Buffer) => bytes.writeUInt8(0, first),
    (bytes: Buffer) => bytes.writeUInt8(bytes.readUInt8(first - 20) ^ 1, first - 20),
  ]) {
    const bytes = Buffer.from(content);
    damage(bytes);
    writeFileSync(file, bytes);
    expect(() => openArchive(file)).toThrow('is damaged');
    expect(readFileSync(file).equals(bytes)).toBe(true);
  }
});

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import type { Secret } from '../../base/values/secret.ts';
import { newestVersion } from '../migrations/history.ts';
import { lockDatabase } from '../sqlite/lock-database.ts';
import { checkSchema as checkFile } from '../sqlite/migrate.ts';
import { markMoved, refuseMoved, removeMark } from '../sqlite/moved-mark.ts';
import { openHandle } from '../sqlite/open-handle.ts';
import { cannotOpen, StoreError } from '../store-error.ts';
import { bringUpToDate } from './bring-up-to-date.ts';
import { connectionOptions, postgresLimits } from './connection-options.ts';
import { describeServer } from './inspect-server.ts';
import { movedTables } from './moved-tables.ts';
import { cannotReach, isRefusedStatement } from './postgres-error.ts';
import { beginSerialised } from './serialise.ts';

/** Rows per statement. */
const rowsAtOnce = 500;

/** How many rows of a table were moved. */
type MovedTable = { readonly table: string; readonly rows: number };

/**
 * Moves all rows of a file that no service has open to an empty database, with their numbers, in one transaction. Each table
 * is read back and compared before the commit. The file keeps its rows, and is marked before the commit, so that no service
 * starts with it.
 *
 * @throws StoreError or StartError whose message is a sentence for the operator.
 */
export async function moveToPostgres(
  from: string,
  to: Secret<string>,
  onTable: (table: string) => void = () => {},
): Promise<readonly MovedTable[]> {
  if (!existsSync(from)) throw new StoreError(`There is no database ${from}.`);
  const lock = await lockDatabase(from);
  const server = describeServer(to);
  const client = new pg.Client(connectionOptions(to, postgresLimits.wholeTableMs));
  client.on('error', () => {});
  let file: BetterSqlite3.Database | undefined;
  try {
    file = openFile(from);
    await client.connect();
    await bringUpToDate(client, server);
    const moved = await moveAll(file, client, server, onTable);
    file.close();
    await commitMove(from, client, server);
    return moved;
  } catch (error) {
    throw cannotReach(server, error);
  } finally {
    client.end().catch(() => {});
    file?.close();
    lock.release();
  }
}

function openFile(from: string): BetterSqlite3.Database {
  try {
    const file = openHandle(from, { readonly: true, fileMustExist: true });
    const version = checkFile(file);
    refuseMoved(file);
    if (version === newestVersion) return file;
    file.close();
    throw new StoreError(
      `The database ${from} has schema version ${version}. Start this version of the program with it once to bring it to ${newestVersion}.`,
    );
  } catch (cause) {
    throw cannotOpen(from, cause);
  }
}

async function moveAll(
  file: BetterSqlite3.Database,
  client: pg.Client,
  server: string,
  onTable: (table: string) => void,
): Promise<readonly MovedTable[]> {
  await client.query(beginSerialised);
  try {
    const moved: MovedTable[] = [];
    for (const table of movedTables) {
      if ((await client.query(`SELECT 1 FROM ${table} LIMIT 1`)).rows.length > 0) {
        throw new StoreError(`The database ${server} already has rows in ${table}. Name an empty one.`);
      }
    }
    for (const table of movedTables) {
      onTable(table);
      moved.push({ table, rows: await moveTable(file, client, table) });
    }
    return moved;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** The file is marked first: however this ends, there are never two databases to start with. */
async function commitMove(from: string, client: pg.Client, server: string): Promise<void> {
  markMoved(from, server);
  try {
    await client.query('COMMIT');
  } catch (cause) {
    if (isRefusedStatement(cause)) {
      removeMark(from);
      throw cause;
    }
    throw new StoreError(
      `The connection was lost at the end, so it is not known whether ${server} has the rows. Check whether a service starts with it. ` +
        `If it has no rows, run \`tollfree migrate --undo --from sqlite:${from}\`, then move again.`,
      { cause },
    );
  }
}

async function moveTable(file: BetterSqlite3.Database, client: pg.Client, table: string): Promise<number> {
  const columns = await columnsOf(client, table);
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  // Ordered by columns that are unique in both, to compare the rows one by one.
  const order = columns.filter(({ isKey }) => isKey).map(({ name }) => `"${name}"`);
  const select = `SELECT ${names} FROM ${table} ORDER BY ${order.join(', ')}`;
  const sent = createDigest();
  let batch: RowValue[][] = [];
  const flush = async () => {
    if (batch.length > 0) await insertRows(client, `INSERT INTO ${table} (${names}) VALUES`, batch);
    batch = [];
  };
  for (const row of file.prepare(select).raw().iterate() as Iterable<RowValue[]>) {
    sent.add(row);
    batch.push(row);
    if (batch.length === rowsAtOnce) await flush();
  }
  await flush();
  await compare(client, select, table, sent);
  for (const { name, isCounted } of columns) {
    if (isCounted) await setCounter(client, file, table, name);
  }
  return sent.count();
}

type Column = { readonly name: string; readonly isKey: boolean; readonly isCounted: boolean };

async function columnsOf(client: pg.Client, table: string): Promise<readonly Column[]> {
  const { rows } = await client.query<{ name: string; isKey: number; isCounted: number }>(
    `SELECT attname AS name, attidentity <> '' AS "isCounted", EXISTS (
        SELECT 1 FROM pg_index WHERE indrelid = attrelid AND indisprimary AND attnum = ANY (indkey)
      ) AS "isKey"
      FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [table],
  );
  return rows.map(({ name, isKey, isCounted }) => ({ name, isKey: isKey === 1, isCounted: isCounted === 1 }));
}

async function insertRows(client: pg.Client, into: string, rows: readonly RowValue[][]): Promise<void> {
  const width = rows[0]?.length ?? 0;
  const groups = rows.map((row, above) => `(${row.map((_, history) => `$${above * width + history + 1}`).join(', ')})`);
  await client.query(`${into} ${groups.join(', ')}`, rows.flat());
}

/** Reads a table back in parts, and compares it with what was sent. */
async function compare(
  client: pg.Client,
  select: string,
  table: string,
  sent: ReturnType<typeof createDigest>,
): Promise<void> {
  const found = createDigest();
  await client.query(`DECLARE moved CURSOR FOR ${select}`);
  for (;;) {
    const { rows } = await client.query<RowValue[]>({ text: `FETCH ${rowsAtOnce} FROM moved`, rowMode: 'array' });
    if (rows.length === 0) break;
    for (const row of rows) found.add(row);
  }
  await client.query('CLOSE moved');
  if (found.count() === sent.count() && found.text() === sent.text()) return;
  throw new StoreError(`The table ${table} differs after the copy. Nothing was moved.`);
}

/** The next number must be above all that were ever given. */
async function setCounter(
  client: pg.Client,
  file: BetterSqlite3.Database,
  table: string,
  column: string,
): Promise<void> {
  const given = file.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(table);
  await client.query(
    `SELECT setval(pg_get_serial_sequence($1, $2), greatest($3::bigint, (SELECT max("${column}") FROM ${table}), 0) + 1, false)`,
    [table, column, typeof given === 'number' ? given : 0],
  );
}

/** A value of a row, as returned by either database. */
type RowValue = string | number | null | Uint8Array;

/** A digest of rows: the same for equal rows in the same order, from either database. */
function createDigest() {
  const hash = createHash('sha256');
  let count = 0;
  return {
    add(row: readonly RowValue[]): void {
      count += 1;
      for (const value of row) hash.update(encode(value));
    },
    count: () => count,
    /** May only be called once. */
    text: () => hash.digest('hex'),
  };
}

/** Prefixed with type and length, so that different rows never encode alike. */
function encode(value: RowValue): Buffer {
  if (value === null) return Buffer.from('n;');
  if (typeof value === 'number') return Buffer.from(`i${value};`);
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : Buffer.from(value);
  return Buffer.concat([Buffer.from(`${typeof value === 'string' ? 't' : 'b'}${bytes.length}:`), bytes]);
}

import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { DatabaseAddress } from '../../core/base/values/database-address.ts';
import { Secret } from '../../core/base/values/secret.ts';
import { asLeader, NotLeadingError } from '../../core/store/leading.ts';
import { history, missingSteps } from '../../core/store/migrations/history.ts';
import type { Migration } from '../../core/store/migrations/migration.ts';
import { openOwnStore, openStore } from '../../core/store/open-store.ts';
import { bringUpToDate } from '../../core/store/postgres/bring-up-to-date.ts';
import type { Store } from '../../core/store/store.ts';
import { DatabaseLostError, storageFault } from '../../core/store/store-error.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { findClosedPort } from '../support/servers/find-closed-port.ts';
import { commit, startLine } from '../support/store/breaking-line.ts';
import { emptyPostgres, isOnPostgres } from '../support/store/test-database.ts';

/** Of a machine that is busy. */
const patience = { timeout: 60_000 };

function open(url: Secret<string>, opening: Promise<Store> = openStore({ kind: 'postgres', url })): Promise<Store> {
  return opening.then((store) => {
    onTestFinished(() => store.close());
    return store;
  });
}

function own(url: Secret<string>, name = 'a process'): Promise<Store> {
  return openOwnStore({ kind: 'postgres', url }, { logger: silentLogger, name });
}

async function ask(url: Secret<string>, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url.reveal());
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

function add(store: Store): Promise<unknown> {
  const account = { account_id: crypto.randomUUID(), name: 'Ada', created_at: 1 };
  return store.transaction((trx) => trx.insertInto('accounts').values(account).execute());
}

async function count(store: Store): Promise<number> {
  return (await store.db.selectFrom('accounts').select('account_id').execute()).length;
}

test('a server that is not there is an outage, told without the password', async () => {
  const port = await findClosedPort();
  const database: DatabaseAddress = {
    kind: 'postgres',
    url: new Secret(`postgres://u:hidden@127.0.0.1:${port}/books?a=b`),
  };
  const failure = await openStore(database).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'StartError', tryAgain: true });
  expect(String(failure)).toContain(`postgres://127.0.0.1:${port}/books cannot be opened (ECONNREFUSED)`);
  expect(String(failure)).not.toContain('hidden');
});

test('a server that is too old is refused', async () => {
  const client = { query: async () => ({ rows: [{ version: 130_014, name: '13.14', encoding: 'UTF8' }] }) };
  const opened = bringUpToDate(client as unknown as pg.Client, 'postgres://host/books');
  await expect(opened).rejects.toThrow('is PostgreSQL 13.14. Use one of version 14 or newer.');
});

describe.skipIf(!isOnPostgres)('a database of a server', () => {
  test('that is newer than the program, or of another one, is refused and left alone', async () => {
    const newer = await emptyPostgres();
    await (await openStore({ kind: 'postgres', url: newer })).close();
    await ask(newer, "INSERT INTO schema_migrations VALUES (9999, 'later', 1)");
    await expect(openStore({ kind: 'postgres', url: newer })).rejects.toThrow('has schema version 9999');
    const foreign = await emptyPostgres();
    await ask(foreign, 'CREATE TABLE theirs (id int)');
    await expect(openStore({ kind: 'postgres', url: foreign })).rejects.toThrow('holds tables of another program');
    const left = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace";
    expect(await ask(foreign, left)).toEqual([{ relname: 'theirs' }]);
  });

  test('that a newer version brings up to date meanwhile is written on, unless what is written has changed', async () => {
    const url = await emptyPostgres();
    const store = await open(url, own(url));
    await add(store);
    const change = async (migration: Omit<Migration, 'name' | 'sql'>) => {
      const client = new pg.Client(url.reveal());
      await client.connect();
      const later = { name: 'later', sql: () => 'SELECT 1', ...migration };
      await bringUpToDate(client, 'books', { ...history, steps: [...history.steps, later] });
      await client.end();
    };
    await change({ version: 9_998 });
    await add(store);
    await change({ version: 9_999, endsOlderWriters: true });
    await expect(add(store)).rejects.toThrow(
      'Nothing can be written: a newer version of the program has changed the format of what is written. Start this process with that version',
    );
    await expect(add(store)).rejects.toThrow(DatabaseLostError);
    expect(await count(store)).toBe(2);
  });

  test('is brought up to date however long one statement of that takes', async () => {
    const url = await emptyPostgres();
    // The server tells what it allows the statements that change the schema.
    await ask(
      url,
      `CREATE SCHEMA aside;
      CREATE TABLE aside.allowed (statement_ms text);
      CREATE FUNCTION aside.note() RETURNS event_trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO aside.allowed VALUES (current_setting('statement_timeout')); END $$;
      CREATE EVENT TRIGGER note ON ddl_command_end EXECUTE FUNCTION aside.note()`,
    );
    await open(url);
    expect(await ask(url, 'SELECT DISTINCT statement_ms FROM aside.allowed')).toEqual([{ statement_ms: '1h' }]);
  });

  test('that does not exist is a mistake', async () => {
    const url = new URL((await emptyPostgres()).reveal());
    url.pathname = '/no_such_database';
    const opened = openStore({ kind: 'postgres', url: new Secret(url.href) });
    await expect(opened).rejects.toMatchObject({
      name: 'StoreError',
      message: expect.stringContaining('Create it first'),
    });
  });

  test('is brought up to date once by programs that start together', async () => {
    const url = await emptyPostgres();
    await Promise.all([open(url), open(url), open(url)]);
    const applied = await ask(url, 'SELECT version::int FROM schema_migrations ORDER BY version');
    expect(applied).toEqual(missingSteps(history, 0, 'books').map(({ version }) => ({ version })));
  });

  test('takes what several processes read and then write one after the other', async () => {
    const url = await emptyPostgres();
    const stores = await Promise.all([open(url), open(url)]);
    await add(stores[0] as Store);
    const increment = (store: Store) =>
      store.transaction(async (trx) => {
        const { created_at } = await trx.selectFrom('accounts').select('created_at').executeTakeFirstOrThrow();
        await trx
          .updateTable('accounts')
          .set({ created_at: created_at + 1 })
          .execute();
      });
    await Promise.all(Array.from({ length: 60 }, (_, index) => increment(stores[index % 2] as Store)));
    expect(await ask(url, 'SELECT created_at::int FROM accounts')).toEqual([{ created_at: 61 }]);
  });

  test('commits nothing of a transaction one of whose statements failed, though its work went on', async () => {
    const store = await open(await emptyPostgres());
    const work = store.transaction(async (trx) => {
      await trx
        .insertInto('accounts')
        .values({ account_id: 'short', name: 'Ada', created_at: 1 })
        .execute()
        .catch(() => {});
    });
    await expect(work).rejects.toThrow('one of its statements had failed');
    await add(store);
    expect(await count(store)).toBe(1);
  });

  test('a reading cannot write and sees one moment', async () => {
    const store = await open(await emptyPostgres());
    const seen = await store.read(async (snapshot) => {
      const before = (await snapshot.selectFrom('accounts').selectAll().execute()).length;
      await add(store);
      return [before, (await snapshot.selectFrom('accounts').selectAll().execute()).length];
    });
    expect(seen).toEqual([0, 0]);
    const writing = store.read((snapshot) => snapshot.deleteFrom('accounts').execute());
    await expect(writing).rejects.toThrow('read-only transaction');
    expect(await count(store)).toBe(1);
  });
});

describe.skipIf(!isOnPostgres)('a process of the service', () => {
  const terminate = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;

  test('goes on after its connections broke, and leads again', async () => {
    const url = await emptyPostgres();
    const store = await open(url, own(url));
    await add(store);
    const changes: boolean[] = [];
    store.leadership.onChange(() => changes.push(store.leadership.leads()));
    await ask(url, terminate);
    // The first may still have been sent over the old connection.
    await add(store).catch((error: unknown) => expect(storageFault(error)).toBe('the database does not respond'));
    await add(store);
    expect(await count(store)).toBeGreaterThanOrEqual(2);
    await vi.waitFor(() => expect(changes).toEqual([false, true]), patience);
  });

  test('is told that a transaction is committed though the answer to that was lost', async () => {
    const url = await emptyPostgres();
    const line = await startLine(url);
    onTestFinished(line.close);
    const store = await open(url, own(line.url));
    line.loseAnswerTo(commit);
    await add(store);
    expect(line.lost()).toBe(1);
    expect(await count(store)).toBe(1);
  });

  test('is told that a transaction failed whose commit did not arrive', async () => {
    const url = await emptyPostgres();
    const line = await startLine(url);
    onTestFinished(line.close);
    const store = await open(url, own(line.url));
    line.lose(commit);
    expect(await add(store).catch(storageFault)).toBe('the database does not respond');
    await add(store);
    expect(await count(store)).toBe(1);
  });
});

describe.skipIf(!isOnPostgres)('of the processes of a service', () => {
  const leads = ({ leadership }: Store) => leadership.leads();

  test('one leads, and another one as soon as it has stopped', async () => {
    const url = await emptyPostgres();
    const first = await own(url, 'first');
    const others = await Promise.all([open(url, own(url, 'second')), open(url, own(url, 'third'))]);
    expect([first, ...others].map(leads)).toEqual([true, false, false]);
    expect(await others[0]?.leadership.leader()).toBe('first');
    await first.close();
    await vi.waitFor(() => expect(others.filter(leads)).toHaveLength(1), patience);
    const [leader] = others.filter(leads);
    expect(['second', 'third']).toContain(await leader?.leadership.leader());
    await add(asLeader(leader as Store));
  });

  test('those that do not lead write what was asked for, and nothing that runs by itself', async () => {
    const url = await emptyPostgres();
    await open(url, own(url));
    const other = await open(url, own(url));
    await expect(add(asLeader(other))).rejects.toThrow(NotLeadingError);
    await add(other);
    expect(await count(other)).toBe(1);
  });

  test('another one leads when the line of the one that does is cut, though both its ends are there', async () => {
    const url = await emptyPostgres();
    const line = await startLine(url);
    onTestFinished(line.close);
    const first = await open(url, own(line.url));
    const second = await open(url, own(url));
    line.hold();
    await vi.waitFor(() => expect(leads(second)).toBe(true), patience);
    await add(asLeader(second));
    line.goOn();
    await vi.waitFor(() => expect(leads(first)).toBe(false), patience);
    await expect(add(asLeader(first))).rejects.toThrow();
    expect(await count(second)).toBe(1);
  });

  test('one that falls silent in its turn at the database loses it, and the others go on', async () => {
    const url = await emptyPostgres();
    const [silent, other] = [await open(url), await open(url)];
    let begin = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let goOn = () => {};
    const isSilent = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const turn = silent.transaction(async (trx) => {
      await trx
        .insertInto('accounts')
        .values({ account_id: crypto.randomUUID(), name: 'Ada', created_at: 1 })
        .execute();
      begin();
      await isSilent;
    });
    const lost = expect(turn).rejects.toThrow('the database does not respond');
    await hasBegun;
    await add(other);
    goOn();
    await lost;
    expect(await count(other)).toBe(1);
    await add(silent);
  });

  test('one that does not know that another one has led changes nothing, and asks to lead again', async () => {
    const url = await emptyPostgres();
    const store = await open(url, own(url));
    await ask(url, 'UPDATE database_owner SET generation = generation + 1');
    expect(leads(store)).toBe(true);
    const inserted = store.transaction(async (trx) => {
      await trx
        .insertInto('accounts')
        .values({ account_id: crypto.randomUUID(), name: 'Ada', created_at: 1 })
        .execute();
      await store.leadership.check(trx);
    });
    await expect(inserted).rejects.toThrow(NotLeadingError);
    expect(leads(store)).toBe(false);
    expect(await count(store)).toBe(0);
    await vi.waitFor(() => add(asLeader(store)), patience);
  });
});

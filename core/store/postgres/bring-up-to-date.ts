import type pg from 'pg';
import { checkVersion, history, missingSteps } from '../migrations/history.ts';
import { postgresWords } from '../migrations/migration.ts';
import { StoreError } from '../store-error.ts';
import { postgresLimits } from './connection-options.ts';
import { beginSerialised } from './serialise.ts';

/**
 * Upgrades a schema of a database in one transaction. Programs that start at the same time take turns. Throws a `StoreError`
 * when the server is too old, no step continues from the schema, or it belongs to another program.
 */
export async function bringUpToDate(client: pg.Client, server: string, known = history): Promise<void> {
  await checkServer(client, server);
  await client.query(beginSerialised);
  try {
    const steps = missingSteps(known, await checkSchema(client, server, known), server);
    await client.query(ownTables);
    for (const { version, name, sql, endsOlderWriters } of steps) {
      await client.query(sql(postgresWords));
      if (endsOlderWriters) await client.query('UPDATE database_owner SET oldest_writer = $1', [version]);
      await client.query(
        'INSERT INTO schema_migrations (version, name, applied_at) VALUES ($1, $2, extract(epoch FROM now())::bigint)',
        [version, name],
      );
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Tables that only PostgreSQL has. Migrations create those of both. */
const ownTables = `
  CREATE TABLE IF NOT EXISTS schema_migrations (
    version bigint PRIMARY KEY CHECK (version > 0),
    name text COLLATE "C" NOT NULL,
    applied_at bigint NOT NULL
  );
  CREATE TABLE IF NOT EXISTS database_owner (
    id bigint PRIMARY KEY CHECK (id = 1),
    generation bigint NOT NULL
  );
  ALTER TABLE database_owner ADD COLUMN IF NOT EXISTS name text COLLATE "C";
  ALTER TABLE database_owner ADD COLUMN IF NOT EXISTS lost_at bigint;
  ALTER TABLE database_owner ADD COLUMN IF NOT EXISTS oldest_writer bigint;
  INSERT INTO database_owner VALUES (1, 0) ON CONFLICT DO NOTHING;
`;

/** Throws a `StoreError` when a server is too old or its database has another encoding. */
export async function checkServer(client: pg.Client, server: string): Promise<void> {
  const { rows } = await client.query<{ version: number; name: string; encoding: string }>(
    `SELECT current_setting('server_version_num')::bigint AS version, current_setting('server_version') AS name,
      current_setting('server_encoding') AS encoding`,
  );
  const [{ version, name, encoding } = { version: 0, name: 'unknown', encoding: '' }] = rows;
  if (version < postgresLimits.minServerVersion) {
    const oldest = postgresLimits.minServerVersion / 10_000;
    throw new StoreError(`The server of ${server} is PostgreSQL ${name}. Use one of version ${oldest} or newer.`);
  }
  if (encoding !== 'UTF8') {
    throw new StoreError(`The database ${server} has the encoding ${encoding}. Create one with the encoding UTF8.`);
  }
}

/** The version of a schema, 0 of an empty one. */
export async function checkSchema(client: pg.Client, server: string, known = history): Promise<number> {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace`,
  );
  if (tables.length === 0) return 0;
  if (!tables.some(({ name }) => name === 'schema_migrations')) {
    throw new StoreError(
      `The database ${server} holds tables of another program. Create one for Tollfree, or a schema that is named ` +
        'in the search_path of its user.',
    );
  }
  const { rows } = await client.query<{ applied: number }>(
    'SELECT coalesce(max(version), 0) AS applied FROM schema_migrations',
  );
  const applied = rows[0]?.applied ?? 0;
  checkVersion(known, applied, server);
  return applied;
}

import pg from 'pg';
import type { Secret } from '../../base/values/secret.ts';
import type { CompiledStatement } from '../compile-statement.ts';
import { newestVersion } from '../migrations/history.ts';
import { checkSchema, checkServer } from './bring-up-to-date.ts';
import { connectionOptions, postgresLimits } from './connection-options.ts';
import { cannotReach } from './postgres-error.ts';

/** Facts about a database, read without changing it. */
type ServerFacts = {
  readonly server: string;
  readonly schemaVersion: number;
  readonly newestVersion: number;
  /** Digests of the master keys that have sealed data. */
  readonly masterKeys: readonly string[];
};

/** Inspects a database without changing it. Throws a `StoreError` or `StartError` if it could not be opened. */
export async function inspectServer(url: Secret<string>): Promise<ServerFacts> {
  return withServer(url, async (client, server) => {
    await checkServer(client, server);
    const schemaVersion = await checkSchema(client, server);
    const keys =
      schemaVersion === 0 ? undefined : await client.query<{ digest: string }>('SELECT digest FROM master_keys');
    return { server, schemaVersion, newestVersion, masterKeys: keys?.rows.map(({ digest }) => digest) ?? [] };
  });
}

/** The rows of one statement. Throws a `StoreError` or `StartError` if the database could not be opened. */
export function readServerRows<Row extends object>(
  url: Secret<string>,
  { sql, parameters }: CompiledStatement,
): Promise<readonly Row[]> {
  return withServer(url, async (client) => (await client.query<Row>(sql, [...parameters])).rows);
}

/** Runs work with a connection of its own, which ends with it. */
async function withServer<T>(url: Secret<string>, work: (client: pg.Client, server: string) => Promise<T>): Promise<T> {
  const server = describeServer(url);
  const client = new pg.Client(connectionOptions(url, postgresLimits.statementMs));
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client, server);
  } catch (error) {
    throw cannotReach(server, error);
  } finally {
    client.end().catch(() => {});
  }
}

/** A server and its database, for logs and errors: without user, password and parameters. */
export function describeServer(url: Secret<string>): string {
  try {
    const { host, pathname } = new URL(url.reveal());
    return `postgres://${host}${pathname}`;
  } catch {
    // If the URL is malformed, any part of it may be the password.
    return 'postgres://…';
  }
}

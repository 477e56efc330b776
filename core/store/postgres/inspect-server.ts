import pg from 'pg';
import type { Secret } from '../../base/values/secret.ts';
import { newestVersion } from '../migrations/history.ts';
import { checkSchema, checkServer } from './bring-up-to-date.ts';
import { connectionOptions } from './connection-options.ts';
import { describeServer } from './describe-server.ts';
import { cannotReach } from './postgres-error.ts';
import { postgresLimits } from './postgres-limits.ts';

/** What is at the address of a database, for reading alone. */
type ServerFacts = {
  readonly server: string;
  readonly schemaVersion: number;
  readonly newestVersion: number;
  /** Digests of the master keys that something is sealed under. */
  readonly masterKeys: readonly string[];
};

/** Looks at a database without changing it. Throws a `StoreError` or `StartError` where it could not be opened. */
export async function inspectServer(url: Secret<string>): Promise<ServerFacts> {
  const server = describeServer(url);
  const client = new pg.Client(connectionOptions(url, postgresLimits.statementMs));
  client.on('error', () => {});
  try {
    await client.connect();
    await checkServer(client, server);
    const schemaVersion = await checkSchema(client, server);
    const keys =
      schemaVersion === 0 ? undefined : await client.query<{ digest: string }>('SELECT digest FROM master_keys');
    return { server, schemaVersion, newestVersion, masterKeys: keys?.rows.map(({ digest }) => digest) ?? [] };
  } catch (error) {
    throw cannotReach(server, error);
  } finally {
    client.end().catch(() => {});
  }
}

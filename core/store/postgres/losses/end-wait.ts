import pg from 'pg';
import type { Secret } from '../../../base/values/secret.ts';
import { connectionOptions } from '../connection-options.ts';
import { describeServer } from '../inspect-server.ts';
import { cannotReach } from '../postgres-error.ts';
import { postgresLimits } from '../postgres-limits.ts';

/** Since when a database is known to lack committed data, in Unix seconds by its clock; undefined if it lacks nothing. */
export async function readLostAt(url: Secret<string>): Promise<number | undefined> {
  const [row] = await ask<{ lost_at: number | null }>(url, 'SELECT lost_at FROM database_owner', []);
  return row?.lost_at ?? undefined;
}

/**
 * Ends the wait of all cores for the signatures that may be missing after that loss. Returns whether it was still the last
 * loss.
 */
export async function endWait(url: Secret<string>, lostAt: number): Promise<boolean> {
  const ended = 'UPDATE database_owner SET lost_at = NULL WHERE lost_at = $1 RETURNING id';
  return (await ask(url, ended, [lostAt])).length === 1;
}

async function ask<Row extends pg.QueryResultRow>(
  url: Secret<string>,
  sql: string,
  values: readonly number[],
): Promise<readonly Row[]> {
  const client = new pg.Client(connectionOptions(url, postgresLimits.statementMs));
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Row>(sql, [...values])).rows;
  } catch (error) {
    throw cannotReach(describeServer(url), error);
  } finally {
    client.end().catch(() => {});
  }
}

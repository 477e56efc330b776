import pg from 'pg';
import type { Secret } from '../../base/values/secret.ts';
import { postgresLimits } from './postgres-limits.ts';

/** SQL for the notification channel of a schema. It is a digest, since a channel name cannot be as long as a schema name. */
export const channelName = "'tollfree_' || md5(current_schema())";

/** Object ids of server types whose values are converted differently from the driver's default. */
const oids = { bool: 16, int8: 20, numeric: 1_700 } as const;

const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map([
  // As in SQLite.
  [oids.bool, (text) => (text === 't' ? 1 : 0)],
  [oids.int8, readInteger],
  // The sum of a BIGINT column.
  [oids.numeric, readInteger],
]);

/** Options for connections to a server, with the time limit of a statement. */
export function connectionOptions(url: Secret<string>, statementMs: number): pg.ClientConfig {
  return {
    connectionString: url.reveal(),
    application_name: 'tollfree',
    connectionTimeoutMillis: postgresLimits.connectMs,
    statement_timeout: statementMs,
    query_timeout: statementMs + postgresLimits.answerMs,
    lock_timeout: postgresLimits.lockMs,
    idle_in_transaction_session_timeout: postgresLimits.idleInTransactionMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: postgresLimits.keepAliveSeconds * 1_000,
    types: {
      // pg's types distinguish parsers for text and binary; binary is never requested.
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        parsers.get(oid) ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
}

/** Throws instead of silently rounding. */
function readInteger(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError('A number of the database is out of range.');
  return number;
}

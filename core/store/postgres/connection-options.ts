import pg from 'pg';
import type { Secret } from '../../base/values/secret.ts';
import { postgresLimits } from './postgres-limits.ts';

/** Object ids of the server's types whose values come as other ones than its driver makes of them. */
const oids = { bool: 16, int8: 20, numeric: 1_700 } as const;

const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map([
  // As SQLite has them.
  [oids.bool, (text) => (text === 't' ? 1 : 0)],
  [oids.int8, readInteger],
  // The sum of a BIGINT column.
  [oids.numeric, readInteger],
]);

/** How connections to a server are opened, with the time that one statement may take. */
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
      // pg's own types tell parsers for text and binary apart; nothing is asked for in binary.
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        parsers.get(oid) ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
}

/** Rounded numbers would go unnoticed. */
function readInteger(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError('A number of the database is out of range.');
  return number;
}

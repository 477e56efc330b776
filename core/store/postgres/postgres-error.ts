import pg from 'pg';
import { StartError } from '../../domain/start-error.ts';
import { asStorageLoss, DatabaseLostError, errorCode, StoreError } from '../store-error.ts';

/** SQLSTATEs and network codes that mean a configuration mistake, with the fix. */
const mistakes: ReadonlyMap<string, string> = new Map([
  ['28P01', 'The password is wrong.'],
  ['28000', 'The server does not accept this user from here. Check its pg_hba.conf.'],
  ['3D000', 'The server has no database with this name. Create it first.'],
  ['3F000', 'It has no schema for tables. Create one, or fix the search_path.'],
  ['42501', 'Its user lacks permissions. Make it the owner of the database or of its own schema.'],
]);

/** Why a server is unusable at startup: a mistake, or an outage that can be retried. */
export function cannotReach(server: string, cause: unknown): StoreError | StartError {
  if (cause instanceof StoreError || cause instanceof StartError) return cause;
  const code = errorCode(cause) ?? 'no answer';
  const text = `The database ${server} cannot be opened (${code}).`;
  const why = mistakes.get(code);
  if (why !== undefined) return new StoreError(`${text} ${why}`, { cause });
  const hint = 'Check that the server runs, that its host and port are right, and that this machine may reach it.';
  return new StartError(`${text} ${hint}`, { tryAgain: true, cause });
}

/** Classifies a failed statement: the server's refusal stays as it is, everything else is a lost database. */
export function asLoss(cause: unknown): unknown {
  if (isRefusedStatement(cause) || cause instanceof DatabaseLostError) return cause;
  return new DatabaseLostError('the database does not respond', { cause });
}

/**
 * Classifies a failed write: a refusal because of the server's storage also counts as a loss, since other writes would fail too.
 */
export function asLostWrite(cause: unknown): unknown {
  return asLoss(asStorageLoss(cause));
}

/**
 * Whether the server itself refused a statement and the connection is intact. After any other error the outcome is unknown.
 */
export function isRefusedStatement(cause: unknown): boolean {
  return cause instanceof pg.DatabaseError && cause.severity === 'ERROR';
}

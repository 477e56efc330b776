import { StartError } from '../domain/start-error.ts';

/** The store cannot be opened. The message is a sentence for the operator that says what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['SQLITE_NOTADB', 'It is not a SQLite database.'],
  ['SQLITE_CORRUPT', 'It is damaged. Replace it with a copy.'],
]);

/** Codes of temporary lack of disk space: the same start can be retried. */
const outages: ReadonlyMap<string, string> = new Map([
  ['SQLITE_FULL', 'The disk is full.'],
  ['ENOSPC', 'The disk is full.'],
  ['EDQUOT', 'The disk quota is used up.'],
  ['SQLITE_IOERR', 'The disk is full or failing.'],
]);

/** Why a database file could not be opened: a `StoreError`, or a `StartError` if it can be retried. */
export function cannotOpen(file: string, cause: unknown): StoreError | StartError {
  if (cause instanceof StoreError || cause instanceof StartError) return cause;
  const code = errorCode(cause);
  const outage = [...outages].find(([prefix]) => code?.startsWith(prefix))?.[1];
  if (outage !== undefined) {
    const message = `The database ${file} cannot be opened (${code}). ${outage} Make room, or check the disk.`;
    return new StartError(message, { tryAgain: true, cause });
  }
  const why =
    reasons.get(code ?? '') ??
    'Check that its folder exists, that this user may write to it, and that no other program locks it.';
  return new StoreError(`The database ${file} cannot be opened (${code ?? 'unknown error'}). ${why}`, { cause });
}

/** The code of an error of SQLite or of the file system, like `SQLITE_BUSY` or `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

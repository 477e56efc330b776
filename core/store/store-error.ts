import { StartError } from '../domain/start-error.ts';

const damaged = 'the database is damaged';

/** SQLite's primary result codes, and SQLSTATEs, that concern the storage and not a statement. */
const faults: readonly (readonly [code: string, detail: string])[] = [
  ['SQLITE_FULL', 'the disk is full'],
  ['SQLITE_IOERR', 'the disk is failing'],
  ['SQLITE_READONLY', 'the database cannot be written to'],
  ['SQLITE_CANTOPEN', 'the database cannot be opened'],
  ['SQLITE_CORRUPT', damaged],
  ['SQLITE_NOTADB', damaged],
  ['SQLITE_BUSY', 'another process keeps the database locked'],
  ['53100', 'the disk is full'],
  ['58030', 'the disk is failing'],
  ['25006', 'the database cannot be written to'],
  ['55P03', 'another process keeps the database locked'],
  ['XX001', damaged],
  ['XX002', damaged],
];

/** Whether the database itself is damaged, which waiting cannot repair. */
export function isDamage(cause: unknown): boolean {
  return storageFault(cause) === damaged;
}

/** Why nothing can be written, in words; undefined when only this transaction failed. */
export function storageFault(cause: unknown): string | undefined {
  if (cause instanceof DatabaseLostError) return cause.detail;
  const code = errorCode(cause);
  return faults.find(([prefix]) => code?.startsWith(prefix))?.[1];
}

/** A statement's error: a lost database if it is about the storage, else the error unchanged. */
export function asStorageLoss(cause: unknown): unknown {
  const fault = storageFault(cause);
  return fault === undefined || cause instanceof DatabaseLostError ? cause : new DatabaseLostError(fault, { cause });
}

/**
 * The database does not answer, or no longer belongs to this process. `detail` completes the sentence "Nothing can be
 * written: …".
 */
export class DatabaseLostError extends Error {
  override readonly name = 'DatabaseLostError';
  readonly detail: string;
  /** The error code of the server or the network, if known. */
  readonly code: string | undefined;

  constructor(detail: string, options?: ErrorOptions) {
    super(`Nothing can be written: ${detail}`, options);
    this.detail = detail;
    this.code = errorCode(options?.cause);
  }
}

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

/** A stored row has unexpected content. The message names the table and the row, for the log. */
export class RowError extends Error {
  override readonly name = 'RowError';

  constructor(row: StoredRow, why: string, options?: ErrorOptions) {
    super(`The row ${row.id} of the table ${row.table} cannot be read: ${why}`, options);
  }
}

/** The location of a stored text. */
export type StoredRow = { readonly table: string; readonly id: string | number };

import { DatabaseLostError } from './database-lost-error.ts';
import { errorCode } from './store-error.ts';

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

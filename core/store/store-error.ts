/** The store cannot be opened. The message is a sentence for the operator that says what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['SQLITE_NOTADB', 'It is not a SQLite database.'],
  ['SQLITE_CORRUPT', 'It is damaged. Replace it with a copy.'],
]);

/** What kept a file of the database from being opened, in words; a `StoreError` stays as it is. */
export function cannotOpen(file: string, cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const code = errorCode(cause);
  const why =
    reasons.get(code ?? '') ??
    'Check that its folder exists, that this user may write to it, and that no other program locks it.';
  return new StoreError(`The database ${file} cannot be opened (${code ?? 'unknown error'}). ${why}`, { cause });
}

/** The code of an error of SQLite or of the file system, like `SQLITE_BUSY` or `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

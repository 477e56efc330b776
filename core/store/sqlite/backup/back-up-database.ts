import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { errorCode, StoreError } from '../../store-error.ts';
import { type CopyFacts, type CopyProgress, checkCopy, copyDatabase, syncFolder } from './copy-database.ts';

/**
 * Makes a checked copy of a database that a service may be writing to. `to` only appears when it is complete; nothing is
 * overwritten, and a failed copy is removed.
 *
 * @throws StoreError whose message is a sentence for the operator.
 */
export async function backUpDatabase(from: string, to: string, onProgress?: CopyProgress): Promise<CopyFacts> {
  takeName(to);
  const unfinished = `${to}.unfinished`;
  try {
    // This name is reserved, so no one else is making this copy.
    rmSync(unfinished, { force: true });
    await copyDatabase(from, unfinished, onProgress);
    const facts = checkCopy(unfinished, from);
    renameSync(unfinished, to);
    syncFolder(to);
    return facts;
  } catch (error) {
    for (const file of [unfinished, `${unfinished}-journal`, to]) rmSync(file, { force: true });
    throw error;
  }
}

/** Creates an empty file, so that no other program can take the name meanwhile. */
function takeName(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (cause) {
    const code = errorCode(cause);
    throw new StoreError(
      code === 'EEXIST'
        ? `Nothing was written, because files are never overwritten: ${file} already exists.`
        : `The copy ${file} cannot be written (${code ?? 'unknown error'}). Check that its folder exists and that this user may write to it.`,
      { cause },
    );
  }
}

import { existsSync, statSync } from 'node:fs';
import { isDamage } from '../storage-fault.ts';
import { errorCode } from '../store-error.ts';
import { createReadThread } from './reading/read-thread.ts';

/**
 * Reads a database through in a thread of its own, and resolves to whether it is whole. One that is not there yet is. Where the check
 * cannot be made, opening the database says why.
 */
export async function isWhole(file: string): Promise<boolean> {
  if (!existsSync(file) || statSync(file).size === 0) return true;
  const thread = createReadThread(file);
  try {
    const [row] = await thread.ask({ sql: 'PRAGMA quick_check(1)', parameters: [] });
    return Object.values(row as Record<string, unknown>)[0] === 'ok';
  } catch (cause) {
    return !isDamage(cause) || errorCode(cause) === 'SQLITE_NOTADB';
  } finally {
    await thread.close().catch(() => {});
  }
}

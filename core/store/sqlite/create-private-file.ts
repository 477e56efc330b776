import { closeSync, openSync } from 'node:fs';
import { cannotOpen, errorCode } from '../store-error.ts';

/**
 * Creates an empty file that only its owner can read, unless it exists. An existing one is not even opened: closing it would
 * drop the locks that this process holds on it (POSIX `fcntl`).
 */
export function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (cause) {
    if (errorCode(cause) !== 'EEXIST') throw cannotOpen(file, cause);
  }
}

import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own in memory, that can be filled to the last byte. */
export type SmallDisk = {
  readonly folder: string;
  /** Takes all its room, except for so many bytes. */
  fill(except?: number): void;
  /** Makes room again. */
  clear(): void;
  close(): void;
};

/** Mounts one of so many mebibytes; undefined where this user may not mount. */
export function mountSmallDisk(mebibytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmdirSync(folder);
    return undefined;
  }
  const filling = join(folder, 'filling');
  return {
    folder,
    fill: (except = 0) => {
      fillUp(filling);
      truncateSync(filling, statSync(filling).size - except);
    },
    clear: () => rmSync(filling, { force: true }),
    close: () => {
      execFileSync('umount', [folder]);
      rmdirSync(folder);
    },
  };
}

/** Writes until the file system takes no more. */
function fillUp(file: string): void {
  const piece = Buffer.alloc(4_096);
  const handle = openSync(file, 'a');
  try {
    for (;;) if (writeSync(handle, piece) < piece.length) return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(handle);
  }
}

import { lstatSync, mkdirSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 *
 *
 * Creates the folder of a unix socket (mode 0700), or uses the existing one.
 *
 * @throws Error with a sentence for the operator when others may enter it.
 */
export function prepareSocketFolder(socketPath: string): void {
  const folder = dirname(resolve(socketPath));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Error(`the folder ${folder} of the gRPC socket cannot be made (${codeOf(error)})`);
  }
  checkSocketFolder(socketPath);
}

/**
 *
 *
 * Checks that no one else can put a socket into the folder, or reach the existing one: it must belong to this user and be
 * closed to all others. A missing folder is fine. Not checked on Windows.
 *
 * @throws Error with a sentence for the operator.
 */
export function checkSocketFolder(socketPath: string): void {
  if (process.platform === 'win32') return;
  const folder = dirname(resolve(socketPath));
  const stats = statFolder(folder);
  if (stats === undefined) return;
  if (!stats.isDirectory()) throw new Error(`the folder ${folder} of the gRPC socket must be a folder, not a link`);
  const uid = process.getuid?.();
  if (uid !== 0 && stats.uid !== uid)
    throw new Error(`the folder ${folder} of the gRPC socket belongs to another user`);
  if ((stats.mode & 0o077) === 0) return;
  const mode = (stats.mode & 0o777).toString(8).padStart(3, '0');
  throw new Error(
    `the folder ${folder} of the gRPC socket is open to other users of this machine (mode ${mode}). Name a new folder, ` +
      `which will be created, or close this one with chmod 700 ${folder}`,
  );
}

function statFolder(folder: string): Stats | undefined {
  try {
    return lstatSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new Error(`the folder ${folder} of the gRPC socket cannot be read (${codeOf(error)})`);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

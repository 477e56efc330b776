import { lstatSync, mkdirSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes the folder of a unix socket (mode 0700), or takes the one that is there.
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
 * Checks that no one else can put a socket of his own into the folder, or reach the one that is there: a folder of this
 * user, closed to all others. A folder that does not exist yet is no fault. On Windows nothing is looked at.
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

import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const memory = '/dev/shm';
const prefix = 'tollfree-tests-';
const bytesNeeded = 2 * 2 ** 30;

/**
 * The variables by which the tests put their files into memory, where this machine has room there: SQLite waits for the disk
 * at each commit, some milliseconds each time, and the tests commit some 100,000 times. Elsewhere, or where TMPDIR is set, none.
 */
export function temporaryFolder(): { readonly TMPDIR?: string } {
  if (process.env.TMPDIR !== undefined || !isFit()) return {};
  for (const name of readdirSync(memory)) if (isLeftBehind(name)) rmSync(join(memory, name), { recursive: true });
  const folder = join(memory, `${prefix}${process.pid}`);
  // Others may pass, since PostgreSQL does not run as root: its own folder is inside.
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { TMPDIR: folder };
}

/** Some tests run programs from there. */
function isFit(): boolean {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === memory);
    const { bavail, bsize } = statfsSync(memory);
    return mount !== undefined && !mount.includes('noexec') && bavail * bsize >= bytesNeeded;
  } catch {
    return false;
  }
}

/** By a run that was killed. */
function isLeftBehind(name: string): boolean {
  if (!name.startsWith(prefix)) return false;
  try {
    process.kill(Number(name.slice(prefix.length)), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

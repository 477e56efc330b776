import { type ChildProcessByStdio, type SpawnOptions, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/**
 * Starts a watcher in the background and then becomes the program. The watcher reads a pipe from its parent: when the parent
 * ends in any way, the pipe closes and the watcher kills the program.
 */
const watched = 'exec 3<&0; (read -r _ <&3; kill -9 $$) >/dev/null 2>&1 & exec 3<&- "$@" </dev/null';

/**
 * Starts a program that ends together with this process, even if this process is killed. The program has no standard input.
 * On Windows it is an ordinary child process.
 */
export function spawnTied(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'detached' | 'uid' | 'gid'> = {},
): ChildProcessByStdio<Writable, Readable, Readable> {
  const [program, ...given] = process.platform === 'win32' ? [command] : ['/bin/sh', '-c', watched, 'sh', command];
  return spawn(program, [...given, ...args], { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
}

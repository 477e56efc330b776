import { type ChildProcessByStdio, type SpawnOptions, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/**
 * Leaves a watcher behind and becomes the program. The watcher reads the pipe that its parent holds open: that one closes
 * when the parent ends, in whatever way, and then the watcher kills the program.
 */
const watched = 'exec 3<&0; (read -r _ <&3; kill -9 $$) >/dev/null 2>&1 & exec 3<&- "$@" </dev/null';

/**
 * Starts a program that ends when this process ends, also when this process is killed and can stop nothing any more. The
 * program has no standard input. On Windows it is an ordinary child process.
 */
export function spawnTied(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'detached' | 'uid' | 'gid'> = {},
): ChildProcessByStdio<Writable, Readable, Readable> {
  const [program, ...given] = process.platform === 'win32' ? [command] : ['/bin/sh', '-c', watched, 'sh', command];
  return spawn(program, [...given, ...args], { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
}

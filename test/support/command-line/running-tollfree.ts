import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';
import { spawnTied } from '../../../server/dev/devnet/start-anvil.ts';
import type { ProgramPlace } from './run-tollfree.ts';

/** A `tollfree` process that stays, and what it has said so far. */
export type RunningTollfree = {
  readonly child: ChildProcess;
  readonly stdout: string[];
  readonly stderr: string[];
  /** The first line of a stream that matches, also when it has been said already. Rejects when the process ends first. */
  line(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<string>;
  /** The first line of a stream from now on that matches, or a later one. Rejects when the process ends first. */
  nextLine(stream: 'stdout' | 'stderr', pattern: RegExp, which?: number): Promise<string>;
  /** Sends the signals and resolves to the exit code. */
  stop(...signals: readonly NodeJS.Signals[]): Promise<number | null>;
};

export function startTollfree(
  args: readonly string[],
  { env, program = [inject('program')] }: Pick<ProgramPlace, 'env' | 'program'> = {},
): RunningTollfree {
  const child = spawnTied(process.execPath, [...program, ...args], { env: { PATH: process.env.PATH, ...env } });
  const said = { stdout: collect(child, 'stdout'), stderr: collect(child, 'stderr') };
  const ended = once(child, 'close');
  const orEnd = (line: Promise<string>) =>
    Promise.race([
      line,
      ended.then(() => Promise.reject(new Error(`tollfree ended: ${said.stderr.lines.join('\n')}`))),
    ]);
  return {
    child,
    stdout: said.stdout.lines,
    stderr: said.stderr.lines,
    line: (stream, pattern) => orEnd(said[stream].find(pattern)),
    nextLine: (stream, pattern, which) => orEnd(said[stream].next(pattern, which)),
    async stop(...signals) {
      for (const signal of signals) child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
}

function collect(child: ChildProcess, name: 'stdout' | 'stderr') {
  const lines: string[] = [];
  const stream = child[name];
  if (stream === null) throw new Error(`${name} is not a pipe`);
  const reader = createInterface({ input: stream });
  reader.on('line', (line) => lines.push(line));
  const next = (pattern: RegExp, which = 1) =>
    new Promise<string>((resolve) => {
      let left = which;
      const look = (line: string) => {
        if (!pattern.test(line)) return;
        left -= 1;
        if (left > 0) return;
        reader.removeListener('line', look);
        resolve(line);
      };
      reader.on('line', look);
    });
  return {
    lines,
    next,
    find(pattern: RegExp): Promise<string> {
      const known = lines.find((line) => pattern.test(line));
      return known === undefined ? next(pattern) : Promise.resolve(known);
    },
  };
}

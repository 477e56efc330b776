import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { spawnTied } from '../../../server/dev/devnet/start-anvil.ts';

/** What `npm run tollfree` gives `node`: the program from its sources. The compiled one of the test run starts much sooner. */
export const sourceProgram: readonly string[] = [
  '--conditions=@tollfree/source',
  '--import',
  'tsx',
  resolve(import.meta.dirname, '../../../server/tollfree.ts'),
];

/** Where a process runs, which program it is, and its variables besides `PATH`. */
export type ProgramPlace = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments for `node`. */
  readonly program?: readonly string[];
  /** A command that runs what stands behind it. */
  readonly through?: readonly string[];
};

/** Runs the program to its end, without the variables of this process that could reach it. */
export async function runTollfree(
  args: readonly string[],
  { cwd, env, through = [], program = [inject('program')] }: ProgramPlace = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const [command = process.execPath, ...rest] = [...through, process.execPath, ...program, ...args];
  const child = spawnTied(command, rest, { cwd, env: { PATH: process.env.PATH, ...env } });
  const [[code], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

import pLimit from 'p-limit';
import { runInProcess } from './run-in-process.ts';
import type { ProgramPlace } from './run-tollfree.ts';

/** A process has one folder and one environment: commands that are run at once wait for each other. */
const oneAtATime = pLimit(1);

/**
 * What `runTollfree` answers, without a process: {@link runInProcess} in a folder, without the variables of this process
 * that could reach the command.
 */
export function runInPlace(
  args: readonly string[],
  { cwd = process.cwd(), env = {} }: Pick<ProgramPlace, 'cwd' | 'env'> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  return oneAtATime(async () => {
    const before = { cwd: process.cwd(), env: process.env };
    const runners = Object.entries(before.env).filter(([name]) => /^(PATH|TMPDIR|NODE_ENV|VITEST.*)$/.test(name));
    process.chdir(cwd);
    process.env = { ...Object.fromEntries(runners), ...env };
    try {
      return await runInProcess(...args);
    } finally {
      process.env = before.env;
      process.chdir(before.cwd);
    }
  });
}

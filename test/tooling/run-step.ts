import { spawnSync } from 'node:child_process';

/** Runs a command from the repository's root with its output shown; true when it succeeded. */
export function runStep(name: string, command: string, args: readonly string[]): boolean {
  process.stdout.write(`- ${name}\n`);
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error !== undefined) process.stderr.write(`${error.message}\n`);
  return status === 0;
}

import { spawn } from 'node:child_process';

/**
 * Runs a command from the repository's root; true when it succeeded. Its output is shown at the end, so that parallel
 * commands do not mix theirs.
 */
export function runStep(name: string, command: string, args: readonly string[]): Promise<boolean> {
  const said: Buffer[] = [];
  const began = performance.now();
  return new Promise((resolve) => {
    const finish = (succeeded: boolean, error = ''): void => {
      const seconds = ((performance.now() - began) / 1_000).toFixed(1);
      const mark = succeeded ? '-' : '✗ failed:';
      process.stdout.write(`${mark} ${name} (${seconds} s)\n${Buffer.concat(said).toString()}`);
      process.stderr.write(error);
      resolve(succeeded);
    };
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
    child.on('error', (error) => finish(false, `${error.message}\n`));
    child.on('close', (status) => finish(status === 0));
  });
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { tollfreeCommand } from '../cli/tollfree-command.ts';

/** Runs a management command to its end in a directory, with these variables and no others that could reach it. */
export async function runManagement(
  args: readonly string[],
  place: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [...tollfreeCommand, ...args], {
    cwd: place.cwd,
    env: { PATH: process.env.PATH, ...place.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

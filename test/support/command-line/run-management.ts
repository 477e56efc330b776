import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const program = join(import.meta.dirname, '../../../clients/cli/tollfree.mjs');

/** Runs a management command to its end in a directory, with these variables and no others that could reach it. */
export async function runManagement(
  args: readonly string[],
  place: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: place.cwd,
    env: { PATH: process.env.PATH, ...place.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

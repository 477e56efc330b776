import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test, vi } from 'vitest';
import { compiledProcess } from '../support/command-line/compiled-process.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';

const anvil = compiledProcess('server/dev/devnet/start-anvil');

/** Programs that start a process, print its id, and stay. */
const parents = {
  'the node of a development chain': `
    const { startAnvil } = await import('${anvil}');
    const { pid } = await startAnvil({ port: 0, chainId: 31337 });
    console.log(pid);
    setInterval(() => undefined, 60_000);`,
  'a program that takes no SIGTERM': `
    const { spawnTied } = await import('${anvil}');
    const program = 'process.on("SIGTERM", () => undefined); setInterval(() => undefined, 60_000); console.log("up");';
    const child = spawnTied(process.execPath, ['-e', program]);
    child.stdout.once('data', () => console.log(child.pid));`,
};

async function startParent(program: string): Promise<{ parent: ChildProcess; pid: number }> {
  const node = ['--input-type=module', '-e', program];
  const parent = spawn(process.execPath, node, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const line = await new Promise<string>((resolve) => createInterface({ input: parent.stdout }).once('line', resolve));
  return { parent, pid: Number(line) };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const rows = Object.entries(parents).flatMap(([name, program]) =>
  (['SIGKILL', 'SIGTERM', 'SIGINT'] as const).map((signal) => ({ name, program, signal })),
);

test.each(rowsOfRun(rows, 4))(
  '$name ends when the process that started it gets $signal',
  async ({ program, signal }) => {
    const { parent, pid } = await startParent(program);
    expect(isRunning(pid)).toBe(true);
    parent.kill(signal);
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 30_000 });
  },
);

import { vi } from 'vitest';
import { createProgram } from '../../../server/main.ts';

class Ended extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`The program ended with ${code}.`);
    this.code = code;
  }
}

/**
 * Runs a command in this process, without a terminal, and answers what it printed and its exit code: a process of its own
 * takes many times longer to start. Only for commands that end by themselves and leave nothing behind.
 */
export async function runInProcess(
  ...args: readonly string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const said = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      said[name] += String(chunk);
      return true;
    }),
  );
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Ended(Number(code ?? 0));
  });
  try {
    await createProgram().parseAsync(['node', 'tollfree', ...args]);
    return { code: 0, ...said };
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    return { code: error.code, ...said };
  } finally {
    for (const spy of [...spies, exit]) spy.mockRestore();
  }
}

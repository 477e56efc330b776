import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { spawnTied } from '../../../server/dev/devnet/start-anvil.ts';

/** Longest wait for a node to be ready, in milliseconds. */
const readyTimeoutMs = 60_000;

/** A `tollfree node` process that has answered its first `/readyz` with 200. */
export type ReadyNode = {
  readonly url: string;
  readonly adminUrl: string;
  /** From the start of the process to that answer, in milliseconds. */
  readonly readyAfterMs: number;
  /** Ends it as an operator does; resolves to the exit code. */
  stop(): Promise<number | null>;
};

/** Starts `tollfree node` and asks until it is ready. Rejects with what the process said when it ends before. */
export async function startReadyNode(
  tollfree: readonly [string, ...string[]],
  options: { readonly configFile: string; readonly cwd?: string },
): Promise<ReadyNode> {
  const [program, ...first] = tollfree;
  const { configFile, cwd } = options;
  const startedAt = performance.now();
  const child = spawnTied(program, [...first, 'node', '--config', configFile], {
    cwd,
    env: { PATH: process.env.PATH },
  });
  child.stdout.resume();
  const ended = once(child, 'exit');
  try {
    const { url, adminUrl }: { url: string; adminUrl: string } = JSON.parse(await startedLine(child));
    while (!(await fetch(`${adminUrl}/readyz`, { signal: AbortSignal.timeout(readyTimeoutMs) })).ok) {
      if (performance.now() - startedAt > readyTimeoutMs) throw new Error('The node did not become ready.');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const readyAfterMs = performance.now() - startedAt;
    const stop = async () => {
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    };
    return { url, adminUrl, readyAfterMs, stop };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

function startedLine(child: ChildProcess): Promise<string> {
  const { stderr } = child;
  if (stderr === null) throw new Error('stderr is not a pipe.');
  const said: string[] = [];
  return new Promise((resolve, reject) => {
    createInterface({ input: stderr }).on('line', (line) => {
      said.push(line);
      if (line.includes('"msg":"started"')) resolve(line);
    });
    child.once('close', () => reject(new Error(`The node ended: ${said.join('\n')}`)));
  });
}

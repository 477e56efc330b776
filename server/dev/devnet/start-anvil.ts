import { type ChildProcess, type ChildProcessByStdio, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { mistake, tryAgain } from '../../../clients/cli/terminal/cli-error.ts';
import { devPackageFile } from './deployments.ts';
import { devMnemonic } from './dev-keys.ts';

/** Longest wait for the node to listen, in milliseconds; it normally takes 40. */
const startTimeoutMs = 20_000;
/** Lines of the node's output that are kept to explain a failed start. */
const keptLines = 40;

export type Anvil = {
  readonly rpcUrl: string;
  readonly pid: number;
  /** Whether it has the blocks of an earlier run. */
  readonly isKept: boolean;
  close(): Promise<void>;
};

/**
 * Starts anvil on loopback. `port` 0 picks a free one. The node runs in its own process group, so that a Ctrl-C in the
 * terminal reaches this process first and the node lives until `close`, or until this process ends.
 */
export async function startAnvil(options: {
  readonly port: number;
  readonly chainId: number;
  /** Interval of blocks without transactions, in seconds; without it, only transactions create blocks. */
  readonly idleBlockSeconds?: number | undefined;
  /**
   * Keeps the chain between runs. The file only exists while no node runs: a node that ends without `close` leaves none,
   * since other kept data would be ahead of an older chain.
   */
  readonly stateFile?: string | undefined;
  /** Called when the node ends by itself, or by another's hand. */
  readonly onEnded?: (() => void) | undefined;
}): Promise<Anvil> {
  const { idleBlockSeconds, stateFile, onEnded } = options;
  const isKept = stateFile !== undefined && existsSync(stateFile);
  if (stateFile !== undefined) rmSync(draftOf(stateFile), { force: true });
  const binary = anvilBinary();
  // Where it writes the states of older blocks. It leaves them when it ends, some hundred kB a block, in the user's home.
  const states = mkdtempSync(join(tmpdir(), 'tollfree-devnet-'));
  const child = spawnTied(
    binary,
    [
      ...['--host', '127.0.0.1', '--port', String(options.port), '--chain-id', String(options.chainId)],
      ...['--cache-path', states],
      ...['--mnemonic', devMnemonic, '--disable-console-log', '--no-request-size-limit'],
      ...(idleBlockSeconds === undefined ? [] : ['--mixed-mining', '--block-time', String(idleBlockSeconds)]),
      ...(isKept ? ['--load-state', stateFile] : []),
      ...(stateFile === undefined ? [] : ['--dump-state', draftOf(stateFile)]),
    ],
    { detached: true },
  );
  const killWithUs = () => {
    child.kill('SIGKILL');
    rmSync(states, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once('exit', killWithUs);
  const exited = once(child, 'exit').catch(() => undefined);
  try {
    const port = await listeningPort(child);
    if (child.pid === undefined) throw tryAgain('The development chain has no process id.');
    if (isKept) rmSync(stateFile);
    let isClosed = false;
    child.once('exit', () => {
      if (!isClosed) onEnded?.();
    });
    return {
      rpcUrl: `http://127.0.0.1:${port}`,
      pid: child.pid,
      isKept,
      async close() {
        isClosed = true;
        child.kill('SIGTERM');
        await exited;
        if (stateFile !== undefined && existsSync(draftOf(stateFile))) renameSync(draftOf(stateFile), stateFile);
        process.removeListener('exit', killWithUs);
        await rm(states, { recursive: true, force: true });
      },
    };
  } catch (error) {
    killWithUs();
    process.removeListener('exit', killWithUs);
    // The next start creates a new chain: this one would fail again.
    if (isKept) rmSync(stateFile, { force: true });
    if (lastOutput(error).includes('in use')) {
      throw tryAgain(`Port ${options.port} is taken, so the development chain cannot start.`, error);
    }
    throw error;
  }
}

/** The node's incomplete state file, renamed when it is complete. */
function draftOf(stateFile: string): string {
  return `${stateFile}.new`;
}

/** The platform package's binary itself: its wrapper would be one more process to stop. */
function anvilBinary(): string {
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const known = ['linux-amd64', 'linux-arm64', 'darwin-amd64', 'darwin-arm64', 'win32-amd64'];
  if (!known.includes(platform)) {
    throw mistake(`There is no development chain for ${platform}. Start a node of your own and use --node-url.`);
  }
  return devPackageFile(`@foundry-rs/anvil-${platform}`, `bin/anvil${process.platform === 'win32' ? '.exe' : ''}`);
}

function lastOutput(error: unknown): string {
  return error instanceof Error && typeof error.cause === 'string' ? error.cause : '';
}

function listeningPort(child: ChildProcess): Promise<number> {
  const lines: string[] = [];
  return new Promise((resolve, reject) => {
    const fail = (message: string) => {
      clearTimeout(timer);
      reject(tryAgain(message, lines.join('\n')));
    };
    const timer = setTimeout(() => fail('The development chain did not start in time.'), startTimeoutMs);
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      // The reader stays for the life of the node, so that a full pipe never blocks it.
      createInterface({ input: stream }).on('line', (line) => {
        if (lines.length < keptLines) lines.push(line);
        const port = /^Listening on 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
        if (port === undefined) return;
        clearTimeout(timer);
        resolve(Number(port));
      });
    }
    child.once('error', (error) => fail(`The development chain could not be started: ${error.message}`));
    // 'close' comes after the last line of output, 'exit' may come before it.
    child.once('close', () => fail('The development chain stopped while it was starting.'));
  });
}

/**
 * Starts a watcher in the background and then becomes the program. The watcher reads a pipe from its parent: when the parent
 * ends in any way, the pipe closes and the watcher kills the program.
 */
const watched = 'exec 3<&0; (read -r _ <&3; kill -9 $$) >/dev/null 2>&1 & exec 3<&- "$@" </dev/null';

/**
 * Starts a program that ends together with this process, even if this process is killed. The program has no standard input.
 * On Windows it is an ordinary child process.
 */
export function spawnTied(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'detached' | 'uid' | 'gid'> = {},
): ChildProcessByStdio<Writable, Readable, Readable> {
  const [program, ...given] = process.platform === 'win32' ? [command] : ['/bin/sh', '-c', watched, 'sh', command];
  return spawn(program, [...given, ...args], { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
}

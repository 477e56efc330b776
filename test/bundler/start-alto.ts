import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inject, vi } from 'vitest';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { spawnTied } from '../../server/dev/devnet/start-anvil.ts';
import type {} from '../support/run/installed.ts';
import { findClosedPort } from '../support/servers/find-closed-port.ts';

/** Keys that send its bundles and its deployments, and nothing else on the chain. */
const executorKey = deriveDevKey(8);
const utilityKey = deriveDevKey(9);
/** Lines of its output that are kept to explain a start that failed. */
const keptLines = 40;

export type Alto = {
  readonly url: string;
  close(): Promise<void>;
};

/** The EntryPoints that alto 0.0.20 knows. */
export const altoVersions = ['0.6', '0.7', '0.8', '0.9'] as const;

/**
 * Starts alto for the EntryPoints of a development chain that it knows. Without its safe mode, which traces operations in JavaScript that
 * anvil does not run. `portAgain`: where one was that has been closed. `more`: other flags of alto.
 */
export async function startAlto(
  { rpcUrl, entryPoints }: Pick<Devnet, 'rpcUrl' | 'entryPoints'>,
  portAgain?: number,
  more: Readonly<Record<string, string | number>> = {},
): Promise<Alto> {
  const port = portAgain ?? (await findClosedPort());
  const flags = {
    port,
    'rpc-url': rpcUrl,
    entrypoints: altoVersions.map((version) => entryPoints[version]).join(','),
    'executor-private-keys': executorKey,
    'utility-private-key': utilityKey,
    'safe-mode': false,
    'max-bundle-interval': 100,
    'log-level': 'warn',
    ...more,
  };
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawnTied(process.execPath, [join(inject('installed'), 'esm/cli/alto.js'), ...args]);
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => lines.splice(0, lines.push(line) > keptLines ? 1 : 0));
  }
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  await Promise.race([answering(url), exited.then(() => Promise.reject(new Error(lines.join('\n'))))]);
  return {
    url,
    close: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Resolves when the bundler responds, once it has deployed what it simulates with. */
function answering(url: string): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_supportedEntryPoints', params: [] });
  const headers = { 'content-type': 'application/json' };
  return vi.waitFor(() => fetch(url, { method: 'POST', headers, body }), { timeout: 60_000, interval: 100 });
}

import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { privateKeyToAddress } from 'viem/accounts';
import { mistake } from '../../../../clients/cli/terminal/cli-error.ts';
import { devPackageFile } from '../deployments.ts';
import { deriveDevKey, devKeyCount } from '../dev-keys.ts';
import type { ChainWorkerData } from './chain-worker-data.ts';
import type { OwnPrices } from './machine.ts';

/** Compiled, the entry is in the same folder, under the same name. */
const isCompiled = !import.meta.url.endsWith('.ts');

/**
 * Starts a development chain with the prices of Amsterdam (Ethereum's Sepolia since October 2026) on loopback, in a thread
 * of this process. It keeps nothing between runs. It understands the methods of anvil that this project uses.
 */
export async function startEthereumJs(options: {
  /** 0 picks a free one. */
  readonly port: number;
  readonly chainId: number;
  /** Interval of blocks without transactions, in seconds; without it, only transactions create blocks. */
  readonly idleBlockSeconds?: number | undefined;
  /** Prices that differ from Amsterdam's. */
  readonly prices?: OwnPrices;
}): Promise<{ readonly rpcUrl: string; readonly isKept: false; close(): Promise<void> }> {
  // Reports a sentence where development packages are not installed.
  devPackageFile('@ethereumjs/vm', 'package.json');
  const { port, chainId, idleBlockSeconds, prices } = options;
  const funded = Array.from({ length: devKeyCount }, (_, index) => privateKeyToAddress(deriveDevKey(index)));
  const workerData: ChainWorkerData = { port, chainId, idleBlockSeconds, prices, funded };
  const worker = isCompiled
    ? new Worker(new URL('./chain-worker.js', import.meta.url), { workerData, execArgv: [] })
    : new Worker(runSource('./chain-worker.ts'), { workerData, execArgv: sourcesOfContract, eval: true });
  try {
    const [rpcUrl] = await once(worker, 'message');
    // The chain must not keep the process alive.
    worker.unref();
    return {
      rpcUrl: String(rpcUrl),
      isKept: false,
      async close() {
        await worker.terminate();
      },
    };
  } catch (error) {
    await worker.terminate();
    if (String(error).includes('EADDRINUSE')) {
      throw mistake(`Port ${port} is taken, so the development chain cannot start.`, error);
    }
    throw error;
  }
}

/** The contract's package is read from its sources as well. */
const sourcesOfContract = ['--conditions=@tollfree/source'];

/** Code that runs a TypeScript file in a thread, with the loader of the main thread. */
function runSource(file: string): string {
  const paths = ['tsx/cjs', file].map((name) => createRequire(import.meta.url).resolve(name));
  return paths.map((path) => `require(${JSON.stringify(path)});`).join('');
}

import type { TestProject } from 'vitest/node';
import { startEthereumJs } from '../../../server/dev/devnet/ethereumjs/start-ethereumjs.ts';
import { startAnvil } from '../../../server/dev/devnet/start-anvil.ts';
import { forkOfTests } from '../chain/fork-of-tests.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Addresses of empty development nodes, one for each worker that runs at a time. */
    chains: readonly string[];
  }
}

const chainId = 31_337;

/** For vitest's `globalSetup`: a development node for each worker. What is on it is the worker's affair. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { maxWorkers } = project.vitest.config;
  const start = forkOfTests === 'osaka' ? startAnvil : startEthereumJs;
  const nodes = await Promise.all(Array.from({ length: maxWorkers }, () => start({ port: 0, chainId })));
  project.provide(
    'chains',
    nodes.map(({ rpcUrl }) => rpcUrl),
  );
  return async () => {
    await Promise.all(nodes.map((node) => node.close()));
  };
}

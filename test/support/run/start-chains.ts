import type { TestProject } from 'vitest/node';
import { startAnvil } from '../../../server/dev/devnet/start-anvil.ts';

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
  const nodes = await Promise.all(Array.from({ length: maxWorkers }, () => startAnvil({ port: 0, chainId })));
  project.provide(
    'chains',
    nodes.map(({ rpcUrl }) => rpcUrl),
  );
  return async () => {
    await Promise.all(nodes.map((node) => node.close()));
  };
}

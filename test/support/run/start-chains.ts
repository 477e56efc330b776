import type { TestProject } from 'vitest/node';
import { startNodeOfTests } from '../chain/fork-of-tests.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Addresses of empty development nodes, one for each worker that runs at a time. */
    chains: readonly string[];
  }
}

/** For vitest's `globalSetup`: a development node for each worker. What is on it is the worker's affair. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { maxWorkers } = project.vitest.config;
  const nodes = await Promise.all(Array.from({ length: maxWorkers }, startNodeOfTests));
  project.provide(
    'chains',
    nodes.map(({ rpcUrl }) => rpcUrl),
  );
  return async () => {
    await Promise.all(nodes.map((node) => node.close()));
  };
}

import type { Simulation } from './simulation-state.ts';

/** Whether one of the nodes stands still at a block that is off the chain by now. */
export function isForked({ nodes, chain }: Simulation): boolean {
  return nodes.some(({ faults: { standsAt } }) => {
    const last = standsAt?.at(-1);
    return last !== undefined && chain.blocks[last.number] !== last;
  });
}

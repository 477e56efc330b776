import { healthyNode, type NodeFaults } from '../chain/simulated-node.ts';
import { type Simulation, tell } from './simulation-state.ts';
import type { Step } from './take-steps.ts';

/** One of the nodes fails after some answers, takes only short ranges, lies, lags, stands still – or is well again. */
export const troubleNode: Step = async (simulation) => {
  const { random, nodes } = simulation;
  const node = random.pick(nodes);
  const { slow, surprise } = node.faults;
  Object.assign(node.faults, healthyNode(), { slow, surprise }, random.chance(20) ? {} : pickTrouble(simulation));
  const { answersLeft, maxRange, liesPercent, lag, standsAt } = node.faults;
  tell(
    simulation,
    `node ${nodes.indexOf(node) + 1} answers ${answersLeft ?? 'always'}, ranges up to ${maxRange}, lies ${liesPercent}, ` +
      `${lag.eachOther ? 'each answer up to ' : ''}${lag.blocks} behind, ` +
      `${standsAt === undefined ? 'follows' : `stands at ${standsAt.length - 1}`}`,
  );
};

function pickTrouble({ random, chain }: Simulation): Partial<NodeFaults> {
  return {
    ...(random.chance(35) ? { answersLeft: random.below(25) } : {}),
    ...(random.chance(30) ? { maxRange: random.between(1, 4) } : {}),
    ...(random.chance(30) ? { liesPercent: random.pick([10, 50, 100]) } : {}),
    ...(random.chance(30) ? { lag: { blocks: random.between(1, 12), eachOther: random.chance(60) } } : {}),
    ...(random.chance(15) ? { standsAt: [...chain.blocks] } : {}),
  };
}

/** Some of what is wrong with nodes passes by itself. */
export function recoverNodes({ random, nodes }: Simulation): void {
  for (const { faults } of nodes) {
    if (faults.answersLeft === 0 && random.chance(40)) faults.answersLeft = undefined;
    if (random.chance(20)) faults.liesPercent = 0;
    if (random.chance(15)) faults.lag = healthyNode().lag;
    if (random.chance(15)) faults.standsAt = undefined;
  }
}

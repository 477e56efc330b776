import { type Simulation, tell } from './simulation-state.ts';
import type { Step } from './take-steps.ts';

const [minute, hour, day] = [60, 3_600, 86_400];

/** Time passes in which nothing happens, not even on chain. */
export const letTimePass: Step = async (simulation) => {
  simulation.now += simulation.random.pick([45, 700, hour, 40_000, 90_000]);
  tell(simulation, `it is ${simulation.now}`);
};

/** Someone sets the service's clock wrong, by seconds or by a year, or right again. */
export const setClock: Step = async (simulation) => {
  const { random } = simulation;
  const ahead = random.chance(50) ? 1 : -1;
  simulation.skew = random.chance(30)
    ? 0
    : ahead * (random.chance(50) ? random.between(1, 320) : random.pick([6 * minute, hour, day, 30 * day, 365 * day]));
  tell(simulation, `the service's clock is ${simulation.skew} seconds ahead`);
};

/** A clock that is far off does not stay so for long. */
export function recoverClock(simulation: Simulation): void {
  if (Math.abs(simulation.skew) > 5 * minute && simulation.random.chance(40)) simulation.skew = 0;
}

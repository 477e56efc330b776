/** Which worlds a run simulates, and how long: by default, or as the environment of the test run says. */
export type SimulationSize = {
  readonly seeds: readonly number[];
  /** Seeds of a second file, so that two workers share them; none when others were asked for. */
  readonly moreSeeds: readonly number[];
  readonly steps: number;
  /** Seeds of longer worlds, none when others were asked for. */
  readonly longSeeds: readonly number[];
  readonly longSteps: number;
  /** Worlds of several cores at a server. */
  readonly clusterSeeds: readonly number[];
  readonly clusterSteps: number;
};

const defaultSeeds = 2;
const defaultMoreSeeds = 10;
const defaultSteps = 200;
const longWorlds = 1;
const longSteps = 1_000;
const clusterWorlds = 4;
const clusterSteps = 100;

/**
 * `SIMULATION_SEED` runs that one world, `SIMULATION_SEEDS` as many as it says, `SIMULATION_STEPS` each so long.
 *
 * @throws RangeError when one of them is not a number of at least 1.
 */
export function readSimulationSize(environment: Readonly<Record<string, string | undefined>>): SimulationSize {
  const seed = readNumber(environment, 'SIMULATION_SEED');
  const count = readNumber(environment, 'SIMULATION_SEEDS');
  const steps = readNumber(environment, 'SIMULATION_STEPS');
  const asked = seed !== undefined || count !== undefined || steps !== undefined;
  const seeds = seed === undefined ? Array.from({ length: count ?? defaultSeeds }, (_, index) => index + 1) : [seed];
  const others = (count: number, after: number) =>
    asked ? [] : Array.from({ length: count }, (_, index) => after + index + 1);
  const moreSeeds = others(defaultMoreSeeds, defaultSeeds);
  const longSeeds = others(longWorlds, defaultSeeds + defaultMoreSeeds);
  return {
    seeds,
    moreSeeds,
    steps: steps ?? defaultSteps,
    longSeeds,
    longSteps,
    clusterSeeds: asked ? seeds : others(clusterWorlds, 0),
    clusterSteps: steps ?? clusterSteps,
  };
}

function readNumber(environment: Readonly<Record<string, string | undefined>>, name: string): number | undefined {
  const text = environment[name];
  if (text === undefined || text === '') return undefined;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new RangeError(`${name} must be a whole number from 1.`);
  return number;
}

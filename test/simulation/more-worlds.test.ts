import { simulateWorlds } from './simulate-worlds.ts';
import { readSimulationSize } from './simulation-size.ts';

const { moreSeeds, steps } = readSimulationSize(process.env);

simulateWorlds({ seeds: moreSeeds, steps });

import { simulateLongWorlds } from './simulate-worlds.ts';
import { readSimulationSize } from './simulation-size.ts';

const { longSeeds, longSteps } = readSimulationSize(process.env);

simulateLongWorlds({ seeds: longSeeds, steps: longSteps });

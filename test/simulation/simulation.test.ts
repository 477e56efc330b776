import { simulateWorlds } from './simulate-worlds.ts';
import { readSimulationSize } from './simulation-size.ts';

const { seeds, steps } = readSimulationSize(process.env);

simulateWorlds({ seeds, steps });

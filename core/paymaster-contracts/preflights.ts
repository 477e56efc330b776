import type { Preflight } from './preflight.ts';
import { singletonPreflight } from './singleton-preflight.ts';

/** How a deployed contract of each family is checked at start, by family name. */
export const preflights: ReadonlyMap<string, Preflight> = new Map([
  ['pimlico-singleton-0.6', singletonPreflight],
  ['pimlico-singleton-0.7', singletonPreflight],
  ['pimlico-singleton-0.8', singletonPreflight],
]);

import { generate } from './generate.ts';
import { createRun, type Line, type Recording } from './recording.ts';
import { firstSetting } from './world/core-config.ts';
import type { World } from './world/open-world.ts';

/** Performs generated actions and writes down what comes of each. The world must have been opened with `firstSetting`. */
export async function record(
  world: World,
  { seed, requests }: { readonly seed: number; readonly requests: number },
): Promise<Recording> {
  const run = createRun(world);
  const lines: Line[] = [];
  for (const action of generate(seed, requests)) lines.push(await run.perform(action));
  return { setting: firstSetting, lines };
}

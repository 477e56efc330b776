import { allowedDifferences } from './allowed-differences.ts';
import { type AllowedDifference, allowedBy, type Difference, differencesOf } from './compare.ts';
import { createRun, describeAction, type Recording } from './recording.ts';
import type { World } from './world/open-world.ts';

/** What a replay found: the differences that no one expects, and how often each allowed one was seen. */
export type Replayed = {
  readonly lines: number;
  readonly unexpected: readonly Difference[];
  readonly expected: ReadonlyMap<AllowedDifference, number>;
};

/** Performs the actions of a recording again, and compares what comes of each. Ends early after `maxUnexpected` differences. */
export async function replay(
  world: World,
  { lines }: Recording,
  {
    allowed = allowedDifferences,
    maxUnexpected = Number.POSITIVE_INFINITY,
  }: { readonly allowed?: readonly AllowedDifference[]; readonly maxUnexpected?: number } = {},
): Promise<Replayed> {
  const run = createRun(world);
  const unexpected: Difference[] = [];
  const expected = new Map<AllowedDifference, number>();
  for (const [line, { action, outcome }] of lines.entries()) {
    const { outcome: after } = await run.perform(action);
    for (const found of differencesOf(outcome, after)) {
      const difference = { line, action: describeAction(action), ...found };
      const by = allowedBy(difference, allowed);
      if (by === undefined) unexpected.push(difference);
      else expected.set(by, (expected.get(by) ?? 0) + 1);
    }
    if (unexpected.length >= maxUnexpected) return { lines: line + 1, unexpected, expected };
  }
  return { lines: lines.length, unexpected, expected };
}

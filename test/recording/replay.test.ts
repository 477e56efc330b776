import { afterEach, expect, test } from 'vitest';
import { openDatabase } from './open-database.ts';
import { record } from './record.ts';
import type { Recording } from './recording.ts';
import { replay } from './replay.ts';
import { firstSetting } from './world/core-config.ts';
import { openWorld, type World } from './world/open-world.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function newWorld(): Promise<World> {
  const database = await openDatabase('sqlite');
  closing.push(database.close);
  const world = await openWorld(database.address, firstSetting);
  closing.push(world.close);
  return world;
}

/** A relayed operation is sent a moment after it was accepted: under load after the clock has gone on, when it has ended. */
const whenSent = {
  where: /relay\.lives\.\d+\.life\.(status|steps)/,
  reason: 'whether a relayed operation was sent before it ended',
};

test('a recording is the same again on the same commit, and a line that came out otherwise is found', async () => {
  const recording = await record(await newWorld(), { seed: 1, requests: 60 });
  const [signed] = recording.lines.flatMap(({ outcome }, line) => (isSigned(outcome) ? [line] : []));
  const doctored: Recording = {
    ...recording,
    lines: recording.lines.map((line, number) =>
      number === signed ? { ...line, outcome: { ...(line.outcome as object), tank: { held: '1' } } } : line,
    ),
  };
  const { unexpected } = await replay(await newWorld(), doctored, { allowed: [whenSent] });
  expect(new Set(unexpected.map(({ line }) => line))).toEqual(new Set([signed]));
  expect(unexpected.map(({ path }) => path)).toContain('tank.held');
}, 180_000);

function isSigned(outcome: unknown): boolean {
  return JSON.stringify(outcome).includes('"kind":"signed"');
}

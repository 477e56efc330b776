import { parseArgs } from 'node:util';
import { databaseKinds, openDatabase } from './open-database.ts';
import { firstSetting, record } from './record.ts';
import { readRecording, writeRecording } from './recording.ts';
import { type Replayed, replay } from './replay.ts';
import type { Setting } from './world/core-config.ts';
import { openWorld, type World } from './world/open-world.ts';

/**
 * `npm run replay -- --record before.gz` records generated requests, changes and events with everything that comes of them.
 * `npm run replay -- --against before.gz`, on another commit, does the same again and fails where something else comes of it.
 *
 * `--requests 10000` and `--seed 7` for the recording, `--database postgres` for both (not tried yet).
 */
const { values: flags } = parseArgs({
  options: {
    record: { type: 'string' },
    against: { type: 'string' },
    requests: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    database: { type: 'string', default: 'sqlite' },
  },
});
const kind = databaseKinds.find((each) => each === flags.database);
if (kind === undefined) throw new Error(`--database must be one of ${databaseKinds.join(', ')}.`);
if ((flags.record === undefined) === (flags.against === undefined))
  throw new Error('Use --record FILE or --against FILE.');

/** Most differences that are printed. */
const maxShown = 40;
const maxCharacters = 300;

if (flags.record !== undefined) await makeRecording(flags.record);
if (flags.against !== undefined) await compareWith(flags.against);

async function makeRecording(file: string): Promise<void> {
  const asked = { seed: Number(flags.seed), requests: Number(flags.requests) };
  const made = await inWorld(firstSetting, (world) => record(world, asked));
  writeRecording(file, made);
  console.log(`Recorded ${made.lines.length} lines in ${file}.`);
}

async function compareWith(file: string): Promise<void> {
  const recording = readRecording(file);
  const replayed = await inWorld(recording.setting, (world) => replay(world, recording));
  report(replayed);
  if (replayed.unexpected.length > 0) process.exitCode = 1;
}

async function inWorld<T>(setting: Setting, work: (world: World) => Promise<T>): Promise<T> {
  const database = await openDatabase(kind ?? 'sqlite');
  try {
    const world = await openWorld(database.address, setting);
    try {
      return await work(world);
    } finally {
      await world.close();
    }
  } finally {
    await database.close();
  }
}

function report({ lines, unexpected, expected }: Replayed): void {
  for (const { line, action, path, before, after } of unexpected.slice(0, maxShown)) {
    console.log(`line ${line}, ${action} ${path}\n  before: ${show(before)}\n  now:    ${show(after)}`);
  }
  for (const [{ reason }, count] of expected) console.log(`${count} as expected: ${reason}`);
  console.log(`${unexpected.length} unexpected differences in ${lines} lines.`);
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, maxCharacters);
}

import { parseArgs } from 'node:util';
import { readReached } from '../support/run/refusing-places.ts';
import { temporaryFolder } from '../support/run/temporary-folder.ts';
import { compareSuites, readSuites } from './compare-suites.ts';
import { watchCoverage } from './coverage.ts';
import { databaseKinds, openDatabase } from './open-database.ts';
import { record } from './record.ts';
import { type Recording, readRecording, writeRecording } from './recording.ts';
import { type Replayed, replay } from './replay.ts';
import { missedFaults } from './seeded-faults.ts';
import { firstSetting, type Setting } from './world/core-config.ts';
import { openWorld, type World } from './world/open-world.ts';

/**
 * `npm run replay -- --record before.gz` records generated requests, changes and events with everything that comes of them.
 * `npm run replay -- --against before.gz`, on another commit, does the same again and fails where something else comes of it.
 *
 * With `--until-different` it ends at the first line that differs.
 * `npm run replay -- --faults before.gz` shows that it finds seeded faults, each in a copy of the sources.
 * `npm run replay -- --suites before-folder --and after-folder` compares what tests were answered that ran with `NOTE_ANSWERS=folder`.
 * `npm run replay -- --coverage` says which steps and refusals the generated requests reach, with `--reached folder` also the tests
 * that ran with `NOTE_ANSWERS=folder`.
 *
 * `--requests 10000` and `--seed 7` choose what is generated, `--database postgres` the database.
 */
const { values: flags } = parseArgs({
  options: {
    record: { type: 'string' },
    against: { type: 'string' },
    'until-different': { type: 'boolean', default: false },
    faults: { type: 'string' },
    suites: { type: 'string' },
    and: { type: 'string' },
    coverage: { type: 'boolean', default: false },
    reached: { type: 'string' },
    requests: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    database: { type: 'string', default: 'sqlite' },
  },
});
// No recording outlives its process, so its database need not reach a disk.
Object.assign(process.env, temporaryFolder());

const kind = databaseKinds.find((each) => each === flags.database);
if (kind === undefined) throw new Error(`--database must be one of ${databaseKinds.join(', ')}.`);
const asked = [flags.record, flags.against, flags.faults, flags.suites].filter((file) => file !== undefined);
if (asked.length + Number(flags.coverage) !== 1) {
  throw new Error('Use --record FILE, --against FILE, --faults FILE, --suites FOLDER --and FOLDER, or --coverage.');
}

/** Most differences that are printed. */
const maxShown = 40;
const maxCharacters = 300;

if (flags.record !== undefined) await makeRecording(flags.record);
if (flags.against !== undefined) await compareWith(flags.against);
if (flags.faults !== undefined && missedFaults(flags.faults, console.log).length > 0) process.exitCode = 1;
if (flags.suites !== undefined) reportSuites(flags.suites, flags.and ?? flags.suites);
if (flags.coverage) await showCoverage(flags.reached === undefined ? new Set() : readReached(flags.reached));

function recordGenerated(): Promise<Recording> {
  const generated = { seed: Number(flags.seed), requests: Number(flags.requests) };
  return inWorld(firstSetting, (world) => record(world, generated));
}

async function makeRecording(file: string): Promise<void> {
  const made = await recordGenerated();
  writeRecording(file, made);
  const seconds = Math.round(performance.now() / 1_000);
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1_024);
  console.log(`Recorded ${made.lines.length} lines in ${file}: ${seconds} s, ${megabytes} MB at most.`);
}

async function showCoverage(reachedByTests: ReadonlySet<string>): Promise<void> {
  const coverage = await watchCoverage();
  await recordGenerated();
  console.log(await coverage.report(reachedByTests));
}

async function compareWith(file: string): Promise<void> {
  const recording = readRecording(file);
  const replayed = await inWorld(recording.setting, (world) =>
    replay(world, recording, flags['until-different'] ? { maxUnexpected: 1 } : {}),
  );
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

function reportSuites(beforeFolder: string, afterFolder: string): void {
  const [before, after] = [readSuites(beforeFolder), readSuites(afterFolder)];
  const others = compareSuites(before, after);
  for (const { file, answer, isNew } of others.slice(0, maxShown)) {
    console.log(`${isNew ? 'now' : 'before'}: ${file}\n  ${answer.slice(0, 4 * maxCharacters)}`);
  }
  const both = [...before.byFile.keys()].filter((file) => after.byFile.has(file)).length;
  console.log(
    `${before.requests} and ${after.requests} requests, ${both} files of tests in both: ${others.length} other answers.`,
  );
  if (others.length > 0) process.exitCode = 1;
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, maxCharacters);
}

import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A place in the code that refuses, as the process runs it, and whether it was reached. */
export type RefusingPlace = {
  readonly file: string;
  /** Which of its file it is. */
  readonly number: number;
  readonly text: string;
  readonly isReached: boolean;
};

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Folders whose refusals a recording has to reach. */
const deciding = /^core\/(sponsorship|policies|ledger\/holds|tickets|webhooks|quotes)\//;

/** A call of what makes a refusal; vitest writes that of an imported function as `(0, module.refuse)(`. */
const calls = /(?<!function )\b(refuse\w*|notFor|refusal)\)?\(/g;

/** Starts to count in this thread. Each reading has what was reached since the last one. */
export async function watchRefusingPlaces(): Promise<{ read(): Promise<readonly RefusingPlace[]>; close(): void }> {
  const session = new Session();
  session.connect();
  await session.post('Debugger.enable');
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return {
    read: async () => {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      return (await Promise.all(result.map((script) => placesOf(session, script)))).flat();
    },
    close: () => session.disconnect(),
  };
}

async function placesOf(
  session: Session,
  { url, scriptId, functions }: Profiler.ScriptCoverage,
): Promise<readonly RefusingPlace[]> {
  const file = relative(root, url.startsWith('file:') ? fileURLToPath(url) : url);
  if (!deciding.test(file)) return [];
  const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
  const ranges = functions.flatMap((each) => each.ranges);
  return [...scriptSource.matchAll(calls)].map(({ index }, number) => {
    // The smallest range around a place has its count.
    const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= index && index < endOffset);
    const size = ({ startOffset, endOffset }: (typeof ranges)[number]) => endOffset - startOffset;
    const [smallest] = around.sort((one, other) => size(one) - size(other));
    const text = scriptSource.slice(index, index + 110).replaceAll(/\s+/g, ' ');
    return { file, number, text, isReached: smallest !== undefined && smallest.count > 0 };
  });
}

const ending = '.places';

/** Notes the places that a file of tests reached, in the folder where its answers are noted. */
export function noteReached(folder: string, places: readonly RefusingPlace[]): void {
  const reached = places.filter(({ isReached }) => isReached).map(nameOf);
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `${process.pid}${ending}`), `${reached.join('\n')}\n`);
}

/** The names of the places that tests reached which ran with `NOTE_ANSWERS=folder`. */
export function readReached(folder: string): ReadonlySet<string> {
  const notes = readdirSync(folder).filter((name) => name.endsWith(ending));
  return new Set(notes.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')));
}

/** A place's file and which of the file's places it is: the same however the file was compiled. */
export function nameOf({ file, number }: Pick<RefusingPlace, 'file' | 'number'>): string {
  return `${file} ${number}`;
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Consecutive lines sampled together: about a function. */
const windowLines = 15;

/**
 * Every n-th block of lines of an area, starting with the one at `offset`, over all its files, as Stryker's `file:from-to`:
 * an unbiased score when the whole area takes hours.
 */
export function sampleLines(
  root: string,
  globs: readonly string[],
  { every, offset }: { readonly every: number; readonly offset: number },
): readonly string[] {
  const windows = globs
    .flatMap((glob) => filesOfGlob(root, glob))
    .flatMap((file) => {
      const lines = readFileSync(join(root, file), 'utf8').split('\n').length;
      const starts = Array.from({ length: Math.ceil(lines / windowLines) }, (_, index) => 1 + index * windowLines);
      return starts.map((from) => `${file}:${from}-${Math.min(from + windowLines - 1, lines)}`);
    });
  return windows.filter((_, index) => index % every === offset % every);
}

/** The source files of a glob: a file, `folder/*.ts`, or a folder's `**` followed by `/*.ts`. */
export function filesOfGlob(root: string, glob: string): readonly string[] {
  const [folder, rest] = glob.split(/\/(?=\*)/, 2);
  if (folder === undefined || rest === undefined) return [glob];
  return readdirSync(join(root, folder), { recursive: rest.startsWith('**'), encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.generated.ts'))
    .map((name) => join(folder, name))
    .toSorted();
}

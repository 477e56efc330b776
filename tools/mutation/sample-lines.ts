import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOfGlob } from './files-of-glob.ts';

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

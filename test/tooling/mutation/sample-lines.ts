import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Lines in a row that are taken together: about a function. */
const windowLines = 15;

/** The source files of a glob that is a file, `folder/*.ts` or a folder's `**` with `/*.ts` behind it. */
function filesOf(root: string, glob: string): readonly string[] {
  const [folder, rest] = glob.split(/\/(?=\*)/, 2);
  if (folder === undefined || rest === undefined) return [glob];
  return readdirSync(join(root, folder), { recursive: rest.startsWith('**'), encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.generated.ts'))
    .map((name) => join(folder, name))
    .toSorted();
}

/**
 * Every so-manieth stretch of lines of an area, from the one at `offset` on, over all its files in a row, as Stryker's
 * `file:from-to`: a score of a part that nobody has chosen, where the whole takes hours.
 */
export function sampleLines(
  root: string,
  globs: readonly string[],
  { every, offset }: { readonly every: number; readonly offset: number },
): readonly string[] {
  const windows = globs
    .flatMap((glob) => filesOf(root, glob))
    .flatMap((file) => {
      const lines = readFileSync(join(root, file), 'utf8').split('\n').length;
      const starts = Array.from({ length: Math.ceil(lines / windowLines) }, (_, index) => 1 + index * windowLines);
      return starts.map((from) => `${file}:${from}-${Math.min(from + windowLines - 1, lines)}`);
    });
  return windows.filter((_, index) => index % every === offset % every);
}

import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The source files of a glob: a file, `folder/*.ts`, or a folder's `**` followed by `/*.ts`. */
export function filesOfGlob(root: string, glob: string): readonly string[] {
  const [folder, rest] = glob.split(/\/(?=\*)/, 2);
  if (folder === undefined || rest === undefined) return [glob];
  return readdirSync(join(root, folder), { recursive: rest.startsWith('**'), encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.generated.ts'))
    .map((name) => join(folder, name))
    .toSorted();
}

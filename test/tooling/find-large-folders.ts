import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What counts: code, not the papers of a package. */
const sources = /\.(ts|tsx|mjs|sol)$/;

/** Source files that a folder may have of its own at most, files of its subfolders not counted. */
export const maxFilesOfAFolder = 25;

/** One line for each folder at or below the given one that has more files than it may have. */
export function findLargeFolders(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && sources.test(entry.name)).length;
  const large = files > maxFilesOfAFolder ? [`${folder} has ${files} files, ${maxFilesOfAFolder} at most`] : [];
  const skipped = new Set(['node_modules', 'dist']);
  const folders = entries.filter((entry) => entry.isDirectory() && !skipped.has(entry.name));
  return [...large, ...folders.flatMap(({ name }) => findLargeFolders(join(folder, name)))];
}

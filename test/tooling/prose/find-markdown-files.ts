import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/** The repository's root. */
export const root = resolve(import.meta.dirname, '../../..');

const skippedFolders = new Set(['node_modules', 'dist', '.git', '.tollfree', 'coverage']);

/** Every Markdown file of the repository, relative to its root. */
export function findMarkdownFiles(folder: string = root): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : findMarkdownFiles(path);
    return entry.name.endsWith('.md') ? [relative(root, path)] : [];
  });
}

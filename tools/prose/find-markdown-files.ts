import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/** The repository's root. */
export const root = resolve(import.meta.dirname, '../..');

const skippedFolders = new Set(['node_modules', 'dist', '.git', '.tollfree', 'coverage']);

/** Every Markdown file of the repository, relative to its root. */
export function findMarkdownFiles(folder: string = root): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : findMarkdownFiles(path);
    return entry.name.endsWith('.md') ? [relative(root, path)] : [];
  });
}

const sourceFolders = [
  'contract',
  'core',
  'gateway',
  'server',
  'clients',
  'proto/tollfree',
  'deploy',
  'tools/refusals',
] as const;
// The dictionary of stored records cannot change, and generated files follow their sources.
const notWrittenHere = /(\.generated\.ts|reasons-dictionary\.ts|\.json|\.md)$/;

/** Every source file of the product, relative to the root. */
export function findSourceFiles(): readonly string[] {
  return sourceFolders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|mjs|proto|ya?ml|service)$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .filter((path) => !notWrittenHere.test(path) && !path.split('/').some((part) => skippedFolders.has(part))),
  );
}

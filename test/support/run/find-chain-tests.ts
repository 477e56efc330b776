import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** What only tests with a chain, with processes of the program, or with the built dashboard import. */
const needed = ['server/dev/devnet/start-anvil.ts', 'test/support/command-line', 'test/support/run/build-dashboard.ts'];
const relativeImport = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

/**
 * The test files under `root` that need a development chain, processes of the program or the built dashboard. Their imports tell, so anyone who
 * writes a test does not have to.
 */
export function findChainTests(root: string): readonly string[] {
  const reached = new Map<string, boolean>();
  const reaches = (file: string): boolean => {
    if (needed.some((path) => file.startsWith(join(root, path)))) return true;
    const known = reached.get(file);
    if (known !== undefined) return known;
    reached.set(file, false);
    const found = existsSync(file) && readImports(file).some(reaches);
    reached.set(file, found);
    return found;
  };
  return readdirSync(join(root, 'test'))
    .filter((name) => name !== 'node_modules' && statSync(join(root, 'test', name)).isDirectory())
    .flatMap((folder) =>
      readdirSync(join(root, 'test', folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
    .map((name) => join('test', name))
    .filter((path) => reaches(join(root, path)));
}

function readImports(file: string): readonly string[] {
  const imports = readFileSync(file, 'utf8').matchAll(relativeImport);
  return [...imports].map(([, specifier = '']) => resolve(dirname(file), specifier));
}

import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The folders whose imports are checked and drawn. */
const cruisedFolders = ['contract', 'proto', 'core', 'gateway', 'clients', 'test'] as const;

/** Where dependency-cruiser looks for a TypeScript of its own. */
const ownTypeScript = 'node_modules/dependency-cruiser/node_modules/typescript';

/**
 * The arguments with which `node` runs dependency-cruiser over the folder it is run in. It reads files with TypeScript's
 * JavaScript interface, which TypeScript 7 does not have: it is given version 6, and would skip every `.ts` file without.
 */
export function cruise(...options: readonly string[]): readonly string[] {
  if (!existsSync('node_modules/typescript-6')) throw new Error('typescript-6 is not installed: run npm ci.');
  mkdirSync(dirname(ownTypeScript), { recursive: true });
  if (!existsSync(ownTypeScript)) symlinkSync(resolve('node_modules/typescript-6'), ownTypeScript, 'junction');
  const program = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  return [program, '--config', resolve('.dependency-cruiser.mjs'), ...options, ...cruisedFolders];
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/prose/find-markdown-files.ts';

type Manifest = { readonly dependencies?: Record<string, string>; readonly devDependencies?: Record<string, string> };

function versionsIn(file: string): readonly string[] {
  const { dependencies = {}, devDependencies = {} }: Manifest = JSON.parse(readFileSync(join(root, file), 'utf8'));
  return Object.entries({ ...devDependencies, ...dependencies }).map(([name, version]) =>
    version.startsWith('npm:') ? version.slice('npm:'.length) : `${name}@${version}`,
  );
}

/** Packages of runs of their own, as their programs name them: `{ name: '…', version: '…' }`. */
function versionsNextTo(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/\{ name: '([^']+)', version: '([^']+)' \}/g)].map(
    ([, name, version]) => `${name}@${version}`,
  );
}

/** The packages that the service and its tests install, as `name@version`. */
export const installedVersions: ReadonlySet<string> = new Set([
  ...versionsIn('package.json'),
  ...versionsIn('test/package.json'),
  ...versionsIn('tools/abstractjs/package.json'),
  ...['test-safe', 'separate/alto', 'test-metamask-bundler', 'test-alchemy'].flatMap((name) =>
    versionsNextTo(`tools/${name}.ts`),
  ),
]);

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rolldown } from 'tsdown';
import { z } from 'zod';

const packageSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().default('licence in its files'),
});

/**
 * Writes the licences of the packages whose code is in the build beside it, as they ask: `THIRD-PARTY-LICENSES.txt`.
 */
export function listLicenses(): Rolldown.Plugin {
  return {
    name: 'list-licenses',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
      const folders = new Set(modules.flatMap((id) => findPackage(id) ?? []));
      const texts = new Map([...folders].map((folder) => describePackage(folder)));
      const source = [...texts.values()].sort().join('\n\n');
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source });
    },
  };
}

/** The folder of the installed package that a module is of; undefined for our own. */
function findPackage(id: string): string | undefined {
  // A module that rolldown made of another one begins with a zero byte.
  return /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
}

/** Its name and version, and those with its licence. Several copies of one package are told once. */
function describePackage(folder: string): [string, string] {
  const { name, version, license } = packageSchema.parse(
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  );
  const title = `${name} ${version} (${license})`;
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
  return [title, `${title}${text}`];
}

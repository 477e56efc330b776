import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';
import { z } from 'zod';

const packageSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().default('licence in its files'),
});

/** Writes `THIRD-PARTY-LICENSES.txt` next to the build: the licenses of the bundled packages, as they require. */
export function listLicenses(): Plugin {
  return {
    name: 'list-licenses',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
      const folders = new Set(modules.flatMap((id) => findPackage(id) ?? []));
      const source = renderLicenses([...folders]);
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source });
    },
  };
}

/** The folder of the installed package that a module is of; undefined for our own. */
function findPackage(id: string): string | undefined {
  // A module derived by rolldown from another one begins with a zero byte.
  return /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
}

/** The names, versions and licenses of packages. A shared text occurs once, below all their names. */
export function renderLicenses(folders: readonly string[]): string {
  const titles = new Map<string, Set<string>>();
  for (const folder of folders) {
    const { title, text } = readLicense(folder);
    titles.set(text, (titles.get(text) ?? new Set()).add(title));
  }
  const blocks = [...titles].map(([text, names]) => [[...names].sort().join('\n'), text].filter(Boolean).join('\n\n'));
  return blocks.sort().join('\n\n');
}

function readLicense(folder: string): { readonly title: string; readonly text: string } {
  const { name, version, license } = packageSchema.parse(
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  );
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
  return { title: `${name} ${version} (${license})`, text };
}

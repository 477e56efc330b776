import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { z } from 'zod';

const installed = resolve(import.meta.dirname, '../../../node_modules');
const reference = join(installed, '@scalar/api-reference');
const browserFolder = join(reference, 'dist/browser');

/** What Scalar's own build says of its script. */
const statsSchema = z.object({ modules: z.array(z.object({ name: z.string() })) });

/** Puts Scalar, as its package has it ready for browsers, beside the dashboard: the script of the page at `/docs`. */
export function addReference(): Plugin {
  return {
    name: 'add-reference',
    generateBundle() {
      const source = readFileSync(join(browserFolder, 'standalone.js'));
      this.emitFile({ type: 'asset', name: 'reference.js', source });
    },
  };
}

/** The folders of the packages whose code is in that script, as far as they are installed here. */
export function listReferencePackages(): readonly string[] {
  const { modules } = statsSchema.parse(JSON.parse(readFileSync(join(browserFolder, 'webpack-stats.json'), 'utf8')));
  const names = modules.flatMap(({ name }) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(name)?.[1] ?? []);
  const folders = [...new Set(names)].map((name) => join(installed, name));
  return [reference, ...folders.filter((folder) => existsSync(join(folder, 'package.json')))];
}

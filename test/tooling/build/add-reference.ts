import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

const home = resolve(import.meta.dirname, '../../../node_modules/@scalar/fastify-api-reference');

/** The licences of the packages whose code is in Scalar's script, which `npm run reference:licenses` writes. */
export const referenceLicenses = join(import.meta.dirname, 'reference-licenses.txt');

/**
 * Puts Scalar's script for browsers next to the dashboard: the page at `/docs` loads it. The package for Fastify has the
 * same script as `@scalar/api-reference`, without the three hundred packages that the script was built from.
 */
export function addReference(): Plugin {
  return {
    name: 'add-reference',
    generateBundle() {
      const source = readFileSync(join(home, 'dist/js/standalone.js'));
      this.emitFile({ type: 'asset', name: 'reference.js', source });
    },
  };
}

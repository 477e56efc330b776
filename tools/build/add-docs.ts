import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'rolldown';

const folder = resolve(import.meta.dirname, '../../docs');

/** Adds the documentation to the build, for the gateway to serve at `/docs`. */
export function addDocs(): Plugin {
  return {
    name: 'add-docs',
    generateBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(md|svg)$/.test(name)) continue;
        const fileName = `docs/${name.replaceAll('\\', '/')}`;
        this.emitFile({ type: 'asset', fileName, source: readFileSync(join(folder, name)) });
      }
    },
  };
}

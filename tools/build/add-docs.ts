import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'rolldown';

const folder = resolve(import.meta.dirname, '../../docs');

/** Puts the documentation into the build, where the gateway looks for it: it serves these pages at `/docs`. */
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

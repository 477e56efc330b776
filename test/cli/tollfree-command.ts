import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Runs `tollfree` from its sources, as `npm run tollfree` does, in whichever directory: Node's arguments, then the program. */
export const tollfreeCommand: readonly string[] = [
  '--conditions=@tollfree/source',
  `--import=${pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href}`,
  join(import.meta.dirname, '../../clients/cli/tollfree.ts'),
];

import { join } from 'node:path';
import { inject } from 'vitest';

/** The compiled file of one of the `processes` of `build-program.ts`. */
export function compiledProcess(path: string): string {
  return join(inject('processes'), `${path}.js`);
}

import { resolve } from 'node:path';
import { toolProgram } from './install-packages.ts';

/** The folders whose imports are checked and drawn. */
const cruisedFolders = ['contract', 'proto', 'core', 'gateway', 'server', 'clients', 'tools', 'test'] as const;

/**
 * The arguments with which `node` runs dependency-cruiser over the folder it is run in. It reads files with TypeScript's
 * JavaScript interface, which TypeScript 7 does not have: version 6 is installed next to it.
 */
export function cruise(...options: readonly string[]): readonly string[] {
  return [toolProgram('depcruise'), '--config', resolve('.dependency-cruiser.mjs'), ...options, ...cruisedFolders];
}

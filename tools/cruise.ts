import { resolve } from 'node:path';
import { toolProgram } from './install-packages.ts';

/** The folders whose imports are checked and drawn. */
const cruisedFolders = ['contract', 'proto', 'core', 'gateway', 'server', 'clients', 'tools', 'test'] as const;

/**
 * The arguments with which `node` runs dependency-cruiser over the current folder. It needs TypeScript's JavaScript API,
 * which TypeScript 7 does not have, so version 6 is installed for it.
 */
export function cruise(...options: readonly string[]): readonly string[] {
  return [toolProgram('depcruise'), '--config', resolve('.dependency-cruiser.mjs'), ...options, ...cruisedFolders];
}

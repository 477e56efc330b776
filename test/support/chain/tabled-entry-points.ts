import { type EntryPointVersion, entryPointVersions } from '../../../core/domain/entry-point-version.ts';

const everyVersion: readonly EntryPointVersion[] = entryPointVersions;

/**
 * The EntryPoints of the long tables. What they look at is the same on 0.9 as on 0.8, which has the same accounts and the same
 * form of operations. What is 0.9's own, its paymaster contract above all, is in tables over all of them.
 * `EVERY_ENTRY_POINT=1` lets the long tables run over 0.9 as well.
 */
export const tabledEntryPoints: readonly EntryPointVersion[] =
  process.env.EVERY_ENTRY_POINT === '1' ? everyVersion : everyVersion.filter((version) => version !== '0.9');

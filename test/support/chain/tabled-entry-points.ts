import { type EntryPointVersion, entryPointVersions } from '../../../core/domain/entry-point-version.ts';
import { isLongRun } from '../run/rows-of-run.ts';

const everyVersion: readonly EntryPointVersion[] = entryPointVersions;

/**
 * The EntryPoints of the long tables. What they check is the same on 0.9 as on 0.8, which has the same accounts and the same
 * form of operations. What is 0.9's own, its paymaster contract above all, is in tables over all of them. `npm test` has 0.8
 * alone, next to 0.7 in tests of one EntryPoint; a long run has 0.6 and 0.7 too. `EVERY_ENTRY_POINT=1` lets the long tables
 * run over all.
 */
export const tabledEntryPoints: readonly EntryPointVersion[] = everyVersion.filter(
  (version) => process.env.EVERY_ENTRY_POINT === '1' || version === '0.8' || (isLongRun && version !== '0.9'),
);

/**
 * The EntryPoints of tables over all of them: in `npm test` the oldest, with a form of operations of its own, and the newest,
 * with a paymaster contract of its own; in a long run all. 0.7 and 0.8, which are between them, are the EntryPoints of most
 * tests of one EntryPoint. Its files are in `shortenedTests`.
 */
export const entryPointsOfRun: readonly EntryPointVersion[] = everyVersion.filter(
  (version) => isLongRun || version === '0.6' || version === '0.9',
);

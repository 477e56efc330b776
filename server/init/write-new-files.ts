import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';

/** Refuses with a sentence if one of the files already exists. */
export function refuseToOverwrite(files: readonly string[]): void {
  const there = files.filter((file) => existsSync(file));
  if (there.length === 0) return;
  throw mistake(`Nothing was written, because files are never overwritten: ${there.join(', ')} already exists.`);
}

/**
 * Writes files that only this user can read, in folders with the same permissions. If one cannot be written, removes all of
 * them.
 */
export function writeNewFiles(files: ReadonlyMap<string, string>): void {
  const written: string[] = [];
  try {
    for (const [file, text] of files) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
      written.push(file);
    }
  } catch (error) {
    for (const file of written) rmSync(file, { force: true });
    const reason = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw mistake(`Nothing was written: the folder cannot be written to${reason}.`, error);
  }
}

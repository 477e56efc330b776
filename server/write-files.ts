import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type JSONPath, modify } from 'jsonc-parser';
import { mistake } from '../clients/cli/terminal/cli-error.ts';

/** Edits that set or (without a value) remove one value in a configuration file's text, keeping its comments. */
export function editsOf(text: string, path: JSONPath, value: unknown): ReturnType<typeof modify> {
  return modify(text, path, value, {
    isArrayInsertion: value !== undefined && typeof path.at(-1) === 'number',
    formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' },
  });
}

/**
 * Replaces a configuration file atomically, keeping its permissions. `otherwise` is the sentence for a file that cannot be
 * written.
 */
export function replaceConfigFile(file: string, text: string, otherwise: string): void {
  try {
    // A symbolic link stays a link.
    const path = realpathSync(file);
    const replacement = `${path}.new`;
    // Of a process that ended before it renamed it.
    rmSync(replacement, { force: true });
    writeFileSync(replacement, text, { mode: statSync(path).mode & 0o777, flag: 'wx' });
    try {
      renameSync(replacement, path);
    } catch (error) {
      rmSync(replacement, { force: true });
      throw error;
    }
  } catch (error) {
    throw mistake(otherwise, error);
  }
}

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

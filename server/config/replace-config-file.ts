import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type JSONPath, modify } from 'jsonc-parser';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';

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
    const beside = `${path}.new`;
    writeFileSync(beside, text, { mode: statSync(path).mode & 0o777, flag: 'wx' });
    try {
      renameSync(beside, path);
    } catch (error) {
      rmSync(beside, { force: true });
      throw error;
    }
  } catch (error) {
    throw mistake(otherwise, error);
  }
}

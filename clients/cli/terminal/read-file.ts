import { readFileSync, statSync } from 'node:fs';
import { mistake } from './cli-error.ts';

/** Reads a file the configuration names. `what` starts the sentence when it cannot be read. */
export function readNamedFile(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw mistake(`${what} ${file} cannot be read. Check the path and that this user may read it.`, error);
  }
}

/** The JSON in a file that the command line names. */
export function readJsonFile(file: string, what: string): unknown {
  const text = readNamedFile(file, what);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw mistake(`${what} ${file} is not JSON.`, error);
  }
}

/**
 * Reads a secret file. Refuses one that its group or others may read or write, except on Windows, where files have no such
 * mode bits. A pipe or a terminal is read without this check.
 */
export function readPrivateFile(file: string, what: string): string {
  const content = readNamedFile(file, what);
  const stats = statSync(file);
  if (process.platform === 'win32' || !stats.isFile() || (stats.mode & 0o077) === 0) return content;
  const mode = (stats.mode & 0o777).toString(8).padStart(3, '0');
  throw mistake(`${what} ${file} is open to other users of this machine (mode ${mode}). Close it: chmod 600 ${file}`);
}

/** A password: the file's first line, without its line break. */
export function readPassword(file: string): string {
  const password = readPrivateFile(file, 'The password file').split(/\r?\n/, 1)[0] ?? '';
  if (password === '') throw mistake(`The password file ${file} is empty.`);
  return password;
}

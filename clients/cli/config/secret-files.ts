import { readFileSync } from 'node:fs';
import { Secret } from '../../../core/domain/values/secret.ts';
import { mistake } from '../cli-error.ts';

/** Reads a file the configuration names. `what` starts the sentence when it cannot be read. */
export function readNamedFile(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw mistake(`${what} ${file} cannot be read. Check the path and that this user may read it.`, error);
  }
}

/** The master key: 32 bytes as 64 hex digits. */
export function readMasterKey(file: string): Secret<Uint8Array> {
  const text = readNamedFile(file, 'The master key file').trim();
  if (!/^[0-9a-fA-F]{64}$/.test(text)) {
    throw mistake(
      `The master key file ${file} must hold 64 hex digits (32 bytes), like \`openssl rand -hex 32\` makes them.`,
    );
  }
  return new Secret(new Uint8Array(Buffer.from(text, 'hex')));
}

/** A password: the file's first line, without its line break. */
export function readPassword(file: string): Secret<string> {
  const password = readNamedFile(file, 'The password file').split(/\r?\n/, 1)[0] ?? '';
  if (password === '') throw mistake(`The password file ${file} is empty.`);
  return new Secret(password);
}

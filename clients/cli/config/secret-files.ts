import { readFileSync, statSync } from 'node:fs';
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

/**
 * Reads a file whose content is a secret. Refuses one that its group or others may read or write, except on Windows, whose
 * files have no such bits. A pipe or a terminal is read as it is.
 */
export function readPrivateFile(file: string, what: string): string {
  const content = readNamedFile(file, what);
  const stats = statSync(file);
  if (process.platform === 'win32' || !stats.isFile() || (stats.mode & 0o077) === 0) return content;
  const mode = (stats.mode & 0o777).toString(8).padStart(3, '0');
  throw mistake(`${what} ${file} is open to other users of this machine (mode ${mode}). Close it: chmod 600 ${file}`);
}

/** The master key: 32 bytes as 64 hex digits. */
export function readMasterKey(file: string): Secret<Uint8Array> {
  const text = readPrivateFile(file, 'The master key file').trim();
  if (!/^[0-9a-fA-F]{64}$/.test(text)) {
    throw mistake(
      `The master key file ${file} must hold 64 hex digits (32 bytes), as \`openssl rand -hex 32\` prints them.`,
    );
  }
  return new Secret(new Uint8Array(Buffer.from(text, 'hex')));
}

/** The token of a gRPC server on loopback: the file's first line. */
export function readGrpcToken(file: string): Secret<string> {
  const token = readPrivateFile(file, 'The gRPC token file').split(/\r?\n/, 1)[0] ?? '';
  if (!/^[\x21-\x7e]{32,256}$/.test(token)) {
    throw mistake(
      `The gRPC token file ${file} must hold 32 to 256 visible characters in its first line, as \`openssl rand -hex 32\` prints them.`,
    );
  }
  return new Secret(token);
}

/** A password: the file's first line, without its line break. */
export function readPassword(file: string): Secret<string> {
  const password = readPrivateFile(file, 'The password file').split(/\r?\n/, 1)[0] ?? '';
  if (password === '') throw mistake(`The password file ${file} is empty.`);
  return new Secret(password);
}

/** What can stand in a header of HTTP, as a token of a signer has to. */
export const signerTokenForm = /^[\x20-\x7e]{1,4096}$/;

/** The bearer token that a signer elsewhere asks for: the file's first line. */
export function readSignerToken(file: string): Secret<string> {
  const token = readPrivateFile(file, "The signer's token file").split(/\r?\n/, 1)[0] ?? '';
  if (!signerTokenForm.test(token)) {
    throw mistake(`The signer's token file ${file} must hold the token in its first line, in ASCII characters.`);
  }
  return new Secret(token);
}

/** The key that an explorer asks for: the file's first line. */
export function readExplorerKey(file: string): Secret<string> {
  const key = readPrivateFile(file, "The explorer's API key file").split(/\r?\n/, 1)[0] ?? '';
  if (key === '') throw mistake(`The explorer's API key file ${file} is empty.`);
  return new Secret(key);
}

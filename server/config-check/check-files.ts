import { createPrivateKey, X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isHttpUrl, signerTokenForm } from '../config/secret-files.ts';
import type { FoundMistake } from './mistake.ts';

type Path = readonly PropertyKey[];
type Complaint = Omit<FoundMistake, 'path'>;

/** Requirements for a file that the configuration names. `form` returns why its content is invalid. */
type FileKind = {
  readonly isPrivate: boolean;
  /** How to create it, as a sentence. */
  readonly remedy: string;
  readonly form: (content: string) => string | undefined;
};

const random = 'Generate it with `openssl rand -hex 32`, readable only by its owner (umask 077).';
const pem = 'It must be a PEM file from the certificate authority.';

const token: FileKind = {
  isPrivate: true,
  remedy: random,
  form: (content) =>
    /^[\x21-\x7e]{32,256}$/.test(firstLine(content))
      ? undefined
      : 'must hold 32 to 256 visible characters in its first line',
};
/** The token for a remote signer, which has its own rules. */
const signerToken: FileKind = {
  isPrivate: true,
  remedy: 'It must contain the bearer token of the signer in its first line, readable only by its owner.',
  form: (content) => (signerTokenForm.test(firstLine(content)) ? undefined : 'must hold the token in its first line'),
};
const masterKey: FileKind = {
  isPrivate: true,
  remedy: random,
  form: (content) => (/^[0-9a-fA-F]{64}$/.test(content.trim()) ? undefined : 'must hold 64 hex digits (32 bytes)'),
};
const certificate: FileKind = {
  isPrivate: false,
  remedy: pem,
  form: (content) => (reads(() => new X509Certificate(content)) ? undefined : 'must hold a certificate in PEM'),
};

/** By the name of a setting, prefixed with the section if the name has several meanings. */
const kinds: ReadonlyMap<string, FileKind> = new Map([
  ['masterKeyFile', masterKey],
  ['previousMasterKeyFiles', masterKey],
  ['tokenFile', token],
  ['ethSign.tokenFile', signerToken],
  [
    'apiKeyFile',
    {
      isPrivate: true,
      remedy: 'It must contain the explorer’s API key in its first line, readable only by its owner.',
      form: (content: string) => (firstLine(content) === '' ? 'must hold the key in its first line' : undefined),
    },
  ],
  [
    'urlFile',
    {
      isPrivate: true,
      remedy: 'It must contain the URL of the vendor’s paymaster in its first line, readable only by its owner.',
      form: (content: string) =>
        isHttpUrl(firstLine(content).trim()) ? undefined : 'must hold an http or https URL in its first line',
    },
  ],
  [
    'passwordFile',
    {
      isPrivate: true,
      remedy: 'It must contain the password of the keystore in its first line, readable only by its owner.',
      form: (content: string) => (firstLine(content) === '' ? 'must hold the password in its first line' : undefined),
    },
  ],
  [
    'keyFile',
    {
      isPrivate: true,
      remedy: pem,
      form: (content: string) =>
        reads(() => createPrivateKey(content)) ? undefined : 'must hold a private key in PEM',
    },
  ],
  ['certificateFile', certificate],
  ['clientCaFile', certificate],
  ['caFile', certificate],
  [
    'keystoreFile',
    {
      isPrivate: false,
      remedy: 'Create it with `tollfree keystore create --out <file>`.',
      form: (content: string) => (isKeystore(content) ? undefined : 'must hold an encrypted V3 keystore'),
    },
  ],
]);

/** Problems with the files that a configuration names: missing files, their modes and their content. */
export function checkFiles(whole: unknown, path: Path = []): readonly FoundMistake[] {
  if (typeof whole !== 'object' || whole === null) return [];
  return Object.entries(whole).flatMap(([name, value]) => {
    const inner: Path = [...path, Array.isArray(whole) ? Number(name) : name];
    if (name === 'databaseFile' && typeof value === 'string') return at(inner, checkDatabaseFile(value));
    const kind = kinds.get(`${String(path.at(-1))}.${name}`) ?? kinds.get(name);
    if (kind === undefined) return checkFiles(value, inner);
    if (!Array.isArray(value)) return at(inner, checkFile(value, kind));
    return value.flatMap((file, index) => at([...inner, index], checkFile(file, kind)));
  });
}

function at(path: Path, complaint: Complaint | undefined): readonly FoundMistake[] {
  return complaint === undefined ? [] : [{ ...complaint, path }];
}

/** For a non-text setting the schema reports the error. */
function checkFile(file: unknown, { isPrivate, remedy, form }: FileKind): Complaint | undefined {
  if (typeof file !== 'string' || file === '') return undefined;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined)
    return { id: 'file-missing', problem: `names a file that does not exist: ${file}`, hint: remedy };
  if (stats.isDirectory()) return { id: 'file-form', problem: `names a folder: ${file}`, hint: remedy };
  const content = readText(file);
  if (content === undefined) {
    const hint = `Give it to the user that runs the service: chown <user> ${file}`;
    return { id: 'file-unreadable', problem: `names a file that this user may not read: ${file}`, hint };
  }
  if (isPrivate && isOpen(stats)) {
    const problem = `names a file that is open to other users of this machine (mode ${modeOf(stats)}): ${file}`;
    return { id: 'file-open', problem, hint: `Close it: chmod 600 ${file}` };
  }
  const fault = form(content);
  return fault === undefined ? undefined : { id: 'file-form', problem: `names ${file}, which ${fault}`, hint: remedy };
}

/** The database file is created if its folder exists. */
function checkDatabaseFile(file: string): Complaint | undefined {
  const hint = `Create the folder, only for this user: mkdir -p -m 700 ${dirname(file)}`;
  if (!existsSync(dirname(file))) {
    return { id: 'folder-missing', problem: `is in a folder that does not exist: ${dirname(file)}`, hint };
  }
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return { id: 'file-form', problem: `names a folder: ${file}`, hint: 'Name a file in it.' };
  if (!mayWrite(stats === undefined ? dirname(file) : file)) {
    return { id: 'file-unwritable', problem: `cannot be written by this user: ${file}`, hint: `chown <user> ${file}` };
  }
  if (stats === undefined || !isOpen(stats)) return undefined;
  const problem = `names a file that is open to other users of this machine (mode ${modeOf(stats)}): ${file}`;
  return { id: 'file-open', problem, hint: `Close it: chmod 600 ${file}` };
}

/** On Windows files have no such mode bits. */
function isOpen(stats: Stats): boolean {
  return process.platform !== 'win32' && stats.isFile() && (stats.mode & 0o077) !== 0;
}

function modeOf({ mode }: Stats): string {
  return (mode & 0o777).toString(8).padStart(3, '0');
}

function mayWrite(path: string): boolean {
  return reads(() => accessSync(path, constants.W_OK));
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function firstLine(content: string): string {
  return content.split(/\r?\n/, 1)[0] ?? '';
}

function isKeystore(content: string): boolean {
  return reads(() => {
    const keystore: unknown = JSON.parse(content);
    const isOne = typeof keystore === 'object' && keystore !== null && 'crypto' in keystore && 'version' in keystore;
    if (!isOne || keystore.version !== 3) throw new Error('It is not a file.');
  });
}

/** Whether something succeeds. The error is ignored, since it may quote what was read. */
function reads(act: () => unknown): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

import { lstatSync, mkdirSync, type Stats } from 'node:fs';
import { isIP, isIPv4 } from 'node:net';
import { dirname, resolve } from 'node:path';

/** Where a gRPC server listens or a client connects to. */
export type GrpcAddress =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

/** Longest path of a unix socket, in bytes (Linux 107, macOS 103). */
const maxSocketPathBytes = 103;

/**
 * Reads `127.0.0.1:50051`, `[::1]:50051`, `core.internal:50051` or `unix:/path`. `localhost` is `127.0.0.1`.
 * Throws a sentence for the operator on anything else.
 */
export function parseGrpcAddress(text: string): GrpcAddress {
  if (text.startsWith('unix:')) {
    const path = text.slice('unix:'.length).replace(/^\/{2,}/, '/');
    if (path === '') throw new Error('a gRPC address of the form unix:/path needs a path');
    if (Buffer.byteLength(path) > maxSocketPathBytes) {
      throw new Error(`the path of a unix socket has at most ${maxSocketPathBytes} bytes: ${path}`);
    }
    return { kind: 'unix', path };
  }
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s/]+)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || port > 65_535) {
    throw new Error(`a gRPC address looks like 127.0.0.1:50051 or unix:/path, not like ${text}`);
  }
  return { kind: 'tcp', host: host.toLowerCase() === 'localhost' ? '127.0.0.1' : host, port };
}

/** The address in gRPC's form. */
export function formatGrpcAddress(address: GrpcAddress): string {
  if (address.kind === 'unix') return `unix:${address.path}`;
  return isIP(address.host) === 6 ? `[${address.host}]:${address.port}` : `${address.host}:${address.port}`;
}

/** Whether only this machine can be the peer: a unix socket, or a literal loopback address. */
export function isLocal(address: GrpcAddress): boolean {
  if (address.kind === 'unix') return true;
  return isIPv4(address.host) ? address.host.startsWith('127.') : address.host === '::1';
}

/**
 * Creates the folder of a unix socket (mode 0700), or uses the existing one.
 *
 * @throws Error with a sentence for the operator when others may enter it.
 */
export function prepareSocketFolder(socketPath: string): void {
  const folder = dirname(resolve(socketPath));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Error(`the folder ${folder} of the gRPC socket cannot be made (${codeOf(error)})`);
  }
  checkSocketFolder(socketPath);
}

/**
 * Checks that no one else can put a socket into the folder, or reach the existing one: it must belong to this user and be
 * closed to all others. A missing folder is fine. Not checked on Windows.
 *
 * @throws Error with a sentence for the operator.
 */
export function checkSocketFolder(socketPath: string): void {
  if (process.platform === 'win32') return;
  const folder = dirname(resolve(socketPath));
  const stats = statFolder(folder);
  if (stats === undefined) return;
  if (!stats.isDirectory()) throw new Error(`the folder ${folder} of the gRPC socket must be a folder, not a link`);
  const uid = process.getuid?.();
  if (uid !== 0 && stats.uid !== uid)
    throw new Error(`the folder ${folder} of the gRPC socket belongs to another user`);
  if ((stats.mode & 0o077) === 0) return;
  const mode = (stats.mode & 0o777).toString(8).padStart(3, '0');
  throw new Error(
    `the folder ${folder} of the gRPC socket is open to other users of this machine (mode ${mode}). Name a new folder, ` +
      `which will be created, or close this one with chmod 700 ${folder}`,
  );
}

function statFolder(folder: string): Stats | undefined {
  try {
    return lstatSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new Error(`the folder ${folder} of the gRPC socket cannot be read (${codeOf(error)})`);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

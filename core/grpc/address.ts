import { isIP, isIPv4 } from 'node:net';

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

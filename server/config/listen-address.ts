import { isIP } from 'node:net';

export type HostAndPort = { readonly host: string; readonly port: number };

/** Parses `host:port` (`127.0.0.1:3000`, `[::1]:3000`, `localhost:0`). Undefined for anything else. */
export function parseHostAndPort(text: string): HostAndPort | undefined {
  const match = /^(?:\[(?<six>[0-9a-fA-F:.]+)\]|(?<host>[A-Za-z0-9.-]+)):(?<port>\d{1,5})$/.exec(text);
  const host = match?.groups?.six ?? match?.groups?.host;
  const port = Number(match?.groups?.port);
  if (host === undefined || port > 65_535) return undefined;
  if (match?.groups?.six !== undefined && isIP(host) !== 6) return undefined;
  return { host, port };
}

import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../../core/base/logger.ts';
import { limitedClient } from '../../core/base/values/limited-client.ts';

/** The address that a request comes from; undefined if unknown. */
export type CallerAddress = (request: IncomingMessage) => string | undefined;

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** Longest X-Forwarded-For chain that is followed. */
const maxHops = 16;

function parseAddress(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

function parseRange(text: string): Range {
  const address = parseAddress(text);
  if (address !== undefined) return [address, address.kind() === 'ipv4' ? 32 : 128];
  return ipaddr.parseCIDR(text);
}

function isIn(address: Address, ranges: readonly Range[]): boolean {
  return ranges.some(([base, bits]) => address.kind() === base.kind() && address.match(base, bits));
}

/**
 * Reads the client's address from the socket. X-Forwarded-For is only read if the socket's peer is a trusted proxy (address
 * or CIDR range): from the right, up to the first untrusted address. Logs the first such header while there are no trusted
 * proxies, since all clients behind that proxy count as one. Throws on an invalid range.
 */
export function createCallerAddress(trustedProxies: readonly string[], logger: Logger): CallerAddress {
  const ranges = trustedProxies.map(parseRange);
  let hasWarned = ranges.length > 0;
  const known = new WeakMap<IncomingMessage, { readonly address: string | undefined }>();
  const find: CallerAddress = (request) => {
    let address = parseAddress(request.socket.remoteAddress ?? '');
    if (address === undefined) return undefined;
    const forwarded = request.headers['x-forwarded-for'];
    if (!hasWarned && forwarded !== undefined) {
      hasWarned = true;
      const address = request.socket.remoteAddress;
      logger.warn(
        { address },
        'X-Forwarded-For is ignored because no trusted proxies are configured. All clients behind one proxy count as one',
      );
    }
    if (ranges.length > 0 && typeof forwarded === 'string') {
      const hops = forwarded.split(',').slice(-maxHops);
      while (hops.length > 0 && isIn(address, ranges)) {
        const next = parseAddress((hops.pop() ?? '').trim());
        if (next === undefined) break;
        address = next;
      }
    }
    return address.toString();
  };
  return (request) => {
    const found = known.get(request) ?? { address: find(request) };
    known.set(request, found);
    return found.address;
  };
}

/** The address under which a request is counted. */
export type ClientAddress = (request: IncomingMessage) => string;

/** Addresses whose key is cached: most requests come from one that has just sent another. */
const maxKeys = 1_000;

/** Counts requests by the addresses they come from. */
export function createClientAddress(callerAddress: CallerAddress): ClientAddress {
  const keys = new LRUCache<string, string>({ max: maxKeys, memoMethod: limitedClient });
  return (request) => {
    const address = callerAddress(request);
    return address === undefined ? 'unknown' : keys.memo(address);
  };
}

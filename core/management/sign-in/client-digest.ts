import { parseNetwork } from '../../domain/api-key-rules.ts';

/** Half of the hex digits of a digest: 128 bits. */
const halfDigest = 32;
const ofSubnet = /\/64$/;

/**
 * Where a sign-up comes from, of two halves: the digest of the site, then of the client's address. A site of IPv6 is a /48, which
 * its holder divides into 65,536 addresses of clients (RFC 6177); of IPv4 it is the address.
 */
export function clientDigest(digest: (client: string) => string, client: string): string {
  const site = ofSubnet.test(client) ? (parseNetwork(client.replace(ofSubnet, '/48')) ?? client) : client;
  return digest(site).slice(0, halfDigest) + digest(client).slice(0, halfDigest);
}

/** What all digests of the same site begin with. */
export function siteOf(client: string): string {
  return client.slice(0, halfDigest);
}

import { parseNetwork } from '../../domain/api-key-rules.ts';

/** Half of the hex digits of a digest: 128 bits. */
const halfDigest = 32;
const ofSubnet = /\/64$/;

/**
 * The origin of a sign-up, in two halves: the digest of the site, then of the client's address. An IPv6 site is a /48, which
 * its holder can divide into 65,536 client networks (RFC 6177); an IPv4 site is the address.
 */
export function clientDigest(digest: (client: string) => string, client: string): string {
  const site = ofSubnet.test(client) ? (parseNetwork(client.replace(ofSubnet, '/48')) ?? client) : client;
  return digest(site).slice(0, halfDigest) + digest(client).slice(0, halfDigest);
}

/** The common prefix of all digests of a site. */
export function siteOf(client: string): string {
  return client.slice(0, halfDigest);
}

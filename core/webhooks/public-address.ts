import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** True for an IP address (text, no brackets) that webhooks may use. Never throws. */
export type AddressCheck = (address: string) => boolean;

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

// All global unicast addresses that IANA has assigned; those outside (`::/96`, `64:ff9b:1::/48`, …) lead elsewhere.
const globalUnicast6: Range = ipaddr.parseCIDR('2000::/3');
// RFC 6052: an IPv4 address behind a translator, as DNS64 resolvers return on IPv6-only networks.
const translated4: Range = ipaddr.parseCIDR('64:ff9b::/96');
// Numerically a public address, but inside Azure it is the host's own management service.
const azureHost: Range = ipaddr.parseCIDR('168.63.129.16/32');

// The deprecated IPv4-compatible form, which ipaddr.js would read as the mapped one.
const compatible4 = /^::\d+\./;

function isIn(address: Address, range: Range): boolean {
  return address.kind() === range[0].kind() && address.match(range);
}

/** The IPv4 address that actually receives the packets of a mapped or translated IPv6 address; else the address itself. */
function unwrap(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (isIn(address, translated4)) return new ipaddr.IPv4(address.toByteArray().slice(12));
  return address;
}

function isPublicUnicast(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' ? !isIn(address, azureHost) : isIn(address, globalUnicast6);
}

/**
 * Builds the test that every webhook address must pass, at registration and at each connection: public unicast, or in one of
 * the operator's `allowedRanges` (CIDR, e.g. `127.0.0.0/8`). It rejects loopback, private, shared, link-local,
 * documentation, benchmark, multicast and reserved addresses, and tunnels (6to4, Teredo), whose far end can be any of these.
 *
 * @throws Error when a range is not CIDR notation: the operator's mistake must show at startup.
 */
export function createAddressCheck(allowedRanges: readonly string[]): AddressCheck {
  const allowed: Range[] = allowedRanges.map((range) => ipaddr.parseCIDR(range));
  return (text) => {
    // net.isIP only accepts the canonical forms; ipaddr.js would also read `127.1` or octal numbers.
    if (isIP(text) === 0 || compatible4.test(text)) return false;
    const address = unwrap(ipaddr.parse(text));
    return isPublicUnicast(address) || allowed.some((range) => isIn(address, range));
  };
}

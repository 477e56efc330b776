import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Bits before the IPv4 address in an IPv6 address that holds one. */
const mappedBits = 96;

function parse(text: string): Address | undefined {
  // net.isIP takes the canonical forms only; ipaddr.js alone would also read `127.1` or octal numbers.
  return isIP(text) === 0 || text.includes('%') ? undefined : ipaddr.parse(text);
}

/**
 * An address or CIDR range in its one form, `10.0.0.0/8`: an IPv6 range of mapped IPv4 addresses is that of the addresses.
 * Undefined for anything else.
 */
export function parseNetwork(text: string): string | undefined {
  const [base = '', prefix, ...more] = text.split('/');
  const address = parse(base);
  if (address === undefined || more.length > 0) return undefined;
  const width = address.kind() === 'ipv4' ? 32 : 128;
  if (prefix !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefix)) return undefined;
  const bits = prefix === undefined ? width : Number(prefix);
  if (bits > width) return undefined;
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= mappedBits) {
    return parseNetwork(`${address.toIPv4Address()}/${bits - mappedBits}`);
  }
  const network = address instanceof ipaddr.IPv6 ? ipaddr.IPv6 : ipaddr.IPv4;
  return `${network.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`;
}

/** Whether an address is in a range that {@link parseNetwork} wrote. */
export function isInNetwork(network: string, address: string): boolean {
  const found = parse(address);
  if (found === undefined) return false;
  const plain = ipaddr.process(found.toString());
  const [base, bits] = ipaddr.parseCIDR(network);
  return plain.kind() === base.kind() && plain.match(base, bits);
}

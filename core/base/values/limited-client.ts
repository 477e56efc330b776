import ipaddr from 'ipaddr.js';

/** The client that limits count an address for: an IPv6 client owns a whole /64, which therefore counts as one. */
export function limitedClient(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  const prefix = address.toByteArray().slice(0, 8);
  return `${ipaddr.fromByteArray([...prefix, 0, 0, 0, 0, 0, 0, 0, 0]).toString()}/64`;
}

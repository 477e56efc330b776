import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { CallerAddress } from './caller-address.ts';

/** The address under which a request is counted. */
export type ClientAddress = (request: IncomingMessage) => string;

/** An IPv6 client owns a whole /64, which therefore counts as one. */
function limiterKey(text: string): string {
  const address = ipaddr.parse(text);
  if (address.kind() === 'ipv4') {
    return address.toString();
  }
  const prefix = address.toByteArray().slice(0, 8);
  return `${ipaddr.fromByteArray([...prefix, 0, 0, 0, 0, 0, 0, 0, 0]).toString()}/64`;
}

/** Counts requests by the addresses they come from. */
export function createClientAddress(callerAddress: CallerAddress): ClientAddress {
  return (request) => {
    const address = callerAddress(request);
    return address === undefined ? 'unknown' : limiterKey(address);
  };
}

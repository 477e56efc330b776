import { type Address, getAddress, type Hex } from 'viem';

/** EIP-1167: all there is before and behind the address that every call is delegated to. */
const pattern = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/i;

/** Whom a minimal proxy with this code delegates to; undefined for other code. */
export function minimalProxyTarget(code: Hex): Address | undefined {
  const digits = pattern.exec(code)?.[1];
  return digits === undefined ? undefined : getAddress(`0x${digits}`);
}

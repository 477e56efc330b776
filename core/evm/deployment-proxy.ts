import type { Address, Hex } from 'viem';

/** The keyless deployment proxy found on most chains: takes 32 bytes of salt, then the creation code. */
export const deploymentProxy: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
export const zeroSalt: Hex = `0x${'00'.repeat(32)}`;

import { type Address, concat, type Hex } from 'viem';
import type { ChainClient } from './chain-client.ts';

/** Address of the precompile of RIP-7212 and EIP-7951 that verifies passkey signatures. */
const precompile: Address = '0x0000000000000000000000000000000000000100';

/** A hash, a signature of it (r, s) and the public key (x, y): the precompile returns 1. */
const validSignature: Hex = concat([
  '0x2222222222222222222222222222222222222222222222222222222222222222',
  '0x8c85108a3a6f9e9b3e5bf65f29d02ae467af624b69b71324e325a8e878722245',
  '0x016e3554be3b71e812ceb37d8897faea1be5aeef41ab0aadac6fdffb20421c86',
  '0x0217e617f0b6443928278f96999e69a23a4f2c152bdf6d6cdf66e5b80282d4ed',
  '0x194a7debcb97712d2dda3ca85aa8765a56f45fc758599652f2897c65306e5794',
]);

const foundOn = new WeakMap<ChainClient, boolean>();

/** Whether the chain has a precompile for passkeys; undefined until a node has answered. */
export function hasP256(client: ChainClient): boolean | undefined {
  return foundOn.get(client);
}

/** Checks by calling the precompile. The result is kept; a failure keeps the previous one. */
export async function readP256(client: ChainClient): Promise<boolean | undefined> {
  try {
    const answer = await client.request({
      method: 'eth_call',
      params: [{ to: precompile, data: validSignature }, 'latest'],
    });
    foundOn.set(client, /^0x0{63}1$/.test(answer ?? '0x'));
  } catch {
    // The node's health is watched elsewhere, and this decides nothing.
  }
  return hasP256(client);
}

/** The gas cost of a passkey without the precompile, for people. */
export const p256InSolidity =
  'The chain has no P-256 precompile (RIP-7212), so passkeys are verified in Solidity, at 200,000 to 350,000 gas.';

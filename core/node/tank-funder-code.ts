import { tankFunderAddress } from '../evm/tank-funder/tank-funder.ts';
import type { ChainClient } from './chain-client.ts';

/** Chains that have it: code without an owner cannot be removed. */
const chainsWithFunder = new WeakSet<ChainClient>();

/** Whether the tank funder is deployed on the chain. False when the node does not answer: then its call is not offered. */
export async function hasTankFunder(client: ChainClient): Promise<boolean> {
  if (chainsWithFunder.has(client)) return true;
  const code = await client.getCode({ address: tankFunderAddress }).catch(() => undefined);
  if (code === undefined || code === '0x') return false;
  chainsWithFunder.add(client);
  return true;
}

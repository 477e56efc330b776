import { tankFunderAddress } from '../evm/tank-funder/tank-funder.ts';
import type { ChainClient } from './chain-client.ts';

/** Chains that have it: code without an owner does not go away. */
const chainsWithFunder = new WeakSet<ChainClient>();

/** Whether the contract that fills tanks is on the chain. False when the node does not say: then its call is not offered. */
export async function hasTankFunder(client: ChainClient): Promise<boolean> {
  if (chainsWithFunder.has(client)) return true;
  const code = await client.getCode({ address: tankFunderAddress }).catch(() => undefined);
  if (code === undefined || code === '0x') return false;
  chainsWithFunder.add(client);
  return true;
}

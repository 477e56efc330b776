import { type Address, getContractAddress, type Hex } from 'viem';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { bundler } from './chain-lab.ts';

/** Puts code on the chain with its creation code. */
export async function deploy({ client }: Devnet, data: Hex): Promise<Address> {
  const hash = await client.sendTransaction({ account: bundler, chain: client.chain, data, gas: 6_000_000n });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error('Nothing was deployed.');
  return getContractAddress({ from: bundler.address, nonce: BigInt((await client.getTransaction({ hash })).nonce) });
}

import type { Address } from 'viem';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { implementationSlot } from '../../evm/account-codes/find-in-catalogue.ts';
import { addressInWord } from '../../evm/account-codes/known-code.ts';
import type { ChainClient } from '../chain-client.ts';
import { explainNodeError } from '../node-error.ts';

/** The current target of an EIP-1967 proxy; undefined for a contract whose slot is empty. */
export async function readImplementation(client: ChainClient, proxy: Address): Promise<Result<Address | undefined>> {
  try {
    const word = await client.request({ method: 'eth_getStorageAt', params: [proxy, implementationSlot, 'latest'] });
    return accept(addressInWord(word));
  } catch (error) {
    return refuse(explainNodeError(error));
  }
}

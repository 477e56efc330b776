import { type Address, type Hex, isAddressEqual } from 'viem';
import { readBundled } from '../evm/entry-point/read-bundle.ts';
import { carriedNames } from '../evm/paymaster-contracts/family/carried-name.ts';
import type { ChainClient } from './chain-client.ts';
import type { UserOperationLanded } from './chain-event.ts';

/**
 * What a landed operation carries, by the input of its transaction; undefined where a contract has called the EntryPoint,
 * which the input need not show. An EntryPoint takes no bundle inside another one, so there is no second operation of the
 * same sender and nonce.
 */
export async function readCarriedNames(
  client: ChainClient,
  entryPoint: Address,
  { txHash, sender, nonce }: UserOperationLanded,
): Promise<readonly Hex[] | undefined> {
  const { to, input } = await client.getTransaction({ hash: txHash });
  if (to === null || !isAddressEqual(to, entryPoint)) return undefined;
  const bundled = readBundled(input, { sender, nonce });
  return bundled === undefined ? undefined : carriedNames(bundled);
}

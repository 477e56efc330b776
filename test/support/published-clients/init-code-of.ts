import { concat, type Hex } from 'viem';
import type { SmartAccount } from 'viem/account-abstraction';

/** What creates the account, `0x` where it is on the chain. */
export async function initCodeOf(account: Pick<SmartAccount, 'getFactoryArgs'>): Promise<Hex> {
  const { factory, factoryData } = await account.getFactoryArgs();
  return factory === undefined ? '0x' : concat([factory, factoryData ?? '0x']);
}

import { formatEther } from 'viem';
import type { ChainClient } from '../../../core/node/chain-client.ts';
import type { ChainSection } from '../../config/chain-schema.ts';
import type { TreasurySection } from '../../config/treasury-schema.ts';
import { addressOfKey } from '../../keys/address-of-key.ts';
import { type Check, type Finding, findingsAbout } from '../finding.ts';

/** Checks the chain's hot wallet, if it has one: it should have what it may send in a day. */
export function checkTreasury(chain: ChainSection, client: ChainClient): readonly Check[] {
  const { treasury, chainId } = chain;
  if (treasury === undefined) return [];
  const about = `chain ${chainId}, treasury`;
  return [{ about, run: () => lookAt(treasury, client, about) }];
}

async function lookAt({ wallet, maxPerDay }: TreasurySection, client: ChainClient, about: string): Promise<Finding> {
  const find = findingsAbout(about);
  const address = await addressOfKey(wallet);
  if (address === undefined) {
    return find.failure(
      'treasury-key',
      'The key of its wallet cannot be read, so the service does not start.',
      'Check keystoreFile and passwordFile of treasury.wallet.',
    );
  }
  const balance = await client.getBalance({ address });
  if (balance < maxPerDay) {
    return find.warning(
      'treasury-low',
      `Its wallet ${address} has ${formatEther(balance)} ether, less than maxPerDay.`,
      `Send it coin: it should have at least ${formatEther(maxPerDay)} ether.`,
    );
  }
  return find.ok('treasury', `Its wallet ${address} has ${formatEther(balance)} ether.`);
}

import { omitAbsent } from '@tollfree/contract/omit-absent';
import { LRUCache } from 'lru-cache';
import { type Address, BaseError, type Hex } from 'viem';
import { entriesUpTo } from '../base/values/fair-cache.ts';
import type { ChainClient } from './chain-client.ts';

/** How long a balance is used before it is read again, in milliseconds; holds cover changes in that time. */
const maxAgeMs = 2_000;
const maxKept = 10_000;

/** Balances that a paymaster contract keeps for its customers, read on demand, with one concurrent read each. */
export type CustomerBalances = {
  /** The balance in wei, read from the contract with this call data; undefined when it cannot be read. */
  read(contract: Address, balanceData: Hex): Promise<bigint | undefined>;
};

/**
 * A wallet's balance in the contract at a block, in wei. Rejects when the node does not answer or the answer is not a
 * number.
 */
export async function readCustomerBalance(
  client: ChainClient,
  contract: Address,
  balanceData: Hex,
  blockNumber?: bigint,
): Promise<bigint> {
  const { data } = await client.call({
    to: contract,
    data: balanceData,
    ...omitAbsent({ blockNumber }),
  });
  if (data === undefined || data.length !== 66) throw new BaseError('The contract returned no balance.');
  return BigInt(data);
}

export function createCustomerBalances(client: ChainClient): CustomerBalances {
  const cache = new LRUCache<string, Promise<bigint | undefined>>({ ...entriesUpTo(maxKept), ttl: maxAgeMs });

  function ask(contract: Address, data: Hex): Promise<bigint | undefined> {
    return readCustomerBalance(client, contract, data).catch(() => undefined);
  }

  return {
    read: (contract, balanceData) => {
      const key = `${contract}${balanceData}`;
      const known = cache.get(key);
      if (known !== undefined) return known;
      const asked = ask(contract, balanceData).then((balance) => {
        if (balance === undefined) cache.delete(key);
        return balance;
      });
      cache.set(key, asked);
      return asked;
    },
  };
}

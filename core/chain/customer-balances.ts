import { LRUCache } from 'lru-cache';
import type { Address, Hex } from 'viem';
import type { ChainClient } from './chain-client.ts';

/** How long a balance is used before it is read again, in milliseconds; what is held covers what happens meanwhile. */
const maxAgeMs = 2_000;
const mostKept = 10_000;

/** Balances that a paymaster contract keeps for its customers, read when they are asked for, one read at a time each. */
export type CustomerBalances = {
  /** The balance in wei that this call data asks the contract for; undefined when it cannot be read. */
  read(contract: Address, balanceData: Hex): Promise<bigint | undefined>;
};

export function createCustomerBalances(client: ChainClient): CustomerBalances {
  const cache = new LRUCache<string, Promise<bigint | undefined>>({ max: mostKept, ttl: maxAgeMs });

  async function ask(contract: Address, data: Hex): Promise<bigint | undefined> {
    try {
      const answer = await client.call({ to: contract, data });
      return answer.data === undefined || answer.data.length !== 66 ? undefined : BigInt(answer.data);
    } catch {
      return undefined;
    }
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

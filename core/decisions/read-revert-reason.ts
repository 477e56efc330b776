import { LRUCache } from 'lru-cache';
import { type Hex, size } from 'viem';
import type { CustomError } from '../evm/abi/custom-errors.ts';
import { describeRevert } from '../gas/failures/decode-failure.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { readRevertData } from '../node/read-revert-data.ts';
import type { ReadRevertReason } from './read-operation.ts';

/** Most operations whose revert data is cached: it never changes, and has at most about 2 kB each. */
const maxRemembered = 1_000;

type Parts = {
  readonly chains: ReadonlyMap<number, { readonly client: ChainClient }>;
  /** Custom errors of the contracts that the account holder registered. */
  readonly findErrors: (paymasterId: string, addresses: readonly string[]) => Promise<readonly CustomError[]>;
};

/** Asks a node once why the calls of an operation reverted, and names errors of registered contracts. */
export function createReadRevertReason({ chains, findErrors }: Parts): ReadRevertReason {
  const remembered = new LRUCache<Hex, Hex>({ max: maxRemembered });
  return async ({ chainId, paymasterId, targets, ...landed }) => {
    const chain = chains.get(chainId);
    const key = `${landed.txHash}${landed.userOperationHash}` as const;
    const data = remembered.get(key) ?? (chain && (await readRevertData(chain.client, landed)));
    if (data === undefined) return undefined;
    remembered.set(key, data);
    if (size(data) < 4) return 'The call reverted without a reason.';
    return describeRevert(data, await findErrors(paymasterId, targets));
  };
}

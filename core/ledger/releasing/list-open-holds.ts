import { defaultPageSize, maxPageSize } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { parseAddress } from '../../base/values/parse-address.ts';
import type { OpenHold } from '../../domain/ledger-report.ts';
import { accept, invalidField, type Result } from '../../domain/result/result.ts';
import type { FollowedChain } from '../../node/followed-chain.ts';
import type { Store } from '../../store/store.ts';
import { readOpenHolds } from './read-open-holds.ts';

type Parts = { readonly store: Store; readonly chains: ReadonlyMap<number, FollowedChain> };

/** What is set aside on a chain and may land, the oldest first; for the operator. */
export async function listOpenHolds(
  { store, chains }: Parts,
  input: { readonly chainId: number; readonly sender?: string; readonly afterHoldId?: number; readonly limit?: number },
): Promise<Result<readonly OpenHold[]>> {
  const { chainId, afterHoldId = 0, limit = defaultPageSize } = input;
  if (!chains.has(chainId)) return invalidField('chainId', 'must be a chain of the configuration');
  const sender = input.sender === undefined ? undefined : parseAddress(input.sender);
  if (input.sender !== undefined && sender === undefined) return invalidField('sender', 'must be an address');
  const page = { chainId, afterHoldId, limit: Math.min(Math.max(limit, 1), maxPageSize), ...omitAbsent({ sender }) };
  return accept(await readOpenHolds(store.db, page));
}

import { type Hex, zeroAddress } from 'viem';
import { unixSeconds } from '../../base/time/clock.ts';
import { minBigint } from '../../base/values/integers.ts';
import { delegateOf } from '../../evm/entry-point/eip7702.ts';
import { priceAt } from '../../ledger/following/take-stretch.ts';
import { postAuthorizations, readRelayWatch } from '../../ledger/posting/post-relayed-operation.ts';
import { releaseRelayed } from '../../ledger/relay-desk.ts';
import {
  countSentInDay,
  type HeldAuthorization,
  readCarried,
  readWaiting,
} from '../../ledger/treasury/authorizations.ts';
import type { Transfer } from '../../ledger/treasury/transfers.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { ifStateIsThere } from '../../node/node-error.ts';
import { readExecutorTransaction } from '../../node/relay/executor-transaction.ts';
import type { Bounds } from './sign-and-send.ts';
import { askAllNodes, type TreasuryParts, type TreasuryRelay } from './treasury-parts.ts';

/** Most authorizations in one transaction: about 500,000 gas. */
const maxInTransaction = 20;
/** Most that are read in one turn: some may wait for another one of their account. */
const maxRead = 200;
/** An authorization that cannot be sent for this long is given up, in seconds. Nothing of it was signed. */
const maxWaitSeconds = 900;

/** The authorizations for the next transaction, one of each account. Those that cannot be sent any more are released. */
export async function findDueAuthorizations(parts: TreasuryParts): Promise<readonly HeldAuthorization[]> {
  const { relay: relayed, chainId, store, clock } = parts;
  if (relayed === undefined) return [];
  const relay = { chainId, contract: relayed.contract };
  const due = new Map<string, HeldAuthorization>();
  for (const one of await readWaiting(store.db, relay, maxRead)) {
    if (due.size === maxInTransaction) break;
    const fate = due.has(one.authority) ? 'waits' : await fateOf(parts, relayed, one);
    if (fate === 'due') due.set(one.authority, one);
    if (fate !== 'ended') continue;
    const released = { ...relay, userOperationHash: one.hash, holdId: one.holdId };
    await store.transaction((transaction) => releaseRelayed(transaction, released, unixSeconds(clock)));
  }
  return [...due.values()];
}

/** An account's nonce that a lagging node does not know yet only delays; one that has advanced makes it void. */
async function fateOf(
  { nodes, chainId, store, clock }: TreasuryParts,
  { authorizations }: TreasuryRelay,
  { authority, authorization, createdAt }: HeldAuthorization,
): Promise<'due' | 'waits' | 'ended'> {
  const now = unixSeconds(clock);
  if (now - createdAt > maxWaitSeconds) return 'ended';
  const counts = await askAllNodes(nodes, (node) => node.getTransactionCount({ address: authority }));
  if (counts.some((count) => count > authorization.nonce)) return 'ended';
  if (counts.some((count) => count < authorization.nonce)) return 'waits';
  const sent = await countSentInDay(store.db, { chainId, authority, now });
  return sent < (authorizations?.perAccountPerDay ?? 0) ? 'due' : 'ended';
}

/** What a transaction may cost: each authorization pays the same share, and no more than was held for it. */
export function boundsOf(carried: readonly HeldAuthorization[], gas: bigint, ceiling: bigint | undefined): Bounds {
  const [first = 0n, ...others] = carried.map(({ held }) => held);
  const budget = minBigint(first, ...others) * BigInt(carried.length);
  return { budget, gas, ceiling: minBigint(budget / gas, ceiling ?? budget) };
}

/**
 * Charges the tanks of what a confirmed transaction carried, with what it cost. Nothing happens while the ledger of the
 * relay is behind; the next turn tries again.
 */
export async function settleCarrier(
  parts: Pick<TreasuryParts, 'relay' | 'chainId' | 'store' | 'client' | 'clock'>,
  transfer: Transfer,
  txHash: Hex,
): Promise<void> {
  const { relay, chainId, store, client, clock } = parts;
  if (relay === undefined) return;
  const { contract } = relay;
  const { transferId, wallet } = transfer;
  const watch = await readRelayWatch(store.db, { chainId, contract });
  const { fee: cost, blockNumber, success } = await readExecutorTransaction(client, contract, txHash);
  if (watch === undefined || watch.nextBlock <= blockNumber) return;
  const carried = await readCarried(store.db, transferId);
  const applied = new Set<Hex>();
  for (const one of carried) if (success && (await isApplied(client, one, blockNumber))) applied.add(one.hash);
  const now = unixSeconds(clock);
  const coinPrice = priceAt(relay, now);
  const landed = { transferId, chainId, contract, wallet, txHash, blockNumber, cost, applied, watch, coinPrice };
  await store.transaction((transaction) => postAuthorizations(transaction, landed, now));
}

/** Whether the account has the delegate after the block. If the node no longer has that state, it is assumed. */
async function isApplied(client: ChainClient, { authority, authorization }: HeldAuthorization, blockNumber: bigint) {
  const read = await ifStateIsThere(
    client.getCode({ address: authority, blockNumber }).then((code) => ({ delegate: delegateOf(code) })),
  );
  if (read === undefined) return true;
  return (read.delegate ?? zeroAddress).toLowerCase() === authorization.address.toLowerCase();
}

import type { Address } from 'viem';
import { createTimers, repeat, unixSeconds } from '../../base/time/clock.ts';
import { releaseRelayed } from '../../ledger/relay/relay-desk.ts';
import { readWaiting } from '../../ledger/treasury/authorizations.ts';
import { readFormerCarriers, type Transfer } from '../../ledger/treasury/transfers.ts';
import { setTransferState } from '../../ledger/treasury/write-transfers.ts';
import { asLeader } from '../../store/leading.ts';
import { type Running, whileLeading } from '../leading/while-leading.ts';
import { type FollowingParts, findReceipt, isUsedUp, recordLanding } from './follow-transfer.ts';
import type { TreasuryRelay } from './treasury-parts.ts';

/** Turns of the watcher between two turns of this: there is rarely something to settle. */
const pollsPerTurn = 10;
/** Most authorizations that are released in one turn. */
const maxRead = 200;
/** Nodes have dropped a transaction that no one sends again for this long, in seconds. */
const giveUpSeconds = 86_400;

type Parts = FollowingParts & {
  readonly relay: TreasuryRelay;
  /** The hot wallet of the configuration, which settles its own transactions. */
  readonly wallet?: Address | undefined;
};

/**
 * While this process leads, ends the holds of authorizations whose hot wallet is no longer in the configuration. That needs no
 * key: nothing is sent.
 */
export function startSettlingFormer({
  pollIntervalMs,
  ...parts
}: Parts & { readonly pollIntervalMs: number }): Running {
  const { store, clock, chainId, logger } = parts;
  return whileLeading(store.leadership, () =>
    repeat(
      { clock, timers: createTimers(clock) },
      pollsPerTurn * pollIntervalMs,
      () => settleFormer({ ...parts, store: asLeader(store) }),
      (cause) => logger.error({ err: cause, chainId }, 'Authorizations of a former treasury could not be settled'),
    ),
  );
}

/** One turn. Without a hot wallet, authorizations that wait for one are released: nothing of them was signed. */
export async function settleFormer(parts: Parts): Promise<void> {
  const { store, client, chainId, wallet, relay, clock } = parts;
  const carriers = await readFormerCarriers(store.db, { chainId, wallet });
  if (carriers.length > 0) {
    const head = await client.getBlockNumber({ cacheTime: 0 });
    for (const carrier of carriers) await settleOne(parts, carrier, head);
  }
  if (wallet !== undefined) return;
  const key = { chainId, contract: relay.contract };
  for (const { hash: userOperationHash, holdId } of await readWaiting(store.db, key, maxRead)) {
    const released = { ...key, userOperationHash, holdId };
    await store.transaction((transaction) => releaseRelayed(transaction, released, unixSeconds(clock)));
  }
}

/**
 * Settles a transaction that has landed. What one carried that cannot land any more, or has not for a day, waits for another
 * one. If it lands later after all, its gas is the operator's.
 */
async function settleOne(parts: Parts, carrier: Transfer, head: bigint): Promise<void> {
  const { store, client, clock, chainId, logger } = parts;
  const now = unixSeconds(clock);
  const receipt = await findReceipt(client, carrier.txHashes);
  if (receipt !== undefined) {
    await recordLanding(parts, carrier, { receipt, head });
    return;
  }
  if (now - carrier.createdAt <= giveUpSeconds && !(await isUsedUp(parts, carrier, head))) return;
  await setTransferState(store, carrier, { state: 'replaced', now });
  logger.warn({ chainId, transferId: carrier.transferId }, 'A transaction of a former treasury is given up');
}

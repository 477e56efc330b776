import type { Address } from 'viem';
import type { Logger } from '../../base/logger.ts';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import type { HandedOver, RelayBundler } from '../../node/relay/relay-bundler.ts';
import type { Store } from '../../store/store.ts';
import { closeHolds } from '../holds/close-holds.ts';
import { keptSeconds, noteRelay, type RelayedKey, readKeptRelay } from '../holds/relayed-operations.ts';
import { markSent } from '../lives/mark-sent.ts';
import { hasMovedOn } from '../releasing/has-moved-on.ts';
import { recoverShortfalls } from '../tanks/recover-shortfalls.ts';

/**
 * How long until an operation is sent again to a bundler that has it, or to one that did not answer about it, in seconds.
 */
const takenSeconds = 60;
const unknownSeconds = 5;

/** An operation whose hold is durable, and its destination. */
type RelayJob = RelayedKey & {
  readonly sender: Address;
  readonly nonce: bigint;
  readonly bundler: RelayBundler;
  readonly client: ChainClient;
};

/** Sends operations to bundlers. What a bundler said is stored, so that another process can continue from there. */
export type RelayDesk = {
  /** A refusal releases the hold, unless its nonce has advanced: the operation may have landed then. */
  handOver(job: RelayJob): Promise<HandedOver>;
};

export function createRelayDesk({
  store,
  clock,
  logger,
}: {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
}): RelayDesk {
  return {
    async handOver(job) {
      const { contract, chainId, userOperationHash } = job;
      const kept = await readKeptRelay(store.db, job, unixSeconds(clock));
      if (kept === undefined) return endedBefore;
      // As it was first brought: a copy from someone else may have a signature that the bundler refuses.
      const given = { operationJson: kept.operation, userOperationHash, entryPoint: contract as Address };
      const said = await job.bundler.handOver(given);
      const now = unixSeconds(clock);
      if (said.kind === 'away' && kept.isFirstTry && (await releaseUnsent(store, job, now))) return said;
      if (said.kind === 'unknown' || said.kind === 'away') {
        const fields = { err: said.cause, chainId, userOperationHash };
        logger.warn(fields, 'The bundler did not say whether it takes an operation; it gets it again');
      }
      if (said.kind === 'refused' && !(await mayHaveLanded(job))) {
        await store.transaction((transaction) => releaseRelayed(transaction, job, now));
        return said;
      }
      const isTaken = said.kind === 'taken';
      const nextAt = now + (said.kind === 'taken' || said.kind === 'refused' ? takenSeconds : unknownSeconds);
      await store.transaction(async (transaction) => {
        await noteRelay(transaction, job, { isTaken, nextAt });
        if (isTaken) await markSent(transaction, [{ hash: userOperationHash, chainId, at: now }]);
      });
      return said.kind === 'away' ? { kind: 'unknown', cause: said.cause } : said;
    },
  };
}

/** It was refused on behalf of another request for the same operation while this one waited. */
const endedBefore: HandedOver = { kind: 'refused', code: -32602, message: 'it was refused a moment ago' };

/** Releases an operation that no bundler was given, unless another request has brought it meanwhile. */
function releaseUnsent(store: Store, job: RelayJob, now: number): Promise<boolean> {
  return store.transaction(async (transaction) => {
    const kept = await readKeptRelay(transaction, job, now);
    if (kept?.isFirstTry !== true) return false;
    await releaseRelayed(transaction, job, now);
    return true;
  });
}

/** A bundler also refuses an operation because it has landed. A node that does not answer does not prove otherwise. */
async function mayHaveLanded({ client, contract, sender, nonce }: RelayJob): Promise<boolean> {
  const used = { entryPoint: contract as Address, sender, nonce };
  try {
    return await hasMovedOn(client, used, await client.getBlockNumber({ cacheTime: 0 }));
  } catch {
    return true;
  }
}

type Transaction = Parameters<Parameters<Store['transaction']>[0]>[0];

/** Ends the operation, and its hold with it unless another operation of the same nonce is still with the bundler. */
export async function releaseRelayed(
  transaction: Transaction,
  { chainId, userOperationHash, holdId }: RelayedKey,
  now: number,
): Promise<void> {
  const rows = await transaction
    .selectFrom('relayed_operations')
    .select(['user_operation_hash', 'state'])
    .where('hold_id', '=', holdId)
    .execute();
  await transaction
    .updateTable('relayed_operations')
    .set({ state: 'ended', next_at: now + keptSeconds })
    .where('hold_id', '=', holdId)
    .where('user_operation_hash', '=', userOperationHash)
    .execute();
  if (rows.some((row) => row.user_operation_hash !== userOperationHash && row.state !== 'ended')) return;
  // No bundler has it and none gets it again: it counts like one that was not sent in time.
  await closeHolds(transaction, new Map([[holdId, { state: 'released', because: 'expired', now }]]));
  await recoverShortfalls(transaction, chainId, now);
}

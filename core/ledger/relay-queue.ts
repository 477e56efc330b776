import type { Address, Hex } from 'viem';
import type { Logger } from '../base/logger.ts';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import type { ChainClient } from '../node/chain-client.ts';
import type { BundledEvent } from '../node/relay/executor-transaction.ts';
import type { HandedOver, RelayBundler, WatchedRelay } from '../node/relay/watched-relay.ts';
import { dialectOf } from '../store/dialect-of.ts';
import type { Store } from '../store/store.ts';
import { closeHolds } from './holds/close-holds.ts';
import { operationKeyOf } from './holds/hold-request.ts';
import { keptSeconds, noteRelay, type RelayedKey, type RelayKey, readKeptRelay } from './holds/relayed-operations.ts';
import { markSent } from './operation-status/note-sent.ts';
import { hasMovedOn } from './releasing/prove-ended.ts';

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
export type RelayQueue = {
  /** A refusal releases the hold, unless its nonce has advanced: the operation may have landed then. */
  handOver(job: RelayJob): Promise<HandedOver>;
};

export function createRelayQueue({
  store,
  clock,
  logger,
}: {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
}): RelayQueue {
  return {
    async handOver(job) {
      const { contract, chainId, userOperationHash } = job;
      const kept = await readKeptRelay(store.db, job, unixSeconds(clock));
      if (kept === undefined) return endedBefore;
      // As it was first brought: a copy from someone else may have a signature that the bundler refuses.
      const { operation: operationJson, terms } = kept;
      const given = { operationJson, userOperationHash, entryPoint: contract as Address, terms };
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
async function releaseRelayed(
  transaction: Transaction,
  { userOperationHash, holdId }: RelayedKey,
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
}

type Ledger = Pick<Store, 'db'>;

/** What the ledger knows about a relay's operations, for the code that reads its blocks. */
export function watchRelay(
  ledger: Ledger,
  { executors, ...relay }: RelayKey & { readonly executors: readonly Address[] },
): WatchedRelay {
  return {
    executors,
    openOperations: async () => {
      const rows = await openRows(ledger, relay).execute();
      // Only hashes are ever stored there.
      return [...new Set(rows.map((row) => row.user_operation_hash as Hex))];
    },
    ourOperations: async (bundled) =>
      new Set([...(await byHash(ledger, relay, bundled)), ...(await byOperationKey(ledger, relay, bundled))]),
  };
}

async function byHash({ db }: Ledger, relay: RelayKey, bundled: readonly BundledEvent[]): Promise<readonly Hex[]> {
  const hashes = bundled.map(({ userOperationHash }) => userOperationHash);
  const rows = await db
    .selectFrom('relayed_operations')
    .select('user_operation_hash')
    .where('chain_id', '=', relay.chainId)
    .where('contract', '=', relay.contract)
    .where('user_operation_hash', 'in', dialectOf(db).texts(hashes))
    .execute();
  return rows.map((row) => row.user_operation_hash as Hex);
}

/**
 * An operation's hash changes once its account delegates to another contract (EntryPoint 0.8). So operations without fees
 * that use a nonce of an open hold belong to the ledger too: either their bytes are those of a hold, or they end it.
 */
async function byOperationKey(
  ledger: Ledger,
  relay: RelayKey,
  bundled: readonly BundledEvent[],
): Promise<readonly Hex[]> {
  const free = bundled.filter(({ paid }) => paid === 0n);
  if (free.length === 0) return [];
  const operationKeys = dialectOf(ledger.db).texts(free.map(operationKeyOf));
  const rows = await openRows(ledger, relay)
    .select('holds.operation_key')
    .where('holds.operation_key', 'in', operationKeys)
    .execute();
  const open = new Set(rows.map(({ operation_key }) => operation_key));
  return free.filter((one) => open.has(operationKeyOf(one))).map(({ userOperationHash }) => userOperationHash);
}

function openRows({ db }: Ledger, { chainId, contract }: RelayKey) {
  return db
    .selectFrom('relayed_operations as relayed')
    .innerJoin('holds', 'holds.hold_id', 'relayed.hold_id')
    .select('relayed.user_operation_hash')
    .where('relayed.chain_id', '=', chainId)
    .where('relayed.contract', '=', contract)
    .where('relayed.state', 'in', ['waiting', 'taken'])
    .where('holds.state', '=', 'live');
}

import { BaseError, getAddress, type Hex } from 'viem';
import type { ChainClient } from '../chain-client.ts';
import { type ChainEvent, type UserOperationLanded, userOperationEvent } from '../chain-event.ts';
import { type EventRange, inChainOrder, onChain, placeOf, within } from '../event-range.ts';
import { ifStateIsThere } from '../node-error.ts';
import { chargeTransactions } from './charge-transactions.ts';
import { readExecutorTransaction } from './executor-transaction.ts';
import { findActiveBlocks, readExecutorBlock } from './read-executor-block.ts';
import type { RelayPlace } from './watched-relay.ts';

/** Most operations in one event query. */
const hashesAtOnce = 200;

/**
 * Reads how a range of blocks changed a relay, in chain order: operations with their share of the bundle's cost, direct
 * transfers, and everything else that moved the executors' balances. An operation bundled by someone else costs nothing.
 *
 * Balances move without an event, so blocks are found by the executors' balances and nonces. If the node no longer has these
 * states, only the bundles of open operations are read, and the caller records the rest as one sum.
 */
export async function readRelayEvents(
  client: ChainClient,
  range: EventRange,
  relayed: Pick<RelayPlace, 'contract' | 'relay'>,
): Promise<readonly ChainEvent[]> {
  const location: RelayPlace = { entryPoint: range.entryPoint, ...relayed };
  const landed = await readLanded(client, range, location);
  const blocks = await ifStateIsThere(readBlocks(client, range, location));
  const { events, txHashes } = blocks ?? (await readBundles(client, location, landed));
  const reported = new Set(
    events.flatMap((event) => (event.kind === 'user-operation' ? [event.userOperationHash] : [])),
  );
  const others: UserOperationLanded[] = [];
  for (const operation of landed) {
    if (reported.has(operation.userOperationHash)) continue;
    if (txHashes.has(operation.txHash) || (await isOfExecutor(client, location, operation.txHash))) {
      throw new BaseError(`The node reports other operations of transaction ${operation.txHash} than before.`);
    }
    others.push(operation);
  }
  return [...events, ...others].sort(inChainOrder);
}

type ReadBlocks = { readonly events: readonly ChainEvent[]; readonly txHashes: ReadonlySet<Hex> };

async function readBlocks(client: ChainClient, range: EventRange, location: RelayPlace): Promise<ReadBlocks> {
  const events: ChainEvent[] = [];
  const txHashes = new Set<Hex>();
  for (const active of await findActiveBlocks(client, location.relay.executors, range)) {
    const block = await readExecutorBlock(client, location, active);
    events.push(...block.events);
    for (const hash of block.txHashes) txHashes.add(hash);
  }
  return { events, txHashes };
}

/** Reads only the EntryPoint's events for open operations, and the receipts of their bundles. */
async function readBundles(
  client: ChainClient,
  location: RelayPlace,
  landed: readonly UserOperationLanded[],
): Promise<ReadBlocks> {
  const txHashes = [...new Set(landed.map(({ txHash }) => txHash))];
  const bundles = await Promise.all(txHashes.map((hash) => readExecutorTransaction(client, location.entryPoint, hash)));
  const own = bundles.filter(({ from }) => location.relay.executors.includes(from));
  const charged = own.map((bundle) => ({ ...bundle, cost: bundle.fee }));
  const { events } = await chargeTransactions(location, charged, 0n);
  return { events, txHashes: new Set(own.map(({ txHash }) => txHash)) };
}

/** Open operations that have landed, in bundles of any sender. */
async function readLanded(
  client: ChainClient,
  range: EventRange,
  { contract, relay }: RelayPlace,
): Promise<readonly UserOperationLanded[]> {
  const open = await relay.openOperations();
  const found: UserOperationLanded[] = [];
  for (let start = 0; start < open.length; start += hashesAtOnce) {
    const logs = await client.getLogs({
      ...within(range),
      address: range.entryPoint,
      event: userOperationEvent,
      args: { userOpHash: open.slice(start, start + hashesAtOnce) },
    });
    for (const log of onChain(logs, range, range.entryPoint)) {
      found.push({
        kind: 'user-operation',
        relayed: true,
        contract,
        userOperationHash: log.args.userOpHash,
        sender: getAddress(log.args.sender),
        nonce: log.args.nonce,
        success: log.args.success,
        actualGasCost: 0n,
        ...placeOf(log),
      });
    }
  }
  return found;
}

async function isOfExecutor(client: ChainClient, { relay }: RelayPlace, hash: Hex): Promise<boolean> {
  const { from } = await client.getTransaction({ hash });
  return relay.executors.includes(getAddress(from));
}

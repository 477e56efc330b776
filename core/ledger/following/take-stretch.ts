import { setImmediate as nextTurn } from 'node:timers/promises';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Address, type Hex, isAddressEqual } from 'viem';
import { unixSeconds } from '../../base/time/clock.ts';
import { groupBy } from '../../base/values/group-by.ts';
import { readBundled } from '../../evm/entry-point/read-bundle.ts';
import { contentIds } from '../../evm/paymaster-contracts/family/content-id.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import type { ChainEvent, UserOperationLanded } from '../../node/chain-event.ts';
import type { SeenCoinPrice } from '../../quotes/last-coin-price.ts';
import { fixedStatement } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import type { Store } from '../../store/store.ts';
import { operationKeyOf } from '../holds/hold-request.ts';
import { isLive } from '../holds/live-holds.ts';
import { WatchMoved } from '../posting/pass-block.ts';
import { type ConfirmedStretch, postEvents } from '../posting/post-events.ts';
import { releaseExpired } from '../posting/release-expired.ts';
import type { Following } from './following.ts';

/** How far the price used for posting may be from the time of the blocks, in seconds. */
const maxPriceAge = 3_600;

type Ledger = Pick<Following, 'store' | 'clock' | 'logger' | 'coinPrice' | 'noteCostWithoutTank' | 'noteExpired'>;

/**
 * Posts the pieces of a stretch to the ledger of its contract, each in a transaction of its own, then releases the holds that had
 * expired at its end (`chainTime`, Unix seconds). False when another process has moved the watch meanwhile: the next stretch has
 * to be read from where the watch is now.
 */
export async function takeStretch(
  ledger: Ledger,
  pieces: readonly ConfirmedStretch[],
  chainTime: number,
): Promise<boolean> {
  const { store, logger } = ledger;
  const now = unixSeconds(ledger.clock);
  const price = omitAbsent({ coinPrice: priceAt(ledger, chainTime) });
  for (const piece of pieces) {
    const { chainId, contract } = piece;
    const stretch = { ...piece, ...price };
    try {
      const unexplained = await store.transaction((transaction) => postEvents(transaction, stretch, now));
      for (const operation of unexplained) reportUnexplained(ledger, stretch, operation);
    } catch (cause) {
      if (!(cause instanceof WatchMoved)) throw cause;
      logger.warn({ err: cause, chainId, contract }, 'Another process writes to this ledger');
      return false;
    }
    await nextTurn();
  }
  const [first] = pieces;
  const ended = first && { chainId: first.chainId, contract: first.contract, chainTime };
  for (let more = ended !== undefined; more && ended !== undefined; await nextTurn()) {
    const expired = await store.transaction((transaction) => releaseExpired(transaction, ended, now));
    ledger.noteExpired?.(ended.contract, expired.released);
    more = expired.more;
  }
  return true;
}

/** The last price that was seen, unless it is from another time than the blocks. */
function priceAt({ coinPrice }: Pick<Ledger, 'coinPrice'>, chainTime: number): SeenCoinPrice | undefined {
  const last = coinPrice?.last();
  return last === undefined || Math.abs(last.at - chainTime) > maxPriceAge ? undefined : last;
}

function reportUnexplained(
  { logger, noteCostWithoutTank }: Ledger,
  { chainId, contract }: ConfirmedStretch,
  { userOperationHash, charge, actualGasCost, relayed }: UserOperationLanded,
): void {
  // Its hold is deleted by now, or never existed: the operator bears what it cost.
  if (relayed === true) {
    logger.warn({ chainId, contract, userOperationHash }, 'A relayed operation has no hold; the operator pays for it');
    return;
  }
  if (charge === undefined) noteCostWithoutTank?.(contract, actualGasCost);
  logger.warn(
    { chainId, contract, userOperationHash },
    'An operation was paid by the paymaster contract but has no hold',
  );
}

/**
 * Adds the names of what they carry to operations whose hash no hold has, where a hold may be theirs: without them, two tanks
 * that have signed or relayed for the same nonce cannot be distinguished.
 */
export async function nameUnknownOperations(
  store: Store,
  node: ChainClient,
  { entryPoint, events }: { readonly entryPoint: Address; readonly events: readonly ChainEvent[] },
): Promise<readonly ChainEvent[]> {
  const operations = events.filter((event) => event.kind === 'user-operation');
  const unknown = await findUnknown(store, operations);
  const named: ChainEvent[] = [];
  for (const event of events) {
    const isUnknown = event.kind === 'user-operation' && unknown.has(event);
    named.push(
      isUnknown ? { ...event, ...omitAbsent({ contentIds: await readContentIds(node, entryPoint, event) }) } : event,
    );
  }
  return named;
}

/** Operations for whose nonce there are live holds, none of which has its hash among its signatures. */
async function findUnknown(
  store: Store,
  operations: readonly UserOperationLanded[],
): Promise<ReadonlySet<UserOperationLanded>> {
  const operationKeys = [...new Set(operations.map(operationKeyOf))];
  const hashes = operations.map(({ userOperationHash }) => userOperationHash);
  const [rows] = await runTogether(
    store.db,
    signedAt(operationKeys.length === 0 ? undefined : { operationKeys, hashes }),
  );
  const byOperationKey = groupBy(rows, ({ operation_key }) => operation_key);
  return new Set(
    operations.filter((operation) => {
      const signed = byOperationKey.get(operationKeyOf(operation)) ?? [];
      return signed.length > 0 && signed.every(({ hash }) => hash !== operation.userOperationHash);
    }),
  );
}

/** The live holds of senders and nonces, each with those of the hashes that are among its signatures. */
const signedAt = fixedStatement<{ readonly operationKeys: readonly string[]; readonly hashes: readonly string[] }>()(
  ({ db, texts, isOneOf }) =>
    db
      .selectFrom('holds')
      .leftJoin('signatures', (join) =>
        join
          .onRef('signatures.hold_id', '=', 'holds.hold_id')
          .on('signatures.user_operation_hash', 'in', texts('hashes')),
      )
      .select(['holds.operation_key', 'signatures.user_operation_hash as hash'])
      .where(isOneOf('holds.operation_key', 'operationKeys'))
      .where(isLive),
);

/**
 * What a landed operation carries, according to the input of its transaction; undefined when a contract has called the
 * EntryPoint, because the input need not show it then. An EntryPoint accepts no bundle inside another one, so there is no
 * second operation of the same sender and nonce.
 */
async function readContentIds(
  client: ChainClient,
  entryPoint: Address,
  { txHash, sender, nonce }: UserOperationLanded,
): Promise<readonly Hex[] | undefined> {
  const { to, input } = await client.getTransaction({ hash: txHash });
  if (to === null || !isAddressEqual(to, entryPoint)) return undefined;
  const bundled = readBundled(input, { sender, nonce });
  return bundled === undefined ? undefined : contentIds(bundled);
}

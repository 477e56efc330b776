import type { Address, Hex } from 'viem';
import type { BundledEvent } from '../../node/relay/executor-transaction.ts';
import type { WatchedRelay } from '../../node/relay/watched-relay.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import type { Store } from '../../store/store.ts';
import { slotOf } from '../holds/ledger-identities.ts';
import type { RelayKey } from '../holds/relayed-operations.ts';

type Ledger = Pick<Store, 'db'>;

/** What the ledger knows about a relay's operations, for the code that reads its blocks. */
export function watchRelay(
  books: Ledger,
  { executors, ...relay }: RelayKey & { readonly executors: readonly Address[] },
): WatchedRelay {
  return {
    executors,
    openOperations: async () => {
      const rows = await openRows(books, relay).execute();
      // Only hashes are ever stored there.
      return [...new Set(rows.map((row) => row.user_operation_hash as Hex))];
    },
    ourOperations: async (bundled) =>
      new Set([...(await byHash(books, relay, bundled)), ...(await bySlot(books, relay, bundled))]),
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
 * An operation's hash changes once its account delegates to another contract (EntryPoint 0.8). The only operations without
 * fees that executors carry are those accepted for relaying, one for each sender and nonce.
 */
async function bySlot(books: Ledger, relay: RelayKey, bundled: readonly BundledEvent[]): Promise<readonly Hex[]> {
  const free = bundled.filter(({ isFree }) => isFree);
  if (free.length === 0) return [];
  const slots = dialectOf(books.db).texts(free.map(slotOf));
  const rows = await openRows(books, relay).select('holds.slot').where('holds.slot', 'in', slots).execute();
  const open = new Set(rows.map(({ slot }) => slot));
  return free.filter((one) => open.has(slotOf(one))).map(({ userOperationHash }) => userOperationHash);
}

function openRows({ db }: Ledger, { chainId, contract }: RelayKey) {
  return db
    .selectFrom('relayed_operations as relayed')
    .innerJoin('holds', 'holds.hold_id', 'relayed.hold_id')
    .select('relayed.user_operation_hash')
    .where('relayed.chain_id', '=', chainId)
    .where('relayed.contract', '=', contract)
    .where('relayed.state', 'in', ['waiting', 'taken'])
    .where('relayed.authority', 'is', null)
    .where('holds.state', '=', 'live');
}

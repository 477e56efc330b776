import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Address, type Hex, isAddressEqual } from 'viem';
import { readBundled } from '../../evm/entry-point/read-bundle.ts';
import { carriedNames } from '../../evm/paymaster-contracts/family/carried-name.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import type { ChainEvent, UserOperationLanded } from '../../node/chain-event.ts';
import type { Store } from '../../store/store.ts';
import { slotOf } from '../holds/ledger-identities.ts';

/**
 * Adds the hash of what they carry to operations that no signature has, where a hold may be theirs: without it, two tanks
 * that have signed for the same nonce cannot be told apart.
 */
export async function nameUnknownOperations(
  store: Store,
  node: ChainClient,
  { entryPoint, events }: { readonly entryPoint: Address; readonly events: readonly ChainEvent[] },
): Promise<readonly ChainEvent[]> {
  const named: ChainEvent[] = [];
  for (const event of events) {
    const isNamed = event.kind !== 'user-operation' || event.relayed === true;
    const isUnknown = !isNamed && (await isUnknownOfHolds(store, event));
    named.push(
      isUnknown
        ? { ...event, ...omitAbsent({ carriedNames: await readCarriedNames(node, entryPoint, event) }) }
        : event,
    );
  }
  return named;
}

/** Whether there are live holds for the operation's nonce, none of which has its hash among its signatures. */
async function isUnknownOfHolds(store: Store, event: UserOperationLanded): Promise<boolean> {
  const rows = await store.db
    .selectFrom('holds')
    .leftJoin('signatures', (join) =>
      join
        .onRef('signatures.hold_id', '=', 'holds.hold_id')
        .on('signatures.user_operation_hash', '=', event.userOperationHash),
    )
    .select('signatures.hold_id as signed')
    .where('holds.slot', '=', slotOf(event))
    .where('holds.state', '=', 'live')
    .execute();
  return rows.length > 0 && rows.every(({ signed }) => signed === null);
}

/**
 * What a landed operation carries, according to the input of its transaction; undefined when a contract has called the
 * EntryPoint, because the input need not show it then. An EntryPoint accepts no bundle inside another one, so there is no
 * second operation of the same sender and nonce.
 */
async function readCarriedNames(
  client: ChainClient,
  entryPoint: Address,
  { txHash, sender, nonce }: UserOperationLanded,
): Promise<readonly Hex[] | undefined> {
  const { to, input } = await client.getTransaction({ hash: txHash });
  if (to === null || !isAddressEqual(to, entryPoint)) return undefined;
  const bundled = readBundled(input, { sender, nonce });
  return bundled === undefined ? undefined : carriedNames(bundled);
}

import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Hex } from 'viem';
import { type Clock, unixSeconds, utcTime } from '../../base/time/clock.ts';
import type { ReleasedHold } from '../../domain/ledger-report.ts';
import { accept, invalidField, type Result, refuse } from '../../domain/result/result.ts';
import { createNodeClients } from '../../node/chain-client.ts';
import { type ChainRelay, contractsOf, type FollowedChain } from '../../node/followed-chain.ts';
import { machineTimes } from '../../node/rpc/create-endpoint.ts';
import type { Store } from '../../store/store.ts';
import { fromWeiText } from '../../store/wei.ts';
import { closeHolds } from '../holds/close-holds.ts';
import { readRelayedUnder } from '../holds/relayed-operations.ts';
import { readWatch } from '../read-watch.ts';
import { checkReason } from '../tanks/adjust-tank.ts';
import { type LedgerPosition, proveEnded } from './prove-ended.ts';
import { type HoldToRelease, readHold } from './read-open-holds.ts';

type Parts = { readonly store: Store; readonly chains: ReadonlyMap<number, FollowedChain>; readonly clock: Clock };

/** `reversals` is how often it had been rolled back. */
type Ledger = LedgerPosition & { readonly reversals: number };

/**
 * Releases a hold for the operator, if ledger and chain show that nothing can land under it any more, or for a relayed one the
 * bundler. `INVALID_FIELD` says why not and when; `CHAIN_UNAVAILABLE` while a node or the bundler does not answer, or ledger
 * and chain differ.
 */
export async function releaseHold(
  parts: Parts,
  { chainId, holdId, reason }: { readonly chainId: number; readonly holdId: number; readonly reason: string },
): Promise<Result<ReleasedHold>> {
  const { store, chains } = parts;
  const chain = chains.get(chainId);
  if (chain === undefined) return invalidField('chainId', 'must be a chain of the configuration');
  const faulty = checkReason(reason);
  if (faulty !== undefined) return faulty;
  // The newest confirmed block shows the most; if the ledger cannot follow, ledger and chain are compared as they are.
  await chain.watcher.catchUp().catch(() => undefined);
  const hold = await readHold(store.db, chainId, holdId);
  if (hold === undefined) return invalidField('holdId', 'must be of a hold of the chain');
  if (hold.state !== 'live') return hasEnded(hold);
  const contracts = contractsOf(chain).filter(({ location }) => location.address === hold.contract);
  if (contracts.length === 0) {
    return invalidField('holdId', `must be of a configured contract: operations for ${hold.contract} are not followed`);
  }
  const ledger = await readLedgers(store, hold);
  if (ledger === undefined) return notRead;
  const nodes = createNodeClients(chain.config, machineTimes, omitAbsent({ guards: chain.guards }));
  const proven = await proveEnded({ nodes, contracts, hold, ledger });
  const shown = proven.ok || chain.relay === undefined ? proven : await askRelay(store, chain.relay, hold, proven);
  return shown.ok ? release(parts, { hold, ledger, byOperator: { reason, ground: shown.value } }) : shown;
}

/**
 * A bundler that does not have what was relayed under a hold cannot land it: asked for each operation by its hash. Otherwise
 * `unproven`, and what is missing.
 */
async function askRelay(
  { db }: Store,
  { bundler, contract }: ChainRelay,
  hold: HoldToRelease,
  unproven: Result<string>,
): Promise<Result<string>> {
  if (hold.contract !== contract.location.address) return unproven;
  for (const hash of await readRelayedUnder(db, hold.holdId)) {
    const isThere = await bundler.has(hash);
    if (isThere === undefined) {
      const message = `The bundler does not say whether it has the operation ${hash}.`;
      return refuse({ reason: 'CHAIN_UNAVAILABLE', message });
    }
    if (isThere) {
      const end = hold.validUntil === undefined ? '' : `, and is released at ${utcTime(hold.validUntil)} at the latest`;
      const must = 'must be of a hold under which nothing can land any more';
      return invalidField('holdId', `${must}: the bundler has the operation ${hash}. It ends with that one${end}.`);
    }
  }
  return accept('the bundler has none of its operations');
}

async function readLedgers({ db }: Store, { chainId, contract }: HoldToRelease): Promise<Ledger | undefined> {
  const row = await db
    .selectFrom('contract_watches as watch')
    .innerJoin('contract_totals as total', (join) =>
      join.onRef('watch.chain_id', '=', 'total.chain_id').onRef('watch.contract', '=', 'total.contract'),
    )
    .select(['watch.next_block', 'watch.last_hash', 'watch.reversals', 'total.deposit'])
    .where('watch.chain_id', '=', chainId)
    .where('watch.contract', '=', contract)
    .executeTakeFirst();
  if (row === undefined || row.last_hash === '') return undefined;
  const { next_block, last_hash, reversals, deposit } = row;
  // Only hashes of blocks are ever stored there.
  const lastHash = last_hash as Hex;
  return { atBlock: BigInt(next_block) - 1n, lastHash, reversals, deposit: fromWeiText(deposit) };
}

/** As long as it is unchanged since it was checked, in a ledger that has not been rolled back. */
async function release(
  { store, clock }: Parts,
  shown: {
    readonly hold: HoldToRelease;
    readonly ledger: Ledger;
    readonly byOperator: { reason: string; ground: string };
  },
): Promise<Result<ReleasedHold>> {
  const { hold, ledger, byOperator } = shown;
  const now = unixSeconds(clock);
  return store.transaction(async (transaction) => {
    const current = await readHold(transaction, hold.chainId, hold.holdId);
    if (current?.state !== 'live') return hasEnded(current ?? hold);
    const watch = await readWatch(transaction, hold);
    const isSame = current.validUntil === hold.validUntil && current.signers?.join() === hold.signers?.join();
    if (!isSame || watch?.reversals !== ledger.reversals) return hasChanged;
    const end = { state: 'released', because: 'operator', byOperator, now } as const;
    await closeHolds(transaction, new Map([[current.holdId, end]]));
    const { holdId, sender, nonce, amount } = current;
    return accept({ holdId, sender, nonce, amount, ground: byOperator.ground });
  });
}

function hasEnded({ state }: HoldToRelease) {
  const how = state === 'settled' ? 'its operation has landed' : 'it was released';
  return invalidField('holdId', `must be of an open hold: ${how} already`);
}

const hasChanged = refuse({
  reason: 'CHAIN_UNAVAILABLE',
  message: 'The hold or its ledger changed during the check. Try again.',
});

const notRead = refuse({
  reason: 'CHAIN_UNAVAILABLE',
  message: 'The ledger of the contract has not been read from the chain yet.',
});

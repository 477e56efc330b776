import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Kysely, Transaction } from 'kysely';
import type { Address } from 'viem';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import type { QuestionWidth } from '../../node/event-range.ts';
import type { Watched } from '../../node/followed-chain.ts';
import type { LastCoinPrice } from '../../quotes/last-coin-price.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import type { Store } from '../../store/store.ts';

/**
 * Why the ledger of a contract is not up to date with the chain. `node`: it did not answer. `differs`: what all nodes say
 * does not add up to the deposit on chain. `off-chain`: the ledger contains a block that is not on the chain any more.
 * `refused`: the ledger does not accept what the chain says. `reading`: there is still much to read.
 */
export type Behind = {
  readonly kind: 'node' | 'differs' | 'off-chain' | 'refused' | 'reading';
  /** To be read by people: a clause without a full stop. */
  readonly text: string;
  readonly cause?: unknown;
};

export type BehindByContract = ReadonlyMap<Address, Behind>;

export const nodeIsAway: Omit<Behind, 'cause'> = { kind: 'node', text: 'the chain could not be read' };
export const ledgerRefuses: Omit<Behind, 'cause'> = {
  kind: 'refused',
  text: 'the ledger does not accept what the chain reports. The log has the cause',
};
export const stillReading: Behind = { kind: 'reading', text: 'the ledger is catching up with the chain' };

/** What the ledgers of an EntryPoint's contracts need to follow the chain. */
export type Following = {
  readonly chainId: number;
  /** Each of the chain's nodes on its own, the preferred one first. */
  readonly nodes: readonly ChainClient[];
  readonly watched: Watched;
  /** The newest block that counts as confirmed. */
  readonly confirmed: bigint;
  readonly startBlock: bigint;
  readonly width: QuestionWidth;
  readonly patience: Patience;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Requested when something is posted, and not awaited. */
  readonly coinPrice?: Pick<LastCoinPrice, 'last'>;
  /** Called with the cost in wei of each operation that the contract paid for and no tank signed. */
  readonly noteCostWithoutTank?: (contract: Address, cost: bigint) => void;
  /** How many holds have ended because nothing landed in time. */
  readonly noteExpired?: (contract: Address, holds: number) => void;
  readonly isClosed: () => boolean;
};

/** How long other nodes, or the same one later, are asked for events that may be missing, in milliseconds. */
const patienceMs = 30_000;

/** Doubts that may be caused by something without an event: they delay a contract's ledger for a while, but not forever. */
type Patience = {
  /** Whether the contract's events from this block on have been doubted for long enough. */
  isOver(contract: Address, fromBlock: bigint): boolean;
};

export function createPatience(clock: Clock): Patience {
  const doubted = new Map<Address, { readonly fromBlock: bigint; readonly since: number }>();
  return {
    isOver: (contract, fromBlock) => {
      const known = doubted.get(contract);
      const now = clock.now();
      // Starts again when a clock that was ahead was set back.
      const since = known?.fromBlock === fromBlock ? Math.min(known.since, now) : now;
      doubted.set(contract, { fromBlock, since });
      return now - since >= patienceMs;
    },
  };
}

/**
 * The state of a contract's ledger: in step with the chain, catching up, or in a state in which nothing may be signed, with
 * the reason in words.
 */
export type LedgerState =
  | { readonly state: 'kept' | 'reading'; readonly fault?: never }
  | { readonly state: 'stopped'; readonly fault: string };

/** The state as it was published: how long ago, in milliseconds by the clock of the database. */
type PublishedState = LedgerState & { readonly age: number };

/** The states of one chain's ledgers, by contract, and the settings they are kept with. */
export type PublishedLedger = {
  readonly states: ReadonlyMap<string, PublishedState>;
  readonly settings?: string;
};

/** Writes the state of a chain's ledgers, for the other processes that use the database. */
export async function writeLedgerStates(
  trx: Transaction<Database>,
  { chainId, states, settings }: Reported,
): Promise<void> {
  const reported = { told_at: dialectOf(trx).now };
  for (const [contract, { state, fault = null }] of states) {
    await trx
      .insertInto('ledger_states')
      .values({ chain_id: chainId, contract, state, fault, ...reported })
      .onConflict((conflict) => conflict.columns(['chain_id', 'contract']).doUpdateSet({ state, fault, ...reported }))
      .execute();
  }
  await trx
    .insertInto('chain_settings')
    .values({ chain_id: chainId, settings })
    .onConflict((conflict) => conflict.column('chain_id').doUpdateSet({ settings }))
    .execute();
}

type Reported = {
  readonly chainId: number;
  readonly states: ReadonlyMap<Address, LedgerState>;
  readonly settings: string;
};

/** Reads the published state of a chain's ledgers. */
export async function readPublishedStates(db: Kysely<Database>, chainId: number): Promise<PublishedLedger> {
  const { now } = dialectOf(db);
  const rows = await db
    .selectFrom('ledger_states')
    .select(['contract', 'state', 'fault', 'told_at', now.as('now')])
    .where('chain_id', '=', chainId)
    .execute();
  const kept = await db
    .selectFrom('chain_settings')
    .select('settings')
    .where('chain_id', '=', chainId)
    .executeTakeFirst();
  const states = new Map(rows.map((row) => [row.contract, { ...toLedgerState(row), age: row.now - row.told_at }]));
  return { states, ...omitAbsent({ settings: kept?.settings }) };
}

function toLedgerState({ state, fault }: { state: LedgerState['state']; fault: string | null }): LedgerState {
  return state === 'stopped' ? { state, fault: fault ?? '' } : { state };
}

import type { Kysely } from 'kysely';
import type { Address } from 'viem';
import type { EventPosition } from '../node/chain-event.ts';
import { worthUsdMicros } from '../policies/worth-usd.ts';
import type { SeenCoinPrice } from '../quotes/last-coin-price.ts';
import type { Database } from '../store/database.ts';
import type { EntryKind } from '../store/ledger-tables.ts';
import { fixedStatement, type RowOf, type Statement } from '../store/statements/fixed-statement.ts';
import { insertRows, updateRows } from '../store/statements/row-statements.ts';
import { runTogether } from '../store/statements/run-together.ts';
import { fromWeiText, toSignedWeiText, toWeiText } from '../store/wei.ts';

/** When something is posted, in Unix seconds, and what the chain's coin is worth then; absent when that is not known. */
export type PostedAt = { readonly now: number; readonly coinPrice?: SeenCoinPrice };

/** What one event did, or the operator: see the table. */
export type JournalEntry = {
  readonly kind: EntryKind;
  /** The tank that it is posted to; null when none explains it. */
  readonly tankId: number | null;
  /** Wei that the tank gains or pays, or no longer holds. */
  readonly amount: bigint;
  /** Wei that the contract's deposit gains or loses by it. */
  readonly moved: bigint;
  readonly holdId?: number;
  /** For a settlement: the part of the amount that users paid for in tokens, in wei. */
  readonly usersPaid?: bigint;
  /** The operator's. */
  readonly reason?: string;
  /** For a deposit: who sent its transaction, if that is known. */
  readonly sender?: Address | undefined;
  /** Where it is on the chain; an entry by the operator may stand for the deposits of a transaction. */
  readonly at?: EventPosition | { readonly txHash: string };
};

/**
 * A contract's journal while entries are posted: its deposit is read once, and all entries are written in one round trip with it.
 */
export type Journal = {
  readonly contractId: number;
  /** How often the contract's ledger has been rolled back: this distinguishes events that come again afterwards. */
  readonly reversals: number;
  /** The deposit including all entries posted so far, in wei. */
  deposit: bigint;
  readonly rows: Parameters<typeof insertEntries>[0][number][];
};

/** What events are posted with. */
export type Posting = PostedAt & { readonly journal: Journal };

/** Reads what is needed to post to the journal of a contract. */
export async function openJournal(db: Kysely<Database>, chainId: number, contract: string): Promise<Journal> {
  const [rows] = await runTogether(db, journalOf({ chainId, contract }));
  return toJournal(rows);
}

/** The journal of a contract, by the row of {@link journalOf}. */
export function toJournal([row]: readonly RowOf<typeof journalOf>[]): Journal {
  if (row === undefined) throw new Error('A contract has no journal.');
  const { contract_id: contractId, reversals, deposit } = row;
  return { contractId, reversals: reversals ?? 0, deposit: fromWeiText(deposit), rows: [] };
}

/** What is needed to post to the journal of a contract. */
export const journalOf = fixedStatement<{ readonly chainId: number; readonly contract: string }>()(({ db, value }) =>
  db
    .selectFrom('contract_totals as total')
    .leftJoin('contract_watches as watch', (join) =>
      join.onRef('watch.chain_id', '=', 'total.chain_id').onRef('watch.contract', '=', 'total.contract'),
    )
    .select(['total.contract_id', 'total.deposit', 'watch.reversals'])
    .where('total.chain_id', '=', value('chainId'))
    .where('total.contract', '=', value('contract')),
);

/** The contract's deposit according to its journal, in wei. Below 0 only for a contract whose deposits are not all known. */
export async function journalDeposit(db: Kysely<Database>, chainId: number, contract: string): Promise<bigint> {
  return (await openJournal(db, chainId, contract)).deposit;
}

/** What an entry adds to the contract's deposit, in wei. */
export function addedToDeposit({ kind, moved }: Pick<JournalEntry, 'kind' | 'moved'>): bigint {
  return kind === 'deposit' ? moved : -moved;
}

/** Adds one entry to the journal. `journalWrites` store it. */
export function post(entry: JournalEntry, { journal, now, coinPrice }: Posting): void {
  const { kind, tankId, amount, moved, holdId, usersPaid = 0n, reason, sender, at } = entry;
  const place = at !== undefined && 'blockNumber' in at ? at : undefined;
  const worth =
    place !== undefined && tankId !== null && kind !== 'release' ? usdWhenPosted(amount, coinPrice) : undefined;
  journal.deposit += addedToDeposit(entry);
  journal.rows.push({
    contract_id: journal.contractId,
    tank_id: tankId,
    kind,
    amount: toWeiText(amount),
    moved: toWeiText(moved),
    hold_id: holdId ?? null,
    reason: reason ?? null,
    sender: sender ?? null,
    block_number: place === undefined ? null : Number(place.blockNumber),
    tx_hash: at?.txHash ?? null,
    log_index: place?.logIndex ?? null,
    reversal: place === undefined ? 0 : journal.reversals,
    reverses: null,
    users_paid: usersPaid === 0n ? null : toWeiText(usersPaid),
    usd_micros: worth?.usd_micros ?? null,
    usd_micros_per_coin: worth?.usd_micros_per_coin ?? null,
    priced_at: worth?.priced_at ?? null,
    created_at: now,
  });
}

/** Statements that store the deposit and the entries that were posted, in their order. */
export function journalWrites({ contractId, deposit, rows }: Journal): readonly Statement<unknown>[] {
  if (rows.length === 0) return [];
  return [setDeposits([{ deposit: toSignedWeiText(deposit), contract_id: contractId }]), insertEntries(rows)];
}

const setDeposits = updateRows('contract_totals', { deposit: 'text' }, { contract_id: 'number' });

const insertEntries = insertRows('journal', {
  contract_id: 'number',
  tank_id: 'number',
  kind: 'text',
  amount: 'text',
  moved: 'text',
  hold_id: 'number',
  reason: 'text',
  sender: 'text',
  block_number: 'number',
  tx_hash: 'text',
  log_index: 'number',
  reversal: 'number',
  reverses: 'number',
  users_paid: 'text',
  usd_micros: 'number',
  usd_micros_per_coin: 'number',
  priced_at: 'number',
  created_at: 'number',
});

/** What wei were worth, in millionths of a USD, as the columns of an entry. */
type PostedUsd = {
  readonly usd_micros: number;
  readonly usd_micros_per_coin: number;
  readonly priced_at: number;
};

/** Undefined without a price, and where the numbers exceed any real one. */
export function usdWhenPosted(wei: bigint, price: SeenCoinPrice | undefined): PostedUsd | undefined {
  if (price === undefined) return undefined;
  const { usdMicrosPerCoin, at } = price;
  const usdMicros = worthUsdMicros(wei, usdMicrosPerCoin);
  if (usdMicros > Number.MAX_SAFE_INTEGER || usdMicrosPerCoin > Number.MAX_SAFE_INTEGER) return undefined;
  return { usd_micros: Number(usdMicros), usd_micros_per_coin: Number(usdMicrosPerCoin), priced_at: at };
}

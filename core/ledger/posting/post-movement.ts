import type { Kysely, Transaction } from 'kysely';
import type { Address } from 'viem';
import type { EventPosition } from '../../node/chain-event.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement } from '../../store/statements/fixed-statement.ts';
import { updateRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromSignedWeiText, toSignedWeiText, toWeiText } from '../../store/wei.ts';
import type { Booking } from '../insert-entry.ts';
import { rollbacksOfContract } from '../reversals.ts';

/** A change of a contract's deposit, in wei; `tankId` is the tank it is posted to, null when none explains it. */
type Movement = {
  readonly kind: 'deposit' | 'withdrawal' | 'cost';
  readonly amount: bigint;
  readonly tankId: number | null;
  /** For a deposit: who sent its transaction, if that is known. */
  readonly sender?: Address;
  readonly at: EventPosition;
};

/**
 * A contract's journal while its events are posted: the deposit is read once, and all movements are written in one round
 * trip.
 */
export type Journal = {
  readonly chainId: number;
  readonly contract: string;
  /** In wei; undefined until it is needed. */
  deposit: bigint | undefined;
  readonly movements: MovementRow[];
};

/** What events are posted with. */
export type Posting = Booking & { readonly journal: Journal };

export function openJournal(chainId: number, contract: string): Journal {
  return { chainId, contract, deposit: undefined, movements: [] };
}

/** The deposit including all movements posted so far, in wei. */
export async function depositSoFar(transaction: Transaction<Database>, journal: Journal): Promise<bigint> {
  const { chainId, contract, deposit } = journal;
  return deposit ?? journalDeposit(transaction, chainId, contract);
}

/** Adds one change of the deposit to the journal. `writeJournal` stores it. */
export async function postMovement(
  transaction: Transaction<Database>,
  { kind, amount, tankId, sender, at }: Movement,
  { journal, now }: Posting,
): Promise<void> {
  const before = await depositSoFar(transaction, journal);
  journal.deposit = kind === 'deposit' ? before + amount : before - amount;
  const { chainId, contract } = journal;
  journal.movements.push({
    ...{ chainId, contract, kind, tankId, amount: toWeiText(amount), now },
    ...{ blockNumber: Number(at.blockNumber), txHash: at.txHash, logIndex: at.logIndex },
    sender: sender ?? null,
  });
}

/** Stores what was posted. */
export async function writeJournal(
  transaction: Transaction<Database>,
  { chainId, contract, deposit, movements }: Journal,
): Promise<void> {
  if (deposit === undefined) return;
  await runTogether(
    transaction,
    setDeposits([{ deposit: toSignedWeiText(deposit), chain_id: chainId, contract }]),
    ...movements.map(insertMovement),
  );
}

const setDeposits = updateRows('contract_totals', { deposit: 'text' }, { chain_id: 'number', contract: 'text' });

type MovementRow = Pick<Movement, 'kind' | 'tankId'> & {
  readonly chainId: number;
  readonly contract: string;
  readonly amount: string;
  readonly blockNumber: number;
  readonly txHash: string;
  readonly logIndex: number;
  readonly sender: string | null;
  readonly now: number;
};

const insertMovement = fixedStatement<MovementRow>()(({ db, value }) =>
  db.insertInto('movements').values({
    chain_id: value('chainId'),
    contract: value('contract'),
    kind: value('kind'),
    amount: value('amount'),
    tank_id: value('tankId'),
    block_number: value('blockNumber'),
    tx_hash: value('txHash'),
    log_index: value('logIndex'),
    created_at: value('now'),
    sender: value('sender'),
    rewind: rollbacksOfContract(value('chainId'), value('contract')),
  }),
);

/** The contract's deposit according to its journal, in wei. Below 0 only for a contract whose deposits are not all known. */
export async function journalDeposit(db: Kysely<Database>, chainId: number, contract: string): Promise<bigint> {
  const [[row]] = await runTogether(db, depositOf({ chainId, contract }));
  if (row === undefined) throw new Error('A contract has no journal.');
  return fromSignedWeiText(row.deposit);
}

const depositOf = fixedStatement<Pick<MovementRow, 'chainId' | 'contract'>>()(({ db, value }) =>
  db
    .selectFrom('contract_totals')
    .select('deposit')
    .where('chain_id', '=', value('chainId'))
    .where('contract', '=', value('contract')),
);

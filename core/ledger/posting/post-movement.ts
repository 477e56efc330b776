import type { Kysely, Transaction } from 'kysely';
import type { Address } from 'viem';
import type { EventPosition } from '../../node/chain-event.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement } from '../../store/statements/fixed-statement.ts';
import { updateRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromSignedWeiText, toSignedWeiText } from '../../store/wei/signed-wei-text.ts';
import { toWeiText } from '../../store/wei/wei-text.ts';
import { rollbacksOfContract } from '../reversals/current-rollback.ts';

/** A change of a contract's deposit, in wei; `tankId` is the tank it is booked on, null when none explains it. */
type Movement = {
  readonly chainId: number;
  readonly contract: string;
  readonly kind: 'deposit' | 'withdrawal' | 'cost';
  readonly amount: bigint;
  readonly tankId: number | null;
  /** Of a deposit: who sent its transaction, where that is known. */
  readonly sender?: Address;
  readonly at: EventPosition;
};

/** Writes one change of a contract's deposit into its journal and into the sum of it. */
export async function postMovement(transaction: Transaction<Database>, movement: Movement, now: number): Promise<void> {
  const before = await journalDeposit(transaction, movement.chainId, movement.contract);
  const after = movement.kind === 'deposit' ? before + movement.amount : before - movement.amount;
  const { chainId, contract, kind, tankId, at } = movement;
  await runTogether(
    transaction,
    setDeposits([{ deposit: toSignedWeiText(after), chain_id: chainId, contract }]),
    insertMovement({
      ...{ chainId, contract, kind, tankId, amount: toWeiText(movement.amount), now },
      ...{ blockNumber: Number(at.blockNumber), txHash: at.txHash, logIndex: at.logIndex },
      sender: movement.sender ?? null,
    }),
  );
}

const setDeposits = updateRows('contract_totals', { deposit: 'text' }, { chain_id: 'number', contract: 'text' });

type MovementRow = Pick<Movement, 'chainId' | 'contract' | 'kind' | 'tankId'> & {
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

/** The contract's deposit as its journal has it, in wei. Below 0 only of a contract whose deposits are not all known. */
export async function journalDeposit(db: Kysely<Database>, chainId: number, contract: string): Promise<bigint> {
  const [[row]] = await runTogether(db, depositOf({ chainId, contract }));
  if (row === undefined) throw new Error('A contract has no journal.');
  return fromSignedWeiText(row.deposit);
}

const depositOf = fixedStatement<Pick<Movement, 'chainId' | 'contract'>>()(({ db, value }) =>
  db
    .selectFrom('contract_totals')
    .select('deposit')
    .where('chain_id', '=', value('chainId'))
    .where('contract', '=', value('contract')),
);

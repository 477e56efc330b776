import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Transaction } from 'kysely';
import type { Address, Hex } from 'viem';
import { encodeDecisionRecord } from '../../core/decisions/decision-record.ts';
import { type DecisionReading, manageDecisions } from '../../core/decisions/manage-decisions.ts';
import type { DecisionRetention } from '../../core/decisions/pruning/prune-decisions.ts';
import type { Owned } from '../../core/domain/access/actor.ts';
import type { DecidedCall, DecisionMethod, DecisionOutcome, ListedCalls } from '../../core/domain/decision.ts';
import type { SponsorshipMode } from '../../core/domain/sponsorship.ts';
import { journalWrites, openJournal, post } from '../../core/ledger/journal.ts';
import { sweep } from '../../core/runtime/upkeep.ts';
import type { Database } from '../../core/store/database.ts';
import { openStore } from '../../core/store/open-store.ts';
import { runTogether } from '../../core/store/statements/run-together.ts';
import type { Store } from '../../core/store/store.ts';
import { toWeiText } from '../../core/store/wei.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';
import { testDatabase } from '../support/store/test-database.ts';

export const chainId = 31_337;
export const day = 86_400;
/** Noon of 15 January 2027 (UTC), the time at which every test starts, in Unix seconds. */
export const noon = Date.UTC(2027, 0, 15, 12) / 1_000;

/** Rows of one statement, which can have so many parameters. */
const rowsAtOnce = 500;

export type TestDecision = {
  readonly decisionId?: string;
  readonly paymasterId?: string;
  readonly decidedAt?: number;
  readonly method?: DecisionMethod;
  readonly outcome?: DecisionOutcome;
  readonly mode?: SponsorshipMode;
  readonly reason?: string;
  readonly sender?: Address;
  readonly token?: Address;
  /** The key of the paymaster that the request came with; its own when absent. */
  readonly keyNumber?: number;
  readonly calls?: readonly DecidedCall[];
  /** Which of them are registered, as a decision records it. */
  readonly listed?: ListedCalls;
  readonly attribution?: readonly string[];
  readonly holdId?: number;
};

export type TestHold = {
  readonly state: 'live' | 'settled' | 'released';
  readonly amount: bigint;
  readonly charge?: bigint;
  /** What it was worth, in millionths of a USD. */
  readonly chargeUsd?: number;
  readonly success?: boolean;
  readonly txHash?: Hex;
};

export type DecisionLab = {
  readonly store: Store;
  readonly reading: DecisionReading;
  readonly clock: { now(): number; advance(seconds: number): void };
  /** Two paymasters of different accounts. */
  readonly own: Owned;
  readonly foreign: Owned;
  /** Another paymaster of an account: its id. */
  addPaymasterTo(accountId: string): Promise<string>;
  add(decision?: TestDecision): Promise<string>;
  addMany(decisions: readonly TestDecision[]): Promise<readonly string[]>;
  hold(hold: TestHold): Promise<number>;
  changeHold(holdId: number, hold: TestHold): Promise<void>;
  /** Posts what a user paid in a token for the operation of a hold. */
  pay(holdId: number, token: Address, amount: bigint): Promise<void>;
  /** Prunes all that is due now, by a clock that the chain agrees with where nothing else is said. */
  sweep(keep: DecisionRetention, isClockRight?: boolean): Promise<void>;
  close(): Promise<void>;
};

/** The reading side of decisions on a store of its own; the tests write the records. */
export async function openDecisionLab(): Promise<DecisionLab> {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-decisions-'));
  const store = await openStore(await testDatabase(folder));
  let now = noon;
  const clock = {
    now: () => now * 1_000,
    advance: (seconds: number) => {
      now += seconds;
    },
  };
  const own = await addPaymaster(store);
  const foreign = await addPaymaster(store);
  const tankId = await addTank(store);
  const addMany = async (decisions: readonly TestDecision[]) => {
    const rows = decisions.map((decision) => rowOf({ paymasterId: own.paymasterId, decidedAt: now, ...decision }));
    for (let first = 0; first < rows.length; first += rowsAtOnce) {
      const some = rows.slice(first, first + rowsAtOnce);
      await store.db.insertInto('decisions').values(some).execute();
    }
    return rows.map(({ decision_id }) => decision_id);
  };
  let operationKeys = 0;
  return {
    store,
    clock,
    own,
    foreign,
    reading: manageDecisions({ store, clock }),
    addMany,
    addPaymasterTo: (accountId) => addPaymasterTo(store, accountId),
    add: async (decision = {}) => {
      const [id = ''] = await addMany([decision]);
      return id;
    },
    hold: async (hold) => {
      operationKeys += 1;
      const holdId = operationKeys;
      await store.db
        .insertInto('holds')
        .values({
          hold_id: holdId,
          tank_id: tankId,
          operation_key: `operation ${operationKeys}`,
          sender: numberedAddress(1),
          nonce: '0',
          valid_until: now + 300,
          paymaster_id: own.paymasterId,
          created_at: now,
          ...holdColumns(hold),
        })
        .execute();
      await store.transaction((transaction) => settle(transaction, holdId, hold, now));
      return holdId;
    },
    changeHold: async (holdId, hold) => {
      await store.transaction(async (transaction) => {
        const before = await transaction
          .selectFrom('holds')
          .select('state')
          .where('hold_id', '=', holdId)
          .executeTakeFirstOrThrow();
        await transaction.updateTable('holds').set(holdColumns(hold)).where('hold_id', '=', holdId).execute();
        if (before.state !== 'settled') await settle(transaction, holdId, hold, now);
      });
    },
    pay: async (hold_id, token, amount) => {
      await store.db
        .insertInto('token_payments')
        .values({
          chain_id: chainId,
          contract: numberedAddress(0xc1),
          tx_hash: '0x',
          log_index: hold_id,
          user_operation_hash: '0x',
          hold_id,
          token,
          amount: amount.toString(),
          block_number: 1,
          created_at: now,
        })
        .execute();
    },
    sweep: (keep, isClockRight = true) => sweep({ store, clock, keep, isClockRight: () => isClockRight }, () => false),
    close: async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function addPaymaster(store: Store): Promise<Owned> {
  const accountId = randomUUID();
  await store.db.insertInto('accounts').values({ account_id: accountId, name: 'Ada', created_at: noon }).execute();
  return { accountId, paymasterId: await addPaymasterTo(store, accountId) };
}

async function addPaymasterTo(store: Store, accountId: string): Promise<string> {
  const paymasterId = randomUUID();
  await store.db
    .insertInto('paymasters')
    .values({
      paymaster_id: paymasterId,
      account_id: accountId,
      name: paymasterId,
      chain_id: chainId,
      version: '2.0.0',
      funding_wallet: null,
      created_at: noon,
    })
    .execute();
  return paymasterId;
}

async function addTank(store: Store): Promise<number> {
  const none = toWeiText(0n);
  await store.db.insertInto('contract_totals').values({ chain_id: chainId, contract: '0x', deposit: none }).execute();
  const { tank_id } = await store.db
    .insertInto('tanks')
    .values({ chain_id: chainId, contract: '0x', wallet: '0x', funded: none, settled: none })
    .returning('tank_id')
    .executeTakeFirstOrThrow();
  return tank_id;
}

/** What landing writes into the journal, if the hold is settled. */
async function settle(
  transaction: Transaction<Database>,
  holdId: number,
  { state, charge, chargeUsd }: TestHold,
  now: number,
): Promise<void> {
  if (state !== 'settled' || charge === undefined) return;
  const journal = await openJournal(transaction, chainId, '0x');
  const at = { blockNumber: 1n, txHash: '0x', logIndex: holdId } as const;
  post({ kind: 'settle', tankId: 1, amount: charge, moved: charge, holdId, at }, { journal, now });
  const priced = { usd_micros: chargeUsd ?? null, usd_micros_per_coin: 1, priced_at: now };
  const rows = journal.rows.map((row) => (chargeUsd === undefined ? row : { ...row, ...priced }));
  await runTogether(transaction, ...journalWrites({ ...journal, rows }));
}

function holdColumns({ state, amount, charge, chargeUsd, success, txHash }: TestHold) {
  return {
    state,
    amount: toWeiText(amount),
    charge: charge === undefined ? null : toWeiText(charge),
    charge_usd: chargeUsd ?? null,
    success: success === undefined ? null : success ? (1 as const) : (0 as const),
    landed_tx: txHash ?? null,
  };
}

function rowOf(decision: TestDecision & { readonly paymasterId: string; readonly decidedAt: number }) {
  const { calls, attribution } = decision;
  return {
    decision_id: decision.decisionId ?? randomUUID(),
    paymaster_id: decision.paymasterId,
    chain_id: chainId,
    method: decision.method ?? 'getFeeQuoteOrData',
    outcome: decision.outcome ?? 'refused',
    mode: decision.mode ?? null,
    reason: decision.reason ?? null,
    sender: decision.sender ?? null,
    nonce: decision.sender === undefined ? null : '7',
    token: decision.token ?? null,
    key_number: decision.keyNumber ?? 0,
    hold_id: decision.holdId ?? null,
    ...encodeDecisionRecord({
      ...(decision.listed === undefined ? {} : { listed: decision.listed }),
      ...(calls === undefined && attribution === undefined
        ? {}
        : {
            facts: {
              calls: calls ?? [],
              deploysOnly: false,
              maxFeePerGas: 10n ** 9n,
              ...(attribution === undefined ? {} : { attribution }),
            },
          }),
      trace: [{ rule: 'apiKey', finding: ['the apiKey'] }],
    }),
    created_at: decision.decidedAt,
  };
}

import pg from 'pg';
import type { Address, Hex } from 'viem';
import type { Secret } from '../../../core/base/values/secret.ts';
import { channelName, connectionOptions } from '../../../core/store/postgres/connection-options.ts';
import {
  type AccountRow,
  allEntries,
  type BudgetRow,
  type DecisionRow,
  type EntryRow,
  type HoldRow,
  type LimitNumberRow,
  type ObservedLedger,
  type PaymentRow,
  type TankRow,
  type TotalRow,
  type UsageSumRow,
} from './observed-ledger.ts';

/** The ledger of a database of a server, as they were when they were read last. */
export type ObservedServer = ObservedLedger & {
  /** Reads all that is committed. */
  refresh(): Promise<void>;
  /** Gives back the numbers that transactions took which were rolled back, as a file does by itself. */
  giveBackNumbers(): Promise<void>;
  /** Ends the connections of a process, by the name that they have, as when it is killed. */
  end(processName: string): Promise<void>;
  /** Is called with what processes tell each other. */
  hear(listener: (text: string) => void): void;
  disconnect(): Promise<void>;
};

type Rows = {
  tanks: readonly TankRow[];
  totals: readonly TotalRow[];
  holds: readonly HoldRow[];
  accounts: readonly AccountRow[];
  limitNumbers: readonly LimitNumberRow[];
  budgets: readonly BudgetRow[];
  policies: readonly { readonly paymaster_id: string; readonly policy: string }[];
  entries: readonly EntryRow[];
  watches: readonly { readonly contract: Address; readonly last_hash: string }[];
  signatures: readonly { readonly user_operation_hash: Hex; readonly hold_id: number }[];
  knownTerms: readonly { readonly request_key: string; readonly hold_id: number }[];
  payments: readonly PaymentRow[];
  decisions: readonly DecisionRow[];
  usageSums: readonly UsageSumRow[];
};

const queries: Readonly<Record<keyof Rows, string>> = {
  tanks: 'SELECT * FROM tanks_with_held ORDER BY tank_id',
  totals: 'SELECT contract, deposit, held FROM contract_totals_with_held',
  holds: 'SELECT * FROM holds ORDER BY hold_id',
  accounts: 'SELECT * FROM ledger_accounts',
  limitNumbers: 'SELECT * FROM limit_numbers',
  budgets: 'SELECT * FROM budgets ORDER BY name',
  policies: 'SELECT paymaster_id, policy FROM policies',
  entries: `${allEntries} ORDER BY entry_id`,
  watches: 'SELECT contract, last_hash FROM contract_watches',
  signatures: 'SELECT user_operation_hash, hold_id FROM signatures',
  knownTerms: 'SELECT request_key, hold_id FROM signed_terms',
  payments: `SELECT * FROM token_payments AS paid WHERE reverses IS NULL
    AND NOT EXISTS (SELECT 1 FROM token_payments WHERE reverses = paid.token_payment_id)
    ORDER BY token_payment_id`,
  decisions: 'SELECT * FROM decisions ORDER BY decision_number',
  usageSums: 'SELECT * FROM usage_sums',
};
const names = Object.keys(queries) as (keyof Rows)[];

/** Tables whose rows are numbered in the order they are written. */
const numbered = [
  ['tanks', 'tank_id'],
  ['holds', 'hold_id'],
  ['journal', 'entry_id'],
  ['token_payments', 'token_payment_id'],
] as const;

export async function observeServer(url: Secret<string>): Promise<ObservedServer> {
  const client = new pg.Client(connectionOptions(url, 60_000));
  client.on('error', () => {});
  await client.connect();
  await client.query(`DO $$ BEGIN EXECUTE 'LISTEN ' || ${channelName}; END $$`);
  let rows = await read(client);
  return {
    refresh: async () => {
      rows = await read(client);
    },
    giveBackNumbers: async () => {
      await client.query(
        numbered
          .map(
            ([table, column]) =>
              `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), coalesce(max(${column}), 0) + 1, false) FROM ${table}`,
          )
          .join(';'),
      );
    },
    end: async (processName) => {
      await client.query(
        'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()',
        [processName],
      );
    },
    hear: (listener) => {
      client.on('notification', ({ payload }) => listener(payload ?? ''));
    },
    tanks: () => rows.tanks,
    totals: () => rows.totals,
    liveHolds: () => rows.holds.filter(({ state }) => state === 'live'),
    holds: () => rows.holds,
    hold: (holdId) => rows.holds.find(({ hold_id }) => hold_id === holdId),
    landedHolds: (transaction) => rows.holds.filter(({ landed_tx }) => landed_tx === transaction),
    accounts: () => rows.accounts,
    limitNumbers: () => rows.limitNumbers,
    budgets: () => rows.budgets,
    policies: () => new Map(rows.policies.map(({ paymaster_id, policy }) => [paymaster_id, policy])),
    entriesAfter: (entryId) => rows.entries.filter(({ entry_id }) => entry_id > entryId),
    lastEntry: () => rows.entries.at(-1)?.entry_id ?? 0,
    lastHashes: () => new Map(rows.watches.map(({ contract, last_hash }) => [contract, last_hash])),
    signedHold: (hash) => rows.signatures.find(({ user_operation_hash }) => user_operation_hash === hash)?.hold_id,
    knownTerms: () => new Map(rows.knownTerms.map(({ request_key, hold_id }) => [request_key, hold_id])),
    payments: () => rows.payments,
    decisions: () => rows.decisions,
    usageSums: () => rows.usageSums,
    close: () => {},
    disconnect: () => client.end(),
  };
}

/** All tables at one moment, in one question. */
async function read(client: pg.Client): Promise<Rows> {
  const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
  const text = [begin, ...names.map((name) => queries[name]), 'COMMIT'].join(';');
  // The results of many statements, which the types of pg do not know.
  const results = (await client.query(text)) as unknown as readonly pg.QueryResult[];
  // Of the columns that the types above name.
  return Object.fromEntries(names.map((name, index) => [name, results[index + 1]?.rows ?? []])) as unknown as Rows;
}

import { closeSync, copyFileSync, fsyncSync, openSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { openSqlite } from '../../../core/store/sqlite/open-sqlite.ts';
import { fromWeiText, toWeiText } from '../../../core/store/wei.ts';

/** Accounts that the operations come from. */
const senders = 5_000;
/** Over so many days before now. */
const days = 20;

/** Whose ledger, and how large: operations that have landed, and live holds of one sender. */
export type LargeLedger = {
  /** A database of a service that has a paymaster, a tank with coin in it, and one decision. */
  readonly from: string;
  readonly to: string;
  readonly operations: number;
  readonly openHolds: number;
  readonly openSender: string;
};

/**
 * Makes a ledger as many operations leave it: each with its hold, entry, signature and decision, all of them in
 * step with the kept sums. What they cost stands as deposited before, so that ledger and chain agree.
 */
export function fillLedger({ from, to, operations, openHolds, openSender }: LargeLedger): void {
  copyFileSync(from, to);
  const database = openForFilling(to);
  database.transaction(() => {
    addOperations(database, operations);
    addOpenHolds(database, { operations, openHolds, openSender });
    addSums(database);
  })();
  closeFilled(database);
}

/** Without what keeps a database safe, for one that can be made again. */
export function openForFilling(file: string): BetterSqlite3.Database {
  const database = openSqlite(file);
  database.exec(
    // The first of the two ends the write-ahead log, which would be larger than the database.
    'PRAGMA journal_mode = DELETE; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; ' +
      'PRAGMA cache_size = -1000000',
  );
  return database;
}

/** All of it is on the disk when this returns: nothing is left for the system to write next to what is measured. */
export function closeFilled(database: BetterSqlite3.Database): void {
  const { name } = database;
  database.close();
  const file = openSync(name, 'r+');
  fsyncSync(file);
  closeSync(file);
}

/** What is kept of all entries and decisions by the day, and the number of the next hold. */
export function addSums(database: BetterSqlite3.Database): void {
  database.exec(`
    INSERT OR REPLACE INTO counters (name, next) SELECT 'hold', max(hold_id) + 1 FROM holds;
    DELETE FROM tank_days;
    INSERT INTO tank_days
      (tank_id, day, paymaster_id, back, operations, wei, priced, usd_micros, cost, premium_usd_micros)
      SELECT journal.tank_id, journal.created_at - journal.created_at % 86400, coalesce(holds.paymaster_id, ''), 0,
        count(*), ${sumWei('journal.amount')}, count(journal.usd_micros), coalesce(sum(journal.usd_micros), 0),
        ${sumWei('journal.moved')}, 0
      FROM journal LEFT JOIN holds ON holds.hold_id = journal.hold_id WHERE journal.kind = 'settle' GROUP BY 1, 2, 3;
    DELETE FROM usage_sums;
    WITH counted AS (
      SELECT decisions.paymaster_id, decisions.created_at AS at, outcome, decisions.sender, coalesce(token, 'none') AS token,
        coalesce(record ->> '$.facts.calls[0].target', 'none') AS contract,
        coalesce((record ->> '$.facts.calls[0].target') || ':' || (record ->> '$.facts.calls[0].selector'), 'none') AS method,
        holds.charge
      FROM decisions LEFT JOIN holds ON holds.hold_id = decisions.hold_id AND holds.state = 'settled'
    ), keyed AS (
      SELECT paymaster_id, 'day' AS dimension, at, '' AS key, outcome, charge FROM counted
      UNION ALL SELECT paymaster_id, 'token', at, token, outcome, charge FROM counted
      ${['sender', 'contract', 'method']
        .map((key) => `UNION ALL SELECT paymaster_id, '${key}', at, ${key}, outcome, charge FROM counted`)
        .join('\n')}
    )
    INSERT INTO usage_sums
      (paymaster_id, dimension, day, key, signed, quoted, stub, refused, landed, charge, priced, usd_micros)
      SELECT paymaster_id, dimension, at - at % 86400, key, sum(outcome = 'signed'), sum(outcome = 'quoted'),
        sum(outcome = 'stub'), sum(outcome = 'refused'), count(charge),
        ${sumWei("coalesce(charge, '0')")}, 0, 0
      FROM keyed GROUP BY 1, 2, 3, 4;
    DELETE FROM counted_decisions;
    INSERT INTO counted_decisions (counted, until_number, until_entry, decisions)
      SELECT 1, max(decision_number), (SELECT max(entry_id) FROM journal), count(*) FROM decisions;
    DELETE FROM kept_decisions;
    INSERT INTO kept_decisions (account_id, paymaster_id, decisions)
      SELECT account_id, paymaster_id, count(*) FROM decisions JOIN paymasters USING (paymaster_id) GROUP BY 1, 2
      UNION ALL SELECT account_id, '', count(*) FROM decisions JOIN paymasters USING (paymaster_id) GROUP BY 1;
  `);
}

const amount = "'200000000000000'";
const charge = 'CAST(100000000000000 + n % 1000 AS TEXT)';
const sender = `printf('0x%040d', n % ${senders})`;
const hash = "printf('0x%064x', n)";

function addOperations(database: BetterSqlite3.Database, count: number): void {
  if (count === 0) return;
  const { tank_id, contract_id, chain_id, paymaster_id, record, reasons } = database
    .prepare(
      `SELECT tanks.tank_id, contract_id, tanks.chain_id, holds.paymaster_id, record, reasons
      FROM decisions JOIN holds USING (hold_id) JOIN tanks USING (tank_id) JOIN contract_totals USING (chain_id, contract)`,
    )
    .get() as Record<string, string | number | Buffer>;
  const at = `unixepoch() - ${days * 86_400} + n * ${days * 86_400 - 600} / ${count}`;
  const fill = (into: string, columns: string, parameters: readonly unknown[] = []) =>
    database
      .prepare(
        `WITH RECURSIVE numbers (n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${999 + count})
        INSERT INTO ${into} SELECT ${columns} FROM numbers`,
      )
      .run(...parameters);
  fill(
    'holds (hold_id, tank_id, operation_key, sender, nonce, amount, valid_until, state, paymaster_id, created_at, limit_wei, charge, success, landed_tx)',
    `n, ?, ${sender} || ':' || n, ${sender}, n, ${amount}, ${at} + 300, 'settled', ?, ${at}, ${charge}, ${charge}, 1, ${hash}`,
    [tank_id, paymaster_id],
  );
  fill('signatures (user_operation_hash, hold_id, created_at)', `${hash}, n, ${at}`);
  fill(
    `journal (entry_id, ${journalColumns})`,
    `n, ?, ?, 'settle', ${charge}, ${charge}, n, ${hash}, 1, 1, 0, ${at} + 20`,
    [contract_id, tank_id],
  );
  fill(
    'decisions (decision_number, decision_id, paymaster_id, chain_id, method, outcome, mode, sender, nonce, hold_id, record, reasons, created_at)',
    `n, printf('%036d', n), ?, ?, 'getFeeQuoteOrData', 'signed', 'SPONSORED', ${sender}, n, n, ?, ?, ${at}`,
    [paymaster_id, chain_id, record, reasons],
  );
  let spent = 0n;
  for (let n = 1_000; n < 1_000 + count; n += 1) spent += 100_000_000_000_000n + BigInt(n % 1_000);
  depositBefore(database, { tank: tank_id, contract: contract_id }, spent);
}

/** What was spent had come in first. */
function depositBefore(
  database: BetterSqlite3.Database,
  location: { readonly tank: unknown; readonly contract: unknown },
  spent: bigint,
): void {
  const text = toWeiText(spent);
  database
    .prepare(`INSERT INTO journal (${journalColumns}) VALUES (?, ?, 'deposit', ?, ?, NULL, '0x00', 0, 1, 0, 0)`)
    .run(location.contract, location.tank, text, text);
  const tank = database.prepare('SELECT funded, settled FROM tanks WHERE tank_id = ?').get(location.tank) as Record<
    'funded' | 'settled',
    string
  >;
  const more = (kept: string) => toWeiText(fromWeiText(kept) + spent);
  database
    .prepare('UPDATE tanks SET funded = ?, settled = ? WHERE tank_id = ?')
    .run(more(tank.funded), more(tank.settled), location.tank);
}

/** Columns of an entry. */
export const journalColumns =
  'contract_id, tank_id, kind, amount, moved, hold_id, tx_hash, log_index, block_number, reversal, created_at';

/** Holds of one wei each. */
function addOpenHolds(
  database: BetterSqlite3.Database,
  { operations, openHolds, openSender }: Pick<LargeLedger, 'operations' | 'openHolds' | 'openSender'>,
): void {
  if (openHolds === 0) return;
  const first = 1_000 + operations;
  const numbers = `WITH RECURSIVE numbers (n) AS (
    SELECT ${first} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${first + openHolds - 1})`;
  const one = "'1'";
  const model = 'SELECT tank_id, paymaster_id FROM holds ORDER BY hold_id LIMIT 1';
  database
    .prepare(
      `${numbers} INSERT INTO holds
      (hold_id, tank_id, operation_key, sender, nonce, amount, valid_until, state, paymaster_id, created_at, limit_wei)
      SELECT n, model.tank_id, ? || ':' || n, ?, n, ${one}, unixepoch() + 86400, 'live', model.paymaster_id, unixepoch(), ${one}
      FROM numbers, (${model}) AS model`,
    )
    .run(openSender, openSender);
  for (const name of ["'tank/' || tank_id", "'contract/' || chain_id || '/' || contract"]) {
    database
      .prepare(
        `UPDATE ledger_accounts SET count = count + ?, amount = CAST(CAST(amount AS INTEGER) + ? AS TEXT)
        WHERE name = (SELECT ${name} FROM tanks ORDER BY tank_id LIMIT 1)`,
      )
      .run(openHolds, openHolds);
  }
}

/** The sum of a column of wei text as wei text: four limbs of 40 digits, each with the carry of the one to its right. */
function sumWei(column: string): string {
  const limb = (start: number, digits: number) =>
    `SUM(CAST(substr('${zeros}' || ${column}, length(${column}) + ${start}, ${digits}) AS INTEGER))`;
  const fourth = limb(32, 9);
  const third = `(${limb(23, 9)} + ${fourth} / 1000000000)`;
  const second = `(${limb(14, 9)} + ${third} / 1000000000)`;
  const first = `(${limb(1, 13)} + ${second} / 1000000000)`;
  const all = `printf('%013d%09d%09d%09d', ${first}, ${second} % 1000000000, ${third} % 1000000000, ${fourth} % 1000000000)`;
  return `coalesce(nullif(ltrim(${all}, '0'), ''), '0')`;
}

const zeros = '0'.repeat(40);

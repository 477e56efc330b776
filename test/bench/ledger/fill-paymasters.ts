import type BetterSqlite3 from 'better-sqlite3';
import { getAddress, numberToHex, pad } from 'viem';
import { addSums, closeFilled, journalColumns, openForFilling } from './fill-ledger.ts';

/** Paymasters that one account has. */
const ofOneAccount = 10;
/** Contracts that each of them has registered. */
const contractsOfEach = 1;

/** How many paymasters there are next to the one that is measured, and how many contracts that one has registered next to its own. */
export type ManyPaymasters = { readonly paymasters: number; readonly contracts: number };

/**
 * Makes accounts with paymasters, an apiKey and a registered contract each, and a tank that paid for one operation: what went
 * in is spent, so that ledger and chain agree.
 */
export function fillPaymasters(file: string, { paymasters, contracts }: ManyPaymasters): void {
  const database = openForFilling(file);
  database.function('address_of', (number: unknown) =>
    getAddress(pad(numberToHex(Number(number) + 4_096), { size: 20 })),
  );
  database.transaction(() => {
    addContracts(database, contracts);
    if (paymasters > 0) addPaymasters(database, paymasters);
  })();
  closeFilled(database);
}

const deposit = "'1000000000000000'";
const uuid = (group: string) => `printf('00000000-0000-4000-8${group}00-%012d', n)`;

function fill(database: BetterSqlite3.Database, count: number, into: string, columns: string): void {
  database.exec(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
    INSERT INTO ${into} SELECT ${columns}`,
  );
}

const contractColumns = 'functions, whitelisted_methods, selectors, abi_bytes, abi, created_at';

function addContracts(database: BetterSqlite3.Database, count: number): void {
  if (count === 0) return;
  const address = "lower(printf('0x%040x', n + 1048576))";
  fill(
    database,
    count,
    `contracts (paymaster_id, name, address, ${contractColumns})`,
    `paymaster_id, 'contract ' || n, ${address}, ${contractColumns} FROM numbers, (SELECT * FROM contracts LIMIT 1)`,
  );
}

function addPaymasters(database: BetterSqlite3.Database, count: number): void {
  const add = (into: string, columns: string) => fill(database, count, into, columns);
  fill(
    database,
    Math.ceil(count / ofOneAccount),
    'accounts (account_id, name, created_at)',
    `${uuid('a')}, 'account ' || n, unixepoch() FROM numbers`,
  );
  const account = `printf('00000000-0000-4000-8a00-%012d', (n - 1) / ${ofOneAccount} + 1)`;
  add(
    'paymasters (paymaster_id, account_id, name, chain_id, version, funding_wallet, created_at)',
    `${uuid('b')}, ${account}, 'paymaster ' || n, chain_id, version, address_of(n), unixepoch()
    FROM numbers, (SELECT chain_id, version FROM paymasters LIMIT 1)`,
  );
  add(
    'api_keys (api_key_id, paymaster_id, digest, sealed, last_four, created_at)',
    `${uuid('c')}, ${uuid('b')}, printf('%064x', n), sealed, 'abcd', unixepoch() FROM numbers, (SELECT sealed FROM api_keys LIMIT 1)`,
  );
  fill(
    database,
    count * contractsOfEach,
    `contracts (paymaster_id, name, address, ${contractColumns})`,
    `${uuid('b')}, name, address, ${contractColumns} FROM numbers, (SELECT * FROM contracts LIMIT 1)`,
  );
  add(
    'funding_wallets (paymaster_id, address, message, signature, set_at)',
    `${uuid('b')}, address_of(n), '',
    printf('0x%0130x', n), unixepoch() FROM numbers`,
  );
  const { first, last } = addTanks(database, count);
  const of = `FROM tanks JOIN contract_totals USING (chain_id, contract) WHERE tank_id BETWEEN ${first} AND ${last}`;
  const hash = "printf('0x%064x', tank_id + 1099511627776)";
  for (const [index, kind] of ['deposit', 'settle'].entries()) {
    database.exec(`INSERT INTO journal (${journalColumns})
      SELECT contract_id, tank_id, '${kind}', ${deposit}, ${deposit}, NULL, ${hash}, ${index}, 1, 0, unixepoch() - 86400 ${of}`);
  }
  addSums(database);
}

function addTanks(database: BetterSqlite3.Database, count: number): { readonly first: number; readonly last: number } {
  const newest = () => database.prepare('SELECT max(tank_id) FROM tanks').pluck().get() as number;
  const first = newest() + 1;
  fill(
    database,
    count,
    'tanks (chain_id, contract, wallet, funded, settled)',
    `chain_id, contract, address_of(n), ${deposit}, ${deposit}
    FROM numbers, (SELECT chain_id, contract FROM tanks ORDER BY tank_id LIMIT 1)`,
  );
  return { first, last: newest() };
}

import { CompiledQuery, type ExpressionBuilder, sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { dayOf, readUtcDays, secondsPerDay } from '../../core/domain/utc-days.ts';
import { holdBatch } from '../../core/ledger/holds/hold-batch.ts';
import { revertTo } from '../../core/ledger/revert/revert-to.ts';
import { readStatementMonth, readTankDays } from '../../core/ledger/statements/create-statements.ts';
import { readStatement } from '../../core/ledger/statements/read-statement.ts';
import { adjustTank } from '../../core/ledger/tanks/adjust-tank.ts';
import { joinTankDays } from '../../core/ledger/tanks/join-tank-days.ts';
import type { Database } from '../../core/store/database.ts';
import { toWeiText } from '../../core/store/wei.ts';
import { accepted } from '../../server/accepted.ts';
import { checkContractLedger } from '../support/core/check-contract-ledger.ts';
import {
  chainId,
  chargedEvent,
  contract,
  customerDeposit,
  customerWithdrawal,
  holdRequest,
  insertPaymaster,
  landedEvent,
  numberedAddress,
  post,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';
import { collectQueries } from '../support/store/collect-queries.ts';
import { findScans } from '../support/store/find-scans.ts';
import { isOnPostgres } from '../support/store/test-database.ts';

const ledger = useLedger();
const milli = 10n ** 15n;
const sender = 0xa1;
const own = { paymasterId: 'own'.padEnd(36, '0'), accountId: 'account'.padEnd(36, '0') };
/** The end of the tests' time. */
const now = Date.UTC(2027, 3, 20, 12) / 1_000;
const at = (day: string) => Date.parse(`${day}T10:00:00Z`) / 1_000;
const usd = (price: number, day: string) => ({ usdMicrosPerCoin: BigInt(price) * 1_000_000n, at: at(day) });

beforeEach(async () => {
  await insertPaymaster(ledger.store, own);
});

async function statementOf(month: string, wallet = 1) {
  const { from, until } = accepted(readStatementMonth(month, now));
  const of = {
    ...own,
    payer: 'CONTRACT',
    chainId,
    contract,
    wallet: numberedAddress(wallet),
    keepsBalances: true,
    from,
    until,
  } as const;
  return ledger.store.read((snapshot) => readStatement(snapshot, of));
}

/** An operation that lands, for which the EntryPoint takes `cost` and the contract charges `charge` thousandths of a coin. */
async function land(nonce: bigint, taken: { cost: bigint; charge: bigint; day: string; price?: number; by?: string }) {
  const { cost, charge, day, price, by = own.paymasterId } = taken;
  const request = holdRequest({ tank: tankOf(1), amount: 500n * milli, nonce, paymasterId: by });
  await ledger.store.transaction((transaction) => holdBatch(transaction, [request], at(day)));
  const event = chargedEvent(landedEvent(sender, nonce, cost * milli), 1, charge * milli);
  await post(ledger.store, [event], { now: at(day), ...(price && { coinPrice: usd(price, day) }) });
  return event;
}

const adjust = (kind: 'credit' | 'debit', amount: bigint, day: string) =>
  ledger.store.transaction((transaction) =>
    adjustTank(transaction, { tank: tankOf(1), kind, amount: amount * milli, reason: 'test' }, at(day)),
  );

/** Two months with a bit of everything; in February an operation leaves the chain and lands again. */
async function twoMonths(): Promise<void> {
  await post(ledger.store, customerDeposit(1, 10_000n * milli), {
    now: at('2027-01-03'),
    coinPrice: usd(2_000, '2027-01-03'),
  });
  await land(1n, { cost: 250n, charge: 300n, day: '2027-01-05', price: 4_000 });
  await land(2n, { cost: 100n, charge: 100n, day: '2027-01-06', by: 'another' });
  await adjust('credit', 2_000n, '2027-01-07');
  await adjust('debit', 500n, '2027-01-31');
  await post(ledger.store, customerWithdrawal(1, 1_000n * milli), { now: at('2027-02-01') });
  const gone = await land(3n, { cost: 100n, charge: 200n, day: '2027-02-02', price: 1_000 });
  const { next_block } = await ledger.store.db
    .selectFrom('contract_watches')
    .select('next_block')
    .executeTakeFirstOrThrow();
  const toBlock = gone.blockNumber - 1n;
  const reversal = { chainId, contract, watchBefore: BigInt(next_block), toBlock, nextBlock: toBlock + 1n } as const;
  await ledger.store.transaction((transaction) =>
    revertTo(transaction, { ...reversal, lastHash: '0x' }, at('2027-02-03')),
  );
  const again = { ...gone, actualGasCost: 150n * milli };
  await post(ledger.store, [again], { now: at('2027-03-04'), coinPrice: usd(3_000, '2027-03-04') });
}

const sum = (thousandths: bigint, inUsd: number, unpriced = 0) => ({
  wei: thousandths * milli,
  usdMicros: BigInt(inUsd * 1_000_000),
  unpriced,
});

describe('what tanks paid by the day', () => {
  const check = () =>
    ledger.store.read((snapshot) => checkContractLedger(snapshot, { chainId, contract, keepsBalances: true }));

  test('is compared with the entries', async () => {
    await twoMonths();
    expect((await check()).faults).toEqual([]);
    await ledger.store.db.deleteFrom('tank_days').where('paymaster_id', '=', 'another').execute();
    // 300 + 100 + 200 - 200 + 200, of which 100 are the other one's; the EntryPoint took 250 + 100 + 100 - 100 + 150.
    const paid = { kept: 500n * milli, added: 600n * milli };
    const cost = { kept: 400n * milli, added: 500n * milli };
    expect((await check()).faults).toEqual([
      `spending by day of tank ${numberedAddress(1)}: stored ${paid.kept} wei, sum of entries ${paid.added} wei`,
      `costs by day of tank ${numberedAddress(1)}: stored ${cost.kept} wei, sum of entries ${cost.added} wei`,
      `operations by day of tank ${numberedAddress(1)}: stored 2, sum of entries 3`,
    ]);
  });

  /** On which an operation with a price settled, and no other one. */
  const firstDay = Date.parse('2027-01-05T00:00:00Z') / 1_000;

  test('is compared tank by tank: what one has too much does not make up for what another one lacks', async () => {
    await twoMonths();
    await post(ledger.store, customerDeposit(2, 1_000n * milli));
    // Of what the EntryPoint took for an operation of the first tank 100 stand with the second one.
    await sql`INSERT INTO tank_days (tank_id, day, paymaster_id, back, operations, wei, priced, usd_micros, cost, premium_usd_micros)
      SELECT (SELECT tank_id FROM tanks WHERE wallet = ${tankOf(2).wallet}), day, paymaster_id, back, operations, wei, priced,
        usd_micros, ${toWeiText(100n * milli)}, 0
      FROM tank_days WHERE day = ${firstDay}`.execute(ledger.store.db);
    const less = { cost: toWeiText(150n * milli) };
    const ofFirst = ({ eb, selectFrom }: ExpressionBuilder<Database, 'tank_days'>) =>
      eb('tank_id', '=', selectFrom('tanks').select('tank_id').where('wallet', '=', tankOf(1).wallet));
    await ledger.store.db.updateTable('tank_days').set(less).where('day', '=', firstDay).where(ofFirst).execute();
    const faults = (await check()).faults.filter((fault) => fault.startsWith('costs'));
    expect(faults).toEqual([
      `costs by day of tank ${numberedAddress(1)}: stored ${400n * milli} wei, sum of entries ${500n * milli} wei`,
      `costs by day of tank ${numberedAddress(2)}: stored ${100n * milli} wei, sum of entries 0 wei`,
    ]);
  });

  test.each([
    ['operations', 'operations by day', { operations: 9 }],
    ['priced', 'operations with a price by day', { priced: 0 }],
    ['usd_micros', 'millionths of a USD by day', { usd_micros: 9 }],
  ] as const)('is compared in its %s', async (_, said, wrong) => {
    await twoMonths();
    await ledger.store.db.updateTable('tank_days').set(wrong).where('day', '=', firstDay).execute();
    expect((await check()).faults).toEqual([expect.stringMatching(`^${said} of tank ${numberedAddress(1)}: stored `)]);
  });
});

describe('what tanks paid on days that are long ago', () => {
  const check = () =>
    ledger.store.read((snapshot) => checkContractLedger(snapshot, { chainId, contract, keepsBalances: true }));
  const daysKept = async () => {
    const rows = await ledger.store.db.selectFrom('tank_days').select('day').orderBy('day').execute();
    return rows.map(({ day }) => dayOf(day));
  };
  const months = ['2027-01', '2027-02', '2027-03'];
  const statements = () => Promise.all(months.map((month) => statementOf(month)));
  /** 400 days after that day. */
  const longAfter = (day: string) => at(day) + 400 * secondsPerDay;

  test('is kept by the month: statements and the sums of the ledger stay as they are', async () => {
    await twoMonths();
    const stated = await statements();
    expect(await joinTankDays(ledger.store, longAfter('2027-01-31'))).toBe(true);
    expect(await daysKept()).toEqual(['2027-01-05', '2027-01-06', '2027-02-02', '2027-02-03', '2027-03-04']);
    expect(await joinTankDays(ledger.store, longAfter('2027-02-01'))).toBe(true);
    // Of January two paymasters; in February what landed, and what was rolled back.
    expect(await daysKept()).toEqual(['2027-01-01', '2027-01-01', '2027-02-02', '2027-02-03', '2027-03-04']);
    expect(await statements()).toEqual(stated);
    expect(await joinTankDays(ledger.store, longAfter('2027-03-31'))).toBe(true);
    expect(await statements()).toEqual(stated);
    expect((await check()).faults).toEqual([]);
  });

  test('is added to what has been joined of the month before', async () => {
    await twoMonths();
    await land(4n, { cost: 100n, charge: 100n, day: '2027-01-05' });
    await land(5n, { cost: 100n, charge: 100n, day: '2027-01-01' });
    const stated = await statements();
    await joinTankDays(ledger.store, longAfter('2027-02-01'));
    // The clock was wrong.
    await land(6n, { cost: 100n, charge: 100n, day: '2027-01-09' });
    const more = await statements();
    expect(more).not.toEqual(stated);
    await joinTankDays(ledger.store, longAfter('2027-02-01'));
    expect((await daysKept()).slice(0, 2)).toEqual(['2027-01-01', '2027-01-01']);
    expect(await statements()).toEqual(more);
    expect((await check()).faults).toEqual([]);
  });
});

describe('a statement', () => {
  test('has each head in wei and in USD at the prices of then, and says what had none', async () => {
    await twoMonths();
    expect(await statementOf('2027-01')).toEqual([
      {
        payer: 'CONTRACT',
        fundingWallet: numberedAddress(1),
        opening: 0n,
        deposited: sum(10_000n, 20_000),
        withdrawn: sum(0n, 0),
        credited: sum(2_000n, 0, 1),
        debited: sum(500n, 0, 1),
        spent: sum(400n, 1_200, 1),
        premium: sum(50n, 200, 1),
        usersPaid: sum(0n, 0, 1),
        closing: 11_100n * milli,
        operations: 2,
        atBlock: expect.any(Number),
        elsewhere: { wei: 100n * milli, operations: 1 },
      },
    ]);
    expect(await statementOf('2027-02')).toMatchObject([
      { opening: 11_100n * milli, withdrawn: sum(1_000n, 0, 1), spent: sum(0n, 0), premium: sum(0n, 0), operations: 0 },
    ]);
    expect(await statementOf('2027-03')).toMatchObject([
      { spent: sum(200n, 600), premium: sum(50n, 150), operations: 1, closing: 9_900n * milli },
    ]);
    expect(await statementOf('2026-12')).toMatchObject([{ opening: 0n, closing: 0n, operations: 0 }]);
  });

  test('follows on from the one before, and all of them are the ledger to the wei', async () => {
    await twoMonths();
    const months = await Promise.all(['2027-01', '2027-02', '2027-03', '2027-04'].map((month) => statementOf(month)));
    const tanks = months.flat();
    expect(tanks.slice(1).map(({ opening }) => opening)).toEqual(tanks.slice(0, -1).map(({ closing }) => closing));
    const checked = await ledger.store.transaction((transaction) =>
      checkContractLedger(transaction, { chainId, contract, keepsBalances: true }),
    );
    const total = (wei: (tank: (typeof tanks)[number]) => bigint) => tanks.reduce((all, tank) => all + wei(tank), 0n);
    expect(checked.faults).toEqual([]);
    expect(total(({ spent }) => spent.wei)).toBe(checked.settled);
    expect(total(({ premium }) => premium.wei)).toBe(checked.margin);
    expect(tanks.at(-1)?.closing).toBe(checked.funded - checked.settled);
  });

  test('has the tanks of earlier funding wallets behind the present one', async () => {
    await post(ledger.store, customerDeposit(1, 7n), { now: at('2027-01-03') });
    await post(ledger.store, customerDeposit(2, 5n), { now: at('2027-02-03') });
    await post(ledger.store, customerDeposit(3, 3n), { now: at('2027-02-03') });
    const set = {
      paymaster_id: own.paymasterId,
      address: numberedAddress(1),
      message: '',
      signature: '0'.repeat(132),
      set_at: 1,
    };
    await ledger.store.db.insertInto('funding_wallets').values(set).execute();
    expect(await statementOf('2027-02', 2)).toMatchObject([
      { fundingWallet: numberedAddress(2), opening: 0n, closing: 5n },
      { fundingWallet: numberedAddress(1), opening: 7n, closing: 7n },
    ]);
  });

  test.each(['2027-13', '2027-1', '2027-01-01', 'now', '2027-05'])('of the month %s is refused', (month) => {
    expect(readStatementMonth(month, now)).toMatchObject({ ok: false, refusal: { reason: 'INVALID_FIELD' } });
  });
});

test('a tank day by day ends with what is in it, whichever days are asked for', async () => {
  await twoMonths();
  const read = (from: string, until: string, wallet = 1) =>
    ledger.store.read((snapshot) =>
      readTankDays(snapshot, tankOf(wallet), accepted(readUtcDays({ from, until }, now))),
    );
  expect(await read('2027-01-02', '2027-01-07')).toEqual([
    { day: '2027-01-02', balance: 0n, spent: 0n },
    { day: '2027-01-03', balance: 10_000n * milli, spent: 0n },
    { day: '2027-01-04', balance: 10_000n * milli, spent: 0n },
    { day: '2027-01-05', balance: 9_700n * milli, spent: 300n * milli },
    { day: '2027-01-06', balance: 9_600n * milli, spent: 100n * milli },
    { day: '2027-01-07', balance: 11_600n * milli, spent: 0n },
  ]);
  // An operation was rolled back the day after, and landed again in March.
  expect(await read('2027-02-02', '2027-02-03')).toEqual([
    { day: '2027-02-02', balance: 9_900n * milli, spent: 200n * milli },
    { day: '2027-02-03', balance: 10_100n * milli, spent: 0n },
  ]);
  expect((await read('2027-02-03', '2027-03-05')).filter(({ spent }) => spent > 0n)).toEqual([
    { day: '2027-03-04', balance: 9_900n * milli, spent: 200n * milli },
  ]);
  expect(await read('2027-02-01', '2027-02-01')).toEqual([{ day: '2027-02-01', balance: 10_100n * milli, spent: 0n }]);
  // Of a wallet that never deposited.
  expect(await read('2027-02-01', '2027-02-01', 99)).toEqual([{ day: '2027-02-01', balance: 0n, spent: 0n }]);
});

test.skipIf(isOnPostgres)('a statement and days read no entries of operations', async () => {
  await twoMonths();
  const collecting = collectQueries();
  await statementOf('2027-01');
  await ledger.store.read((snapshot) => readTankDays(snapshot, tankOf(1), accepted(readUtcDays({}, now))));
  const ofEntries = collecting.stop().filter((query) => /from "journal"/.test(query.sql));
  const plans = [];
  for (const { sql: text, parameters } of ofEntries) {
    const query = CompiledQuery.raw(`EXPLAIN QUERY PLAN ${text}`, [...parameters]);
    const { rows } = await ledger.store.db.executeQuery<{ detail: string }>(query as CompiledQuery<{ detail: string }>);
    plans.push(rows.flatMap(({ detail }) => /^S\w+ journal .*/.exec(detail) ?? []));
  }
  const others = ['SEARCH journal USING INDEX other_money_entries (tank_id=? AND created_at>? AND created_at<?)'];
  const since = ['SEARCH journal USING INDEX other_money_entries (tank_id=? AND created_at>?)'];
  expect(plans).toEqual([others, since]);
});

test.skipIf(isOnPostgres)('a statement reads no tank of another wallet', async () => {
  await twoMonths();
  const collecting = collectQueries();
  await statementOf('2027-01');
  const scans = await Promise.all(collecting.stop().map((query) => findScans(ledger.store, query)));
  expect(scans.flat()).toEqual([]);
});

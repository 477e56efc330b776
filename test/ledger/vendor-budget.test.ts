import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pruneAccounts } from '../../core/decisions/pruning/prune-counts.ts';
import type { VendorBudget } from '../../core/domain/chain-config.ts';
import { defaultPolicy, type PolicyLimit } from '../../core/domain/policy.ts';
import type { Refusal } from '../../core/domain/result/refusal.ts';
import { vendorBudgetAccounts, vendorStatementAccount } from '../../core/ledger/accounts/vendor-accounts.ts';
import { checkAccounts } from '../../core/ledger/checking/check-accounts.ts';
import { createVendorQuestions } from '../../core/ledger/holds/end-vendor-question.ts';
import { createHoldQueue, type HoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import type { HoldOutcome, HoldRequest } from '../../core/ledger/holds/hold-request.ts';
import { releaseExpired } from '../../core/ledger/posting/release-expired.ts';
import { revertTo } from '../../core/ledger/revert/revert-to.ts';
import { policyText } from '../../core/policies/policy-text.ts';
import { openStore } from '../../core/store/open-store.ts';
import {
  chainId,
  contract,
  depositEvent,
  type HoldAsked,
  holdRequest,
  insertPaymaster,
  landedEvent,
  numberedAddress,
  post,
  readTank,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';
import { isOnPostgres } from '../support/store/test-database.ts';

// What another paymaster is asked for: the budget in one transaction, the limits as for our own, the tank not at all.

/** Friday, 20 November 2026, 12:00:00 UTC. */
const noon = Date.UTC(2026, 10, 20, 12) / 1000;
const day = 86_400;
const paymasterId = '10000000-0000-4000-8000-000000000001';
const accountId = '20000000-0000-4000-8000-000000000001';
const tank = tankOf(1);
const why: Refusal = { reason: 'INSUFFICIENT_FUNDS', message: 'The tank is empty.' };

const ledger = useLedger();
let queue: HoldQueue;
let now: number;

beforeEach(async () => {
  now = noon;
  queue = queueOf(ledger.store);
  await insertPaymaster(ledger.store, { paymasterId, accountId });
  // Enough to have been funded, and for no operation.
  await post(ledger.store, [depositEvent(1, 1n)]);
});

/** Whatever happened, each account is what the holds count in it. */
afterEach(async () => {
  expect(await ledger.store.read(checkAccounts)).toEqual([]);
});

const queueOf = (store: typeof ledger.store) => createHoldQueue(store, { now: () => now * 1000 }, []);
const questions = () => createVendorQuestions(ledger.store, { now: () => now * 1000 });

let nonces = 0n;
type Ask = HoldAsked & { readonly usdMicros?: bigint; readonly budget?: Partial<VendorBudget> };

function vendorRequest({ usdMicros = 10n, budget, ...over }: Ask = {}): HoldRequest {
  nonces += 1n;
  const of = { usdMicrosPerDay: 100n, usdMicrosPerMonth: 1_000n, maxSharePerClient: 1, ...budget };
  return holdRequest({
    tank,
    paymasterId,
    amount: 5n,
    nonce: nonces,
    validUntil: now + 300,
    chainDeposit: 0n,
    vendor: { usdMicros, budget: of, why, askedUntil: now + 60 },
    ...over,
  });
}

const ask = (over?: Ask) => queue.hold(vendorRequest(over));

function question(outcome: HoldOutcome) {
  if (outcome.kind !== 'held' || outcome.vendor === undefined) throw new Error(`It was ${outcome.kind}.`);
  return { holdId: outcome.holdId, reservation: outcome.vendor };
}

const keep = (outcome: HoldOutcome, requestKey = 'a request', answer = '{}') =>
  questions().keepAnswer(question(outcome), { requestKey, answer, validUntil: now + 300, decision: undefined });

async function setLimits(...limits: readonly PolicyLimit[]): Promise<void> {
  const policy = policyText({ ...defaultPolicy, limits });
  await ledger.store.db.insertInto('policies').values({ paymaster_id: paymasterId, policy, updated_at: now }).execute();
}

const release = () =>
  ledger.store.transaction((transaction) => releaseExpired(transaction, { chainId, contract, chainTime: now }, now));

describe('the budget', () => {
  test('is never passed by a thousand requests at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 1_000 }, () => ask()));
    expect(outcomes.filter(({ kind }) => kind === 'held')).toHaveLength(10);
    const refused = outcomes.filter((outcome) => outcome.kind === 'limited');
    expect(new Set(refused.map(({ refusal }) => refusal))).toEqual(new Set([why]));
  });

  test.runIf(isOnPostgres)('is never passed by two processes at one database', async () => {
    const other = await openStore(ledger.database);
    try {
      const queues = [queue, queueOf(other)] as const;
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, (_, index) => queues[index % 2 === 0 ? 0 : 1].hold(vendorRequest())),
      );
      expect(outcomes.filter(({ kind }) => kind === 'held')).toHaveLength(10);
    } finally {
      await other.close();
    }
  });

  test('begins again with the day, but not that of the month', async () => {
    const budget = { usdMicrosPerDay: 20n, usdMicrosPerMonth: 30n };
    expect([await ask({ budget }), await ask({ budget }), await ask({ budget })].map(({ kind }) => kind)).toEqual([
      ...['held', 'held', 'limited'],
    ]);
    now += day;
    expect([await ask({ budget }), await ask({ budget })].map(({ kind }) => kind)).toEqual(['held', 'limited']);
    now += 11 * day;
    expect((await ask({ budget })).kind).toBe('held');
  });

  test('gets back what was not answered, on the day it was taken', async () => {
    const outcomes = [];
    for (let times = 0; times < 10; times += 1) outcomes.push(await ask());
    expect((await ask()).kind).toBe('limited');
    const [first, second] = outcomes;
    if (first === undefined || second === undefined) throw new Error('Nothing was held.');
    await questions().giveBack(question(first));
    await questions().giveBack(question(first));
    expect((await ask()).kind).toBe('held');
    expect((await ask()).kind).toBe('limited');
    expect(await keep(second)).toBe(true);
    await questions().giveBack(question(second));
    expect((await ask()).kind).toBe('limited');
  });

  test('has a part for each client', async () => {
    const budget = { maxSharePerClient: 0.2 };
    const kinds = [];
    for (const client of ['one', 'one', 'one', 'other']) kinds.push((await ask({ budget, client })).kind);
    expect(kinds).toEqual(['held', 'held', 'limited', 'held']);
  });

  test('is taken once for a nonce, and only one question about it is open', async () => {
    const nonce = 77_000n;
    const first = await ask({ nonce });
    expect(await ask({ nonce })).toMatchObject({ kind: 'limited', refusal: { reason: 'RATE_LIMITED' } });
    await keep(first, 'a request', '"the answer"');
    const again = await ask({ nonce, requestKey: 'a request' });
    expect(again).toMatchObject({ kind: 'held', vendor: { added: 0n, answer: '"the answer"' } });
    const another = await ask({ nonce, usdMicros: 25n });
    expect(another).toMatchObject({ kind: 'held', vendor: { added: 15n } });
    expect(another).not.toHaveProperty('vendor.answer');
  });

  test('does not wait for a process that has died', async () => {
    const nonce = 78_000n;
    await ask({ nonce });
    now += 61;
    expect(await ask({ nonce })).toMatchObject({ kind: 'held', vendor: { added: 0n } });
  });

  test('keeps what a later question about the nonce relies on when an earlier one ends without an answer', async () => {
    const budget = { usdMicrosPerDay: 10n };
    const nonce = 78_500n;
    const early = await ask({ nonce, budget });
    now += 61;
    const late = await ask({ nonce, budget });
    await questions().giveBack(question(early));
    expect(await keep(late)).toBe(true);
    expect((await ask({ budget })).kind).toBe('limited');
  });

  test('counts a nonce that is asked about again on the next day there, and no longer on the day before', async () => {
    const budget = { usdMicrosPerDay: 10n, usdMicrosPerMonth: 20n };
    const nonce = 78_600n;
    now += 12 * 3_600 - 100;
    await keep(await ask({ nonce, budget, validUntil: now + 500 }));
    const onFirst = now;
    now += 200;
    expect((await ask({ nonce, budget, requestKey: 'another', validUntil: now + 300 })).kind).toBe('held');
    expect((await ask({ budget })).kind).toBe('limited');
    const { day: first } = vendorBudgetAccounts(chainId, onFirst);
    const { day: second, month } = vendorBudgetAccounts(chainId, now);
    expect(await used(first.name)).toEqual({ count: 0, usdMicros: 0n });
    expect(await used(second.name)).toEqual({ count: 1, usdMicros: 10n });
    expect(await used(month.name)).toEqual({ count: 1, usdMicros: 10n });
  });

  test('stays used by an answer whose nonce an operation of ours takes', async () => {
    const budget = { usdMicrosPerDay: 10n };
    await post(ledger.store, [depositEvent(1, 1_000n)]);
    const nonce = 78_700n;
    const sender = numberedAddress(0xa2);
    await keep(await ask({ nonce, sender, budget }));
    await post(ledger.store, [landedEvent(0xa2, nonce, 2n)], { now });
    expect((await ask({ budget })).kind).toBe('limited');
  });
});

test('nothing of the tank is held, and an answered operation counts in limits after its hold has ended', async () => {
  await setLimits({ per: 'total', window: 'day', unit: 'operations', max: 2n });
  const answered = await ask();
  expect(await readTank(ledger.store, tank)).toMatchObject({ held: 0n });
  await keep(answered);
  const unanswered = await ask();
  await questions().giveBack(question(unanswered));
  expect((await ask()).kind).toBe('limited');
  now += 400;
  await release();
  expect((await ask()).kind).toBe('held');
  expect((await ask()).kind).toBe('limited');
  expect(await ledger.store.read(checkAccounts)).toEqual([]);
});

test('an answer is not given once its hold has ended', async () => {
  const late = await ask();
  now += 400;
  await release();
  expect(await keep(late)).toBe(false);
});

test('an operation of ours that lands under the hold ends it at its cost', async () => {
  await post(ledger.store, [depositEvent(1, 1_000n)]);
  await setLimits({ per: 'total', window: 'day', unit: 'wei', max: 10n });
  const sender = numberedAddress(0xa1);
  const nonce = 79_000n;
  const ours = await queue.hold(holdRequest({ tank, paymasterId, amount: 5n, nonce, sender, validUntil: now + 300 }));
  expect(ours.kind).toBe('held');
  await keep(await ask({ nonce, sender }));
  await post(ledger.store, [landedEvent(0xa1, nonce, 2n)], { now });
  expect((await ask({ amount: 9n })).kind).toBe('limited');
  expect((await ask({ amount: 8n })).kind).toBe('held');
});

/** The block of an operation is no longer on the chain. */
async function goneFrom({ blockNumber }: ReturnType<typeof landedEvent>): Promise<void> {
  const [watchBefore, toBlock] = [blockNumber + 1n, blockNumber - 1n];
  const reversal = { chainId, contract, watchBefore, toBlock, nextBlock: blockNumber, lastHash: '0x' } as const;
  await ledger.store.transaction((transaction) => revertTo(transaction, reversal, now));
}

describe('an operation of ours that leaves the chain again', () => {
  const sender = numberedAddress(0xa1);
  const limit = { per: 'total', window: 'day', unit: 'wei', max: 5n } as const;

  test('has the hold count for that of the other paymaster', async () => {
    await post(ledger.store, [depositEvent(1, 1_000n)]);
    await setLimits(limit);
    const nonce = 79_001n;
    await keep(await ask({ nonce, sender }));
    const landed = landedEvent(0xa1, nonce, 2n);
    await post(ledger.store, [landed], { now });
    await goneFrom(landed);
    now += 400;
    await release();
    expect((await ask()).kind).toBe('limited');
  });

  test('has a hold count so that it had replaced', async () => {
    await post(ledger.store, [depositEvent(1, 1_000n)]);
    await setLimits(limit);
    const nonce = 79_002n;
    await keep(await ask({ nonce, sender }));
    // It carries what none of our holds was made for.
    const landed = { ...landedEvent(0xa1, nonce, 2n), contentIds: [] };
    await post(ledger.store, [landed], { now });
    expect((await ask({ amount: 1n })).kind).toBe('held');
    await goneFrom(landed);
    now += 400;
    await release();
    expect((await ask()).kind).toBe('limited');
  });

  test('has a hold count so that another one covers now', async () => {
    await post(ledger.store, [depositEvent(1, 1_000n)]);
    await setLimits({ ...limit, max: 10n });
    const nonce = 79_003n;
    await keep(await ask({ nonce, sender }));
    const landed = landedEvent(0xa1, nonce, 2n);
    await post(ledger.store, [landed], { now });
    expect((await ask({ nonce, sender })).kind).toBe('held');
    await goneFrom(landed);
    now += 400;
    await release();
    expect((await ask({ amount: 6n })).kind).toBe('limited');
    expect((await ask({ amount: 5n })).kind).toBe('held');
  });
});

/** What an account counts. */
async function used(name: string) {
  const row = await ledger.store.db
    .selectFrom('ledger_accounts')
    .select(['count', 'amount'])
    .where('name', '=', name)
    .executeTakeFirst();
  return row && { count: row.count, usdMicros: BigInt(row.amount) };
}

test('what a client asked is forgotten after the day, what the chain spent after the month, and a statement stays', async () => {
  await keep(await ask({ client: 'digest' }));
  await keep(await ask({ client: 'digest', nonce: nonces }), 'another request');
  await questions().giveBack(question(await ask({ client: 'digest' })));
  const left = async () => {
    const rows = await ledger.store.db.selectFrom('ledger_accounts').select('name').execute();
    return rows.map(({ name }) => name).filter((name) => name.startsWith('vendor/'));
  };
  const { month: ofMonth } = vendorBudgetAccounts(chainId, now);
  const ofStatement = vendorStatementAccount({ chainId, paymasterId, month: Date.UTC(2026, 10) / 1000 });
  expect(await left()).toHaveLength(4);
  await pruneAccounts(ledger.store, now + 3 * day);
  expect(new Set(await left())).toEqual(new Set([ofMonth.name, ofStatement]));
  await pruneAccounts(ledger.store, now + 33 * day);
  expect(await left()).toEqual([ofStatement]);
  expect(await used(ofStatement)).toEqual({ count: 1, usdMicros: 10n });
});

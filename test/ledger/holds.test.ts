import { EventEmitter, once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { createDryHolds, createHoldQueue, type HoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import type { HoldOutcome } from '../../core/ledger/holds/hold-request.ts';
import { releaseExpired } from '../../core/ledger/posting/release-expired.ts';
import type { Ruling } from '../../core/policies/rules/ruling.ts';
import { toWeiText } from '../../core/store/wei.ts';
import { inWords } from '../support/core/in-words.ts';
import {
  chainId,
  contract,
  depositEvent,
  type HoldAsked,
  holdRequest,
  insertPaymaster,
  landedEvent,
  post,
  readTank,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';

const ledger = useLedger();
let queue: HoldQueue;

beforeEach(async () => {
  const clock = { now: () => 1_000 };
  queue = createHoldQueue(ledger.store, clock, []);
});

describe('holds', () => {
  test('a wallet that never deposited can carry nothing', async () => {
    const outcome = await queue.hold(holdRequest({ tank: tankOf(1), amount: 1n }));
    expect(outcome).toEqual({ kind: 'unfunded', rulings: [], available: 0n });
  });

  test('1,000 requests at once against a tank for 37: exactly 37 are held', async () => {
    await post(ledger.store, [depositEvent(1, 37n * 5n + 4n)]);
    const outcomes = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        queue.hold(holdRequest({ tank: tankOf(1), amount: 5n, nonce: BigInt(index) })),
      ),
    );
    expect(outcomes.filter((outcome) => outcome.kind === 'held')).toHaveLength(37);
    expect(await readTank(ledger.store, tankOf(1))).toEqual({ funded: 189n, settled: 0n, held: 185n });
  });

  test('a request that comes while a transaction waits for its turn is part of it', async () => {
    await post(ledger.store, [depositEvent(1, 100n)]);
    const events = new EventEmitter();
    let transactions = 0;
    const store: typeof ledger.store = {
      ...ledger.store,
      transaction: async (work) => {
        transactions += 1;
        const turn = once(events, 'turn');
        events.emit('waits');
        await turn;
        return ledger.store.transaction(work);
      },
    };
    const waiting = createHoldQueue(store, { now: () => 1_000 }, []);
    const waits = once(events, 'waits');
    const early = waiting.hold(holdRequest({ tank: tankOf(1), amount: 1n }));
    await waits;
    const late = waiting.hold(holdRequest({ tank: tankOf(1), amount: 1n, nonce: 1n }));
    events.emit('turn');
    expect([(await early).kind, (await late).kind, transactions]).toEqual(['held', 'held', 1]);
  });

  test('tenants on one contract never promise more than its deposit on chain', async () => {
    await post(ledger.store, [depositEvent(1, 100n), depositEvent(2, 100n)]);
    const chainDeposit = 150n;
    const first = await queue.hold(holdRequest({ tank: tankOf(1), amount: 90n, chainDeposit }));
    const second = await queue.hold(holdRequest({ tank: tankOf(2), amount: 90n, chainDeposit, nonce: 1n }));
    expect(first.kind).toBe('held');
    expect(second).toMatchObject({ kind: 'unfunded', available: 60n });
  });

  test('one tank never pays for another', async () => {
    await post(ledger.store, [depositEvent(1, 100n), depositEvent(2, 10n)]);
    const outcome = await queue.hold(holdRequest({ tank: tankOf(2), amount: 11n }));
    expect(outcome).toMatchObject({ kind: 'unfunded', available: 10n });
  });

  test('one sender and nonce has one live hold, of the largest amount', async () => {
    await post(ledger.store, [depositEvent(1, 100n)]);
    for (const amount of [30n, 50n, 40n]) await queue.hold(holdRequest({ tank: tankOf(1), amount }));
    expect(await readTank(ledger.store, tankOf(1))).toEqual({ funded: 100n, settled: 0n, held: 50n });
    const holds = await ledger.store.db.selectFrom('holds').select(['amount', 'state']).execute();
    expect(holds).toEqual([{ amount: toWeiText(50n), state: 'live' }]);
  });

  test('the same sender and nonce in one batch shares one hold too', async () => {
    await post(ledger.store, [depositEvent(1, 100n)]);
    const outcomes = await Promise.all(
      [30n, 60n, 100n, 101n].map((amount) => queue.hold(holdRequest({ tank: tankOf(1), amount }))),
    );
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['held', 'held', 'held', 'unfunded']);
    expect((await readTank(ledger.store, tankOf(1)))?.held).toBe(100n);
  });

  test('amounts beyond a 64-bit integer stay exact', async () => {
    const ether = 10n ** 18n;
    await post(ledger.store, [depositEvent(1, 123_456_789n * ether + 1n)]);
    const amount = 123_456_789n * ether;
    const chainDeposit = 10n ** 30n;
    expect((await queue.hold(holdRequest({ tank: tankOf(1), amount, chainDeposit }))).kind).toBe('held');
    const more = await queue.hold(holdRequest({ tank: tankOf(1), amount: 2n, nonce: 1n, chainDeposit }));
    expect(more).toMatchObject({ kind: 'unfunded', available: 1n });
  });
});

describe('the record of a decision', () => {
  /** The rulings that the record of a held request was made with. */
  async function rulingsOf(over: HoldAsked) {
    let seen: readonly Ruling[] = [];
    const decisionRow = (rulings: readonly Ruling[]) => {
      seen = rulings;
      return undefined;
    };
    expect(await queue.hold(holdRequest({ tank: tankOf(1), amount: 60n, ...over, decisionRow }))).toMatchObject({
      kind: 'held',
    });
    return inWords(seen);
  }

  test('says what was set aside of what, and what of it for the same nonce before', async () => {
    await post(ledger.store, [depositEvent(1, 100n)]);
    const same = { requestKey: 'same', validUntil: 1_000 };
    const rule = 'gas-tank';
    expect(await rulingsOf(same)).toEqual([{ rule, checked: 'worst case 60 wei', limit: '100 wei available' }]);
    expect(await rulingsOf({ amount: 70n })).toEqual([
      {
        rule,
        checked: 'worst case 70 wei, of which 60 wei are already held for the same nonce',
        limit: '40 wei available',
      },
    ]);
    const again = await rulingsOf(same);
    expect(again).toEqual([{ rule, checked: expect.stringContaining('was granted before') }]);
  });

  test('is kept with the hold, and with none that was refused', async () => {
    await post(ledger.store, [depositEvent(1, 100n)]);
    const row = (decision_id: string) => () => ({
      decision_id,
      paymaster_id: 'paymaster',
      chain_id: chainId,
      method: 'method',
      outcome: 'signed' as const,
      record: '{}',
      reasons: Buffer.of(3),
      created_at: 1,
    });
    const ask = (amount: bigint, name: string) =>
      queue.hold(holdRequest({ tank: tankOf(1), amount, nonce: amount, decisionRow: row(name) }));
    const [first, , second] = await Promise.all([ask(10n, 'first'), ask(101n, 'refused'), ask(20n, 'second')]);
    const kept = await ledger.store.db.selectFrom('decisions').select(['decision_id', 'hold_id']).execute();
    const holdOf = (outcome: HoldOutcome) => (outcome.kind === 'held' ? outcome.holdId : outcome.kind);
    expect(kept).toEqual([
      { decision_id: 'first', hold_id: holdOf(first) },
      { decision_id: 'second', hold_id: holdOf(second) },
    ]);
  });
});

describe('what would be held', () => {
  test('is decided as the queue decides it, and nothing is set aside', async () => {
    const dry = createDryHolds(ledger.store, { now: () => 1_000 });
    const ask = (over: HoldAsked) => dry.hold(holdRequest({ tank: tankOf(1), amount: 60n, ...over }));
    expect(await ask({})).toEqual({ kind: 'unfunded', rulings: [], available: 0n });
    await post(ledger.store, [depositEvent(1, 100n)]);
    let seen: readonly Ruling[] = [];
    const decisionRow = (rulings: readonly Ruling[]) => {
      seen = rulings;
      return undefined;
    };
    for (let times = 0; times < 2; times += 1) expect(await ask({ decisionRow })).toEqual({ kind: 'held', holdId: 0 });
    expect(inWords(seen)).toMatchObject([{ rule: 'gas-tank', limit: '100 wei available' }]);
    expect(await readTank(ledger.store, tankOf(1))).toEqual({ funded: 100n, settled: 0n, held: 0n });
    await queue.hold(holdRequest({ tank: tankOf(1), amount: 60n, requestKey: 'same', terms: 'first' }));
    expect(await ask({ requestKey: 'same', terms: 'second' })).toEqual({ kind: 'held', holdId: 0, terms: 'first' });
    expect(await ask({ nonce: 1n })).toMatchObject({ kind: 'unfunded', available: 40n });
  });
});

test('requests that arrive while others are committed share the next commit', async () => {
  await post(ledger.store, [depositEvent(1, 100n)]);
  let [commits, begin, end] = [0, () => {}, () => {}];
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const ended = new Promise<void>((resolve) => (end = resolve));
  const alsoWrite = async () => {
    commits += 1;
    begin();
    await ended;
    return () => {};
  };
  const slow = createHoldQueue(ledger.store, { now: () => 1_000 }, [{ alsoWrite }]);
  const ask = (nonce: bigint) => slow.hold(holdRequest({ tank: tankOf(1), amount: 5n, nonce }));
  const asked = [ask(0n)];
  await begun;
  for (const nonce of [1n, 2n, 3n]) {
    asked.push(ask(nonce));
    await nextTurn();
  }
  end();
  expect((await Promise.all(asked)).map(({ kind }) => kind)).toEqual(['held', 'held', 'held', 'held']);
  expect(commits).toBe(2);
});

test('holds of one commit are gone on with one after the other, so that no answer waits for the rest', async () => {
  await post(ledger.store, [depositEvent(1, 100n)]);
  const seen: string[] = [];
  async function answer(name: string, nonce: bigint): Promise<void> {
    await queue.hold(holdRequest({ tank: tankOf(1), amount: 1n, nonce }));
    seen.push(`${name} held`);
    for (let step = 0; step < 100; step += 1) await undefined;
    seen.push(`${name} answered`);
  }
  await Promise.all([answer('first', 0n), answer('second', 1n)]);
  expect(seen).toEqual(['first held', 'first answered', 'second held', 'second answered']);
});

describe('a queue whose store fails', () => {
  test('rejects those that waited, tells no passenger that it has arrived, and serves the next ones', async () => {
    await post(ledger.store, [depositEvent(1, 100n)]);
    let [isFull, arrived] = [true, 0];
    const passenger = {
      alsoWrite: async () => {
        if (isFull) throw new Error('the disk is full');
        return () => {
          arrived += 1;
        };
      },
    };
    const failing = createHoldQueue(ledger.store, { now: () => 1_000 }, [passenger]);
    const ask = (nonce: bigint) => failing.hold(holdRequest({ tank: tankOf(1), amount: 5n, nonce }));
    const outcomes = await Promise.allSettled([ask(0n), ask(1n)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await readTank(ledger.store, tankOf(1)))?.held).toBe(0n);
    expect(arrived).toBe(0);
    isFull = false;
    expect(await ask(2n)).toMatchObject({ kind: 'held' });
    expect(arrived).toBe(1);
    expect((await readTank(ledger.store, tankOf(1)))?.held).toBe(5n);
  });
});

test('what was decided on a paymaster that has changed since holds nothing', async () => {
  await post(ledger.store, [depositEvent(1, 100n)]);
  const owned = { paymasterId: crypto.randomUUID(), accountId: crypto.randomUUID() };
  await insertPaymaster(ledger.store, owned);
  const asked = { tank: tankOf(1), paymasterId: owned.paymasterId, amount: 10n };
  await ledger.store.transaction((trx) => trx.updateTable('paymasters').set({ changes: 3 }).execute());
  const outcomes = await Promise.all(
    [2, 3, 4].map((paymasterChanges, index) =>
      queue.hold(holdRequest({ ...asked, paymasterChanges, nonce: BigInt(index) })),
    ),
  );
  expect(outcomes.map(({ kind }) => kind)).toEqual(['changed', 'held', 'changed']);
  expect(await readTank(ledger.store, tankOf(1))).toMatchObject({ held: 10n });
});

describe('a queue that is full', () => {
  test('turns further requests away at once and serves those that wait', async () => {
    await post(ledger.store, [depositEvent(1, 10_000n)]);
    const outcomes = await Promise.all(
      Array.from({ length: 4_100 }, (_, index) =>
        queue.hold(holdRequest({ tank: tankOf(1), amount: 1n, nonce: BigInt(index) })),
      ),
    );
    expect(outcomes.filter((outcome) => outcome.kind === 'held')).toHaveLength(4_096);
    expect(outcomes.at(-1)).toEqual({ kind: 'busy' });
  });

  test('turns away the account that fills it, and none that asks for little', async () => {
    await post(ledger.store, [depositEvent(1, 10_000n), depositEvent(2, 10_000n)]);
    const flood = Array.from({ length: 4_500 }, (_, index) =>
      queue.hold(holdRequest({ accountId: 'flooder', tank: tankOf(1), amount: 1n, nonce: BigInt(index) })),
    );
    const modest = Array.from({ length: 100 }, (_, index) =>
      queue.hold(holdRequest({ accountId: 'modest', tank: tankOf(2), amount: 1n, nonce: BigInt(index) })),
    );
    expect(new Set((await Promise.all(modest)).map(({ kind }) => kind))).toEqual(new Set(['held']));
    const kinds = (await Promise.all(flood)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'held')).toHaveLength(4_096 - 100);
  });

  test('of two accounts, the one that asks for little does not wait for what the other asked for before', async () => {
    await post(ledger.store, [depositEvent(1, 10_000n), depositEvent(2, 10_000n)]);
    let done = 0;
    const flood = Array.from({ length: 2_000 }, (_, index) =>
      queue
        .hold(holdRequest({ accountId: 'flooder', tank: tankOf(1), amount: 1n, nonce: BigInt(index) }))
        .then(() => (done += 1)),
    );
    await queue.hold(holdRequest({ accountId: 'modest', tank: tankOf(2), amount: 1n }));
    // A transaction takes 256 of them.
    expect(done).toBeLessThanOrEqual(256);
    await Promise.all(flood);
  });
});

describe('settling and releasing', () => {
  test('an operation that landed settles at its actual cost and gives the rest back', async () => {
    await post(ledger.store, [depositEvent(1, 100n)]);
    await queue.hold(holdRequest({ tank: tankOf(1), amount: 60n, nonce: 7n }));
    await post(ledger.store, [landedEvent(0xa1, 7n, 25n)]);
    expect(await readTank(ledger.store, tankOf(1))).toEqual({ funded: 100n, settled: 25n, held: 0n });
  });

  test('a hold of another tank for the same nonce is released when the nonce is used up', async () => {
    await post(ledger.store, [depositEvent(1, 100n), depositEvent(2, 100n)]);
    await queue.hold(holdRequest({ tank: tankOf(1), amount: 60n }));
    const second = await queue.hold(holdRequest({ tank: tankOf(2), amount: 60n }));
    if (second.kind !== 'held') throw new Error('The second hold was not made.');
    const landed = landedEvent(0xa1, 0n, 25n);
    if (landed.kind !== 'user-operation') throw new Error('unreachable');
    await ledger.store.db
      .insertInto('signatures')
      .values({ user_operation_hash: landed.userOperationHash, hold_id: second.holdId, created_at: 1 })
      .execute();
    await post(ledger.store, [landed]);
    expect(await readTank(ledger.store, tankOf(1))).toEqual({ funded: 100n, settled: 0n, held: 0n });
    expect(await readTank(ledger.store, tankOf(2))).toEqual({ funded: 100n, settled: 25n, held: 0n });
  });

  test('of two tanks that have signed the same bytes, the one that held last pays', async () => {
    await post(ledger.store, [depositEvent(1, 100n), depositEvent(2, 100n)]);
    const landed = landedEvent(0xa1, 0n, 25n);
    if (landed.kind !== 'user-operation') throw new Error('unreachable');
    for (const nth of [1, 2]) {
      const held = await queue.hold(holdRequest({ tank: tankOf(nth), amount: 60n }));
      if (held.kind !== 'held') throw new Error(`Hold ${nth} was not made.`);
      await ledger.store.db
        .insertInto('signatures')
        .values({ user_operation_hash: landed.userOperationHash, hold_id: held.holdId, created_at: 1 })
        .execute();
    }
    await post(ledger.store, [landed]);
    expect(await readTank(ledger.store, tankOf(1))).toEqual({ funded: 100n, settled: 0n, held: 0n });
    expect(await readTank(ledger.store, tankOf(2))).toEqual({ funded: 100n, settled: 25n, held: 0n });
  });

  test('an operation that no hold explains changes no tank and is reported', async () => {
    await post(ledger.store, [depositEvent(1, 100n)]);
    const landed = landedEvent(0xbb, 3n, 25n);
    expect(await post(ledger.store, [landed])).toEqual([landed]);
    expect(await readTank(ledger.store, tankOf(1))).toEqual({ funded: 100n, settled: 0n, held: 0n });
  });

  test('a hold is released only when the chain has gone past its validUntil', async () => {
    await post(ledger.store, [depositEvent(1, 100n)]);
    await queue.hold(holdRequest({ tank: tankOf(1), amount: 60n, validUntil: 500 }));
    const releaseAt = (chainTime: number) =>
      ledger.store.transaction((transaction) => releaseExpired(transaction, { chainId, contract, chainTime }, 1));
    await releaseAt(500);
    expect((await readTank(ledger.store, tankOf(1)))?.held).toBe(60n);
    await releaseAt(501);
    expect((await readTank(ledger.store, tankOf(1)))?.held).toBe(0n);
  });
});

test('of many holds that have expired so many are released at once, and the rest is told of', async () => {
  await post(ledger.store, [depositEvent(1, 2_000n)]);
  const nonces = Array.from({ length: 101 }, (_, nonce) => BigInt(nonce));
  await Promise.all(nonces.map((nonce) => queue.hold(holdRequest({ tank: tankOf(1), amount: 1n, nonce }))));
  const release = () =>
    ledger.store.transaction((transaction) => releaseExpired(transaction, { chainId, contract, chainTime: 1_001 }, 1));
  expect(await release()).toEqual({ released: 100, more: true });
  expect((await readTank(ledger.store, tankOf(1)))?.held).toBe(1n);
  expect(await release()).toEqual({ released: 1, more: false });
  expect((await readTank(ledger.store, tankOf(1)))?.held).toBe(0n);
});

describe('the database itself', () => {
  test('refuses to change or delete an entry', async () => {
    await post(ledger.store, [depositEvent(1, 5n)]);
    const change = ledger.store.db
      .updateTable('journal')
      .set({ amount: toWeiText(6n) })
      .execute();
    await expect(change).rejects.toThrow(/never changed/);
    await expect(ledger.store.db.deleteFrom('journal').execute()).rejects.toThrow(/never deleted/);
  });

  test('refuses the same log twice', async () => {
    const deposit = depositEvent(1, 5n);
    await post(ledger.store, [deposit]);
    await expect(post(ledger.store, [deposit])).rejects.toThrow(/unique/i);
    expect((await readTank(ledger.store, tankOf(1)))?.funded).toBe(5n);
  });
});

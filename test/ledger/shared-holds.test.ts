import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { holdBatch } from '../../core/ledger/holds/hold-batch.ts';
import { revertTo } from '../../core/ledger/revert/revert-to.ts';
import type { ChainEvent } from '../../core/node/chain-event.ts';
import {
  chainId,
  contract,
  depositEvent,
  type HoldAsked,
  holdRequest,
  landedEvent,
  paidInTokens,
  post,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';

// What users pay of an operation is held, and is no part of what limits count.

const ledger = useLedger();
beforeEach(async () => {
  await post(ledger.store, [depositEvent(1, 10n ** 30n)]);
});

async function hold(amount: bigint, over: HoldAsked) {
  const request = holdRequest({ tank: tankOf(1), amount, nonce: 1n, mode: 'ERC20', ...over });
  const [outcome] = await ledger.store.transaction((transaction) => holdBatch(transaction, [request], 1));
  return outcome;
}

const rows = async () =>
  (await ledger.store.db.selectFrom('holds').selectAll().execute()).map((row) => ({
    state: row.state,
    limitWei: row.limit_wei === null ? undefined : BigInt(row.kept_wei ?? row.limit_wei),
    usersPaid: row.users_paid === null ? undefined : BigInt(row.users_paid),
    unpaid: row.unpaid === null ? undefined : BigInt(row.unpaid),
  }));

const landed = (cost: bigint, payment = true): ChainEvent => {
  const event = landedEvent(0xa1, 1n, cost);
  return payment ? paidInTokens(event, 7n) : event;
};

test('of a hold the sponsor’s part counts, and of the charge what the user does not pay', async () => {
  await hold(1_001n, { userPercent: 30 });
  expect(await rows()).toMatchObject([{ state: 'live', limitWei: 701n }]);
  await post(ledger.store, [landed(501n)]);
  expect(await rows()).toMatchObject([{ state: 'settled', limitWei: 351n, usersPaid: 150n }]);
});

test('of a hold that is asked for with several shares the largest part counts, whichever comes first', async () => {
  await hold(1_000n, { userPercent: 80, requestKey: 'a' });
  await hold(1_000n, { userPercent: 20, requestKey: 'b' });
  await hold(1_000n, { userPercent: 50, requestKey: 'c' });
  await post(ledger.store, [landed(100n)]);
  expect(await rows()).toMatchObject([{ limitWei: 80n, usersPaid: 20n }]);
});

test('a share does not make less of what was sponsored as a whole before', async () => {
  await hold(1_000n, { mode: 'SPONSORED', requestKey: 'a' });
  await hold(1_000n, { userPercent: 50, requestKey: 'b' });
  await post(ledger.store, [landed(100n, false)]);
  expect(await rows()).toMatchObject([{ limitWei: 100n, usersPaid: 0n }]);
});

test('a share counts where the user was to pay all before', async () => {
  await hold(1_000n, { requestKey: 'a' });
  expect(await rows()).toMatchObject([{ limitWei: undefined }]);
  await hold(1_000n, { userPercent: 40, requestKey: 'b' });
  expect(await rows()).toMatchObject([{ limitWei: 600n }]);
});

test('in token mode without a share the user pays all of it, and nothing counts', async () => {
  await hold(1_000n, {});
  await post(ledger.store, [landed(100n)]);
  expect(await rows()).toMatchObject([{ limitWei: undefined, usersPaid: 100n }]);
});

test('what lands without the payment that was due lacks the user’s part, and no more', async () => {
  await hold(1_000n, { userPercent: 25, unpaidBudget: { maxUnpaidSharePerSender: 1, maxUnpaidSharePerPaymaster: 1 } });
  await post(ledger.store, [landed(101n, false)]);
  expect(await rows()).toMatchObject([{ limitWei: 76n, usersPaid: 0n, unpaid: 25n }]);
});

test('an operation that leaves the chain counts its worst case again, and its user has paid nothing', async () => {
  await hold(1_000n, { userPercent: 30 });
  const event = landed(500n);
  await post(ledger.store, [event]);
  await ledger.store.transaction(async (transaction) => {
    const watch = await transaction.selectFrom('contract_watches').select('next_block').executeTakeFirstOrThrow();
    const toBlock = event.blockNumber - 1n;
    const reversal = {
      chainId,
      contract,
      watchBefore: BigInt(watch.next_block),
      toBlock,
      nextBlock: toBlock + 1n,
    } as const;
    await revertTo(transaction, { ...reversal, lastHash: '0x' }, 2);
  });
  expect(await rows()).toMatchObject([{ state: 'live', limitWei: 700n, usersPaid: undefined }]);
  const days = await ledger.store.db.selectFrom('tank_days').select(['back', 'users_paid']).orderBy('back').execute();
  expect(days.map(({ back, users_paid }) => [back, BigInt(users_paid)])).toEqual([
    [0, 150n],
    [1, 150n],
  ]);
});

test('a limit has room for exactly so many wei of the sponsor’s parts', async () => {
  const numbers = fc.record({
    amount: fc.bigInt({ min: 1n, max: 10n ** 20n }),
    percent: fc.integer({ min: 1, max: 99 }),
  });
  await fc.assert(
    fc.asyncProperty(numbers, fc.bigInt({ min: 0n, max: 10n ** 6n }), async ({ amount, percent }, nonce) => {
      const part = (amount * BigInt(100 - percent) + 99n) / 100n;
      const ticketOf = (max: bigint) => ({
        ticketUser: 'subject:someone',
        ticket: {
          id: `ticket:${amount}-${percent}-${nonce}-${max}`,
          endsAt: 100,
          limits: [{ per: 'ticket', window: 'ever', unit: 'wei', max }] as const,
        },
      });
      const asked = { userPercent: percent, nonce, sender: `0x${amount.toString(16).padStart(40, '0')}` } as const;
      expect(await hold(amount, { ...asked, ...ticketOf(part - 1n) })).toMatchObject({ kind: 'limited' });
      expect(await hold(amount, { ...asked, ...ticketOf(part) })).toMatchObject({ kind: 'held' });
    }),
    { numRuns: 40 },
  );
});

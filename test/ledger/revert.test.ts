import fc from 'fast-check';

import { pad } from 'viem';
import { describe, expect, test } from 'vitest';
import { readTokenPayments } from '../../core/decisions/stored-decision.ts';
import { defaultHoldCaps } from '../../core/domain/chain-config.ts';
import { holdBatch } from '../../core/ledger/holds/hold-batch.ts';
import { passBlock } from '../../core/ledger/posting/pass-block.ts';
import { releaseExpired } from '../../core/ledger/posting/release-expired.ts';
import { revertTo } from '../../core/ledger/revert/revert-to.ts';
import { readGasTankEntries } from '../../core/ledger/tanks/read-gas-tank.ts';
import { readStrayDeposits } from '../../core/ledger/tanks/read-stray-deposits.ts';
import type { ChainEvent } from '../../core/node/chain-event.ts';
import type { Store } from '../../core/store/store.ts';
import { checkContractLedger } from '../support/core/check-contract-ledger.ts';
import {
  chainId,
  chargedEvent,
  contract,
  customerDeposit,
  customerWithdrawal,
  depositEvent,
  type HoldAsked,
  holdRequest,
  landedEvent,
  openLedger,
  paidInTokens,
  post,
  readTank,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';

const ledger = useLedger();

const sender = 0xa1;
const tank = () => readTank(ledger.store, tankOf(1));

async function hold(store: Store, amount: bigint, nonce: bigint) {
  const request = holdRequest({ tank: tankOf(1), amount, nonce });
  await store.transaction((transaction) => holdBatch(transaction, [request], 1));
}

function checkedLedger(store: Store, keepsBalances = false) {
  return store.transaction((transaction) => checkContractLedger(transaction, { chainId, contract, keepsBalances }));
}

/** The blocks from that of the first of these events on are no longer on the chain. */
async function goneFrom(store: Store, [first]: readonly ChainEvent[]): Promise<void> {
  if (first === undefined) return;
  await store.transaction(async (transaction) => {
    const { next_block } = await transaction
      .selectFrom('contract_watches')
      .select('next_block')
      .executeTakeFirstOrThrow();
    const toBlock = first.blockNumber - 1n;
    const reversal = { chainId, contract, watchBefore: BigInt(next_block), toBlock, nextBlock: toBlock + 1n } as const;
    await revertTo(transaction, { ...reversal, lastHash: '0x' }, 2);
  });
}

const holds = () =>
  ledger.store.db
    .selectFrom('holds')
    .select(['state', 'charge', 'success', 'landed_tx', 'unpaid'])
    .orderBy('hold_id')
    .execute();

describe('an operation that landed in a block that is gone', () => {
  test('has the status signed again, and is posted once when it lands again', async () => {
    await post(ledger.store, [depositEvent(1, 500n)]);
    await hold(ledger.store, 100n, 1n);
    const landed = landedEvent(sender, 1n, 60n);
    await post(ledger.store, [landed]);
    expect(await tank()).toEqual({ funded: 500n, settled: 60n, held: 0n });

    await goneFrom(ledger.store, [landed]);
    expect(await tank()).toEqual({ funded: 500n, settled: 0n, held: 100n });
    expect(await holds()).toEqual([{ state: 'live', charge: null, success: null, landed_tx: null, unpaid: null }]);
    expect(await checkedLedger(ledger.store)).toMatchObject({ bookDeposit: 500n, held: 100n, settled: 0n, faults: [] });

    await post(ledger.store, [{ ...landed, actualGasCost: 70n }]);
    expect(await tank()).toEqual({ funded: 500n, settled: 70n, held: 0n });
    expect(await checkedLedger(ledger.store)).toMatchObject({ bookDeposit: 430n, unexplainedCosts: 0n, faults: [] });
  });

  test('is held no more where another hold of its nonce exists', async () => {
    await post(ledger.store, [depositEvent(1, 500n)]);
    await hold(ledger.store, 100n, 1n);
    const landed = landedEvent(sender, 1n, 60n);
    await post(ledger.store, [landed]);
    await hold(ledger.store, 120n, 1n);
    await goneFrom(ledger.store, [landed]);
    expect((await holds()).map(({ state }) => state)).toEqual(['released', 'live']);
    // By it the row goes into the archive some day.
    const [covered] = await ledger.store.db.selectFrom('holds').select('ended_at').orderBy('hold_id').execute();
    expect(covered?.ended_at).not.toBeNull();
    expect(await tank()).toEqual({ funded: 500n, settled: 0n, held: 120n });
    expect(await checkedLedger(ledger.store)).toMatchObject({ faults: [] });
  });

  test('is released as before where its hold had expired before it landed, and goes into the archive some day', async () => {
    await post(ledger.store, [depositEvent(1, 500n)]);
    const userOperationHash = pad('0xabc', { size: 32 });
    const relayed = { userOperationHash, operation: '{}' };
    const request = holdRequest({ tank: tankOf(1), amount: 100n, nonce: 1n, relayed });
    await ledger.store.transaction((transaction) => holdBatch(transaction, [request], 1));
    const expired = { chainId, contract, chainTime: request.validUntil + 1 };
    await ledger.store.transaction((transaction) => releaseExpired(transaction, expired, request.validUntil + 1));
    const landed = { ...landedEvent(sender, 1n, 60n), userOperationHash, relayed: true as const };
    await post(ledger.store, [landed]);
    expect(await tank()).toEqual({ funded: 500n, settled: 60n, held: 0n });
    await goneFrom(ledger.store, [landed]);
    expect(await tank()).toEqual({ funded: 500n, settled: 0n, held: 0n });
    const [stored] = await ledger.store.db
      .selectFrom('holds')
      .select(['state', 'released_because', 'ended_at', 'charge'])
      .execute();
    expect(stored).toEqual({
      state: 'released',
      released_because: 'expired',
      ended_at: expect.any(Number),
      charge: null,
    });
    expect(await checkedLedger(ledger.store)).toMatchObject({ faults: [] });
  });

  test('is held again next to a hold that another paymaster has made for its nonce', async () => {
    await post(ledger.store, [depositEvent(1, 500n)]);
    await hold(ledger.store, 100n, 1n);
    const landed = landedEvent(sender, 1n, 60n);
    await post(ledger.store, [landed]);
    const other = holdRequest({ tank: tankOf(1), amount: 120n, nonce: 1n, paymasterId: 'another' });
    await ledger.store.transaction((transaction) => holdBatch(transaction, [other], 1));
    await goneFrom(ledger.store, [landed]);
    expect((await holds()).map(({ state }) => state)).toEqual(['live', 'live']);
    expect(await tank()).toEqual({ funded: 500n, settled: 0n, held: 220n });
    expect(await checkedLedger(ledger.store)).toMatchObject({ faults: [] });
  });

  test('counts for the client that asked for it, once', async () => {
    await post(ledger.store, [depositEvent(1, 1_000n)]);
    const ask = async (over: HoldAsked) => {
      const request = holdRequest({ tank: tankOf(1), amount: 10n, caps, client: 'a', ...over });
      const [outcome] = await ledger.store.transaction((transaction) => holdBatch(transaction, [request], 1));
      return outcome?.kind;
    };
    const caps = { ...defaultHoldCaps, maxOpenHoldsPerSender: 2, maxShareOfTankPerSender: 0.1 };
    await ask({ nonce: 1n, amount: 40n });
    await ask({ nonce: 2n, amount: 40n });
    const landed = [landedEvent(sender, 1n, 3n)];
    await post(ledger.store, landed);
    await goneFrom(ledger.store, landed);
    expect(await ask({ nonce: 3n })).toBe('limited');
    expect(await ask({ nonce: 3n, client: 'b' })).toBe('held');
    expect(await ask({ nonce: 1n, amount: 60n })).toBe('held');
    expect(await ask({ nonce: 1n, amount: 61n })).toBe('limited');
  });

  test('has paid no tokens until it lands again', async () => {
    await post(ledger.store, [depositEvent(1, 500n)]);
    await hold(ledger.store, 100n, 1n);
    const landed = paidInTokens(landedEvent(sender, 1n, 60n), 7n);
    await post(ledger.store, [landed]);
    const paid = async () => [...(await readTokenPayments(ledger.store.db, [1])).values()].map(({ amount }) => amount);
    expect(await paid()).toEqual([7n]);
    // The next block alone is gone first.
    const next = depositEvent(1, 5n);
    await post(ledger.store, [next]);
    await goneFrom(ledger.store, [next]);
    expect(await paid()).toEqual([7n]);
    await goneFrom(ledger.store, [landed]);
    expect(await paid()).toEqual([]);
    await post(ledger.store, [landed]);
    expect(await paid()).toEqual([7n]);
  });
});

test('a deposit that is gone while holds rely on it is a shortfall until it lands again', async () => {
  const deposit = depositEvent(1, 500n);
  await post(ledger.store, [deposit]);
  await hold(ledger.store, 100n, 1n);
  await goneFrom(ledger.store, [deposit]);
  expect(await tank()).toEqual({ funded: 0n, settled: 0n, held: 100n });
  expect(await checkedLedger(ledger.store)).toMatchObject({ bookDeposit: 0n, funded: 0n, shortfall: 100n, faults: [] });
  await post(ledger.store, [deposit]);
  expect(await tank()).toEqual({ funded: 500n, settled: 0n, held: 100n });
  expect(await checkedLedger(ledger.store)).toMatchObject({ bookDeposit: 500n, shortfall: 0n, faults: [] });
});

test('customers get back what was taken from them and lose what they put in', async () => {
  await post(ledger.store, customerDeposit(1, 500n));
  const gone = [...customerWithdrawal(1, 50n), chargedEvent(landedEvent(sender, 9n, 60n), 1, 75n)];
  await post(ledger.store, [...gone, ...customerDeposit(1, 1_000n)]);
  await goneFrom(ledger.store, gone);
  expect(await tank()).toEqual({ funded: 500n, settled: 0n, held: 0n });
  expect(await checkedLedger(ledger.store, true)).toMatchObject({ bookDeposit: 500n, faults: [] });
});

test('what a customer had withdrawn despite its holds is there again at once', async () => {
  await post(ledger.store, customerDeposit(1, 500n));
  await hold(ledger.store, 100n, 1n);
  const gone = customerWithdrawal(1, 450n);
  await post(ledger.store, gone);
  expect(await checkedLedger(ledger.store, true)).toMatchObject({ funded: 50n, shortfall: 50n, faults: [] });
  await goneFrom(ledger.store, gone);
  expect(await checkedLedger(ledger.store, true)).toMatchObject({
    funded: 500n,
    shortfall: 0n,
    held: 100n,
    faults: [],
  });
});

test('there is no later rollback to blocks that are gone', async () => {
  const deposits = [depositEvent(1, 1n), depositEvent(1, 2n)];
  for (const deposit of deposits) {
    await post(ledger.store, [deposit]);
    await passBlock(
      ledger.store,
      { chainId, contracts: [contract] },
      { number: deposit.blockNumber, hash: deposit.txHash },
    );
  }
  await passBlock(ledger.store, { chainId: chainId + 1, contracts: [contract] }, { number: 10n ** 9n, hash: '0x' });
  await goneFrom(ledger.store, deposits.slice(1));
  const left = await ledger.store.db.selectFrom('passed_blocks').select(['chain_id', 'block_number']).execute();
  expect(left).toEqual([
    { chain_id: chainId, block_number: Number(deposits[0]?.blockNumber) },
    { chain_id: chainId + 1, block_number: 10 ** 9 },
  ]);
});

test('what was rolled back, posted again and rolled back again counts once each time', async () => {
  await post(ledger.store, [depositEvent(1, 500n)]);
  await hold(ledger.store, 100n, 1n);
  const gone = [paidInTokens(landedEvent(sender, 1n, 60n), 7n), depositEvent(1, 40n)];
  for (const _ of [1, 2]) {
    await post(ledger.store, gone);
    expect(await tank()).toEqual({ funded: 540n, settled: 60n, held: 0n });
    await goneFrom(ledger.store, gone);
    expect(await tank()).toEqual({ funded: 500n, settled: 0n, held: 100n });
    expect(await checkedLedger(ledger.store)).toMatchObject({ bookDeposit: 500n, faults: [] });
  }
});

test('a deposit of no tank that is gone cannot be credited', async () => {
  const stray: ChainEvent = {
    ...depositEvent(1, 0n),
    kind: 'deposit',
    totalDeposit: 9n,
    rise: 9n,
    direct: undefined as never,
  };
  await post(ledger.store, [stray]);
  const strays = () => ledger.store.transaction((transaction) => readStrayDeposits(transaction, { chainId, contract }));
  expect(await strays()).toMatchObject([{ amount: 9n }]);
  await goneFrom(ledger.store, [stray]);
  expect(await strays()).toEqual([]);
});

test('nothing is deleted: an account holder sees what was rolled back', async () => {
  const deposit = depositEvent(1, 500n);
  await post(ledger.store, [deposit]);
  await goneFrom(ledger.store, [deposit]);
  const entries = await ledger.store.transaction((transaction) =>
    readGasTankEntries(transaction, tankOf(1), { limit: 10 }),
  );
  expect(entries).toMatchObject([
    { entryId: 2, kind: 'deposit', amount: 500n, reverses: 1 },
    { entryId: 1, kind: 'deposit', amount: 500n },
  ]);
  expect(entries[1]?.reverses).toBeUndefined();
});

test('a second process that has moved the watch meanwhile is not undone', async () => {
  const deposit = depositEvent(1, 500n);
  await post(ledger.store, [deposit]);
  const reversal = { chainId, contract, watchBefore: 0n, toBlock: 0n, nextBlock: 1n, lastHash: '0x' } as const;
  const late = ledger.store.transaction((transaction) => revertTo(transaction, reversal, 2));
  await expect(late).rejects.toThrow('no longer where this stretch begins');
  expect(await tank()).toMatchObject({ funded: 500n });
});

/** Something that happens: a deposit, a signature, or the landing of an operation. */
const happening = fc.oneof(
  fc.record({ does: fc.constant('deposit' as const), amount: fc.bigInt(1n, 1_000n) }),
  fc.record({ does: fc.constant('hold' as const), amount: fc.bigInt(1n, 300n), nonce: fc.bigInt(0n, 5n) }),
  fc.record({ does: fc.constant('land' as const), cost: fc.bigInt(1n, 300n), nonce: fc.bigInt(0n, 5n) }),
);

test('a ledger that was rolled back and read again equals one that never was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 3, maxLength: 12 }), fc.nat(12), async (story, cut) => {
      const lab = await openLedger();
      try {
        const events: ChainEvent[] = [];
        await post(lab.store, [depositEvent(1, 5_000n)]);
        const landed = new Set<bigint>();
        for (const one of story) {
          if (one.does === 'hold') {
            if (!landed.has(one.nonce)) await hold(lab.store, one.amount, one.nonce);
            continue;
          }
          if (one.does === 'land' && landed.has(one.nonce)) continue;
          if (one.does === 'land') landed.add(one.nonce);
          const event = one.does === 'deposit' ? depositEvent(1, one.amount) : landedEvent(sender, one.nonce, one.cost);
          events.push(event);
          await post(lab.store, [event]);
        }
        const before = [await readTank(lab.store, tankOf(1)), await checkedLedger(lab.store)];
        const gone = events.slice(cut);
        await goneFrom(lab.store, gone);
        expect(await checkedLedger(lab.store)).toMatchObject({ faults: [] });
        await post(lab.store, gone);
        expect([await readTank(lab.store, tankOf(1)), await checkedLedger(lab.store)]).toEqual(before);
      } finally {
        await lab.close();
      }
    }),
    { numRuns: 40 },
  );
});

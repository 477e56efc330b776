import { expect, test } from 'vitest';
import { createMetricRegistry } from '../../core/base/metrics/metric-registry.ts';
import { holdBatch } from '../../core/ledger/holds/hold-batch.ts';
import {
  countEntries,
  maxEntriesAtOnce,
  maxShortTanks,
  newestEntry,
  readShortTanks,
} from '../../core/ledger/ledger-metrics.ts';
import { addSettled } from '../../core/ledger/tanks/tank-days.ts';
import { followEntries } from '../../core/runtime/metrics/create-metric-reader.ts';
import { toWeiText } from '../../core/store/wei.ts';
import { renderMetrics } from '../../gateway/metrics.ts';
import {
  chainId,
  contract,
  depositEvent,
  holdRequest,
  numberedAddress,
  plenty,
  post,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';
import { readMetrics, sumOf } from '../support/metrics/scrape.ts';

const ledger = useLedger();

const hold = (amount: bigint, nonce: bigint) =>
  ledger.store.transaction((transaction) =>
    holdBatch(transaction, [holdRequest({ tank: tankOf(1), amount, nonce })], 1),
  );

test('entries from before the start are not counted, and each later one is counted once', async () => {
  const { store } = ledger;
  await post(store, [depositEvent(1, 1_000n)]);
  const metrics = createMetricRegistry();
  const follower = followEntries(store, metrics, await newestEntry(store.db));
  await post(store, [depositEvent(1, 10n)]);
  await follower.catchUp();
  await post(store, [depositEvent(1, 30n)]);
  await follower.catchUp();
  await follower.catchUp();
  const samples = readMetrics(renderMetrics(metrics.read()));
  const labels = { chain: String(chainId), contract, kind: 'deposit', reversal: 'no' };
  expect(sumOf(samples, 'tollfree_gas_tank_entries_total', labels)).toBe(2);
  expect(sumOf(samples, 'tollfree_gas_tank_entries_wei_total', labels)).toBe(40);
});

test('an entry that reverses another counts by itself, and is no landing', async () => {
  const { store } = ledger;
  await post(store, [depositEvent(1, 1_000n)]);
  const metrics = createMetricRegistry();
  const follower = followEntries(store, metrics, await newestEntry(store.db));
  const { tank_id } = await store.db.selectFrom('tanks').select('tank_id').executeTakeFirstOrThrow();
  const wei = toWeiText(7n);
  const settle = {
    contract_id: 1,
    tank_id,
    kind: 'settle',
    amount: wei,
    moved: wei,
    reversal: 0,
    created_at: 1,
  } as const;
  const first = await store.db.insertInto('journal').values(settle).returning('entry_id').executeTakeFirstOrThrow();
  await store.db
    .insertInto('journal')
    .values({ ...settle, reverses: first.entry_id })
    .execute();
  await follower.catchUp();
  const samples = readMetrics(renderMetrics(metrics.read()));
  expect(sumOf(samples, 'tollfree_gas_tank_entries_wei_total', { kind: 'settle', reversal: 'no' })).toBe(7);
  expect(sumOf(samples, 'tollfree_gas_tank_entries_wei_total', { kind: 'settle', reversal: 'yes' })).toBe(7);
  expect(sumOf(samples, 'tollfree_landed_operations_total')).toBe(1);
});

test('many entries are added up in steps', async () => {
  const { store } = ledger;
  await post(store, [depositEvent(1, 1_000n)]);
  const { tank_id } = await store.db.selectFrom('tanks').select('tank_id').executeTakeFirstOrThrow();
  const rows = Array.from(
    { length: 1_000 },
    () =>
      ({
        contract_id: 1,
        tank_id,
        kind: 'credit',
        reason: 'test',
        amount: toWeiText(1n),
        moved: toWeiText(0n),
        reversal: 0,
        created_at: 1,
      }) as const,
  );
  await store.transaction(async (transaction) => {
    for (let step = 0; step <= maxEntriesAtOnce; step += rows.length) {
      await transaction.insertInto('journal').values(rows).execute();
    }
  });
  const first = await countEntries(store, 1);
  expect(first).toMatchObject({ isAll: false, counts: [{ kind: 'credit', entries: maxEntriesAtOnce }] });
  expect(await countEntries(store, first.until)).toMatchObject({ isAll: true, counts: [{ entries: 1_000 }] });
});

test('tanks in use are listed by how long they last, the shortest first, up to a maximum', async () => {
  const { store } = ledger;
  const now = 10 * 86_400;
  const wallets = Array.from({ length: maxShortTanks + 3 }, (_, index) => index + 1);
  // The first lasts longest; one that no one has used for over a week is empty and not told of.
  await post(store, [...wallets.map((wallet) => depositEvent(wallet, BigInt(10_000 - wallet))), depositEvent(99, 1n)]);
  const rows = await store.db.selectFrom('tanks').select(['tank_id', 'wallet']).execute();
  await store.transaction(async (transaction) => {
    for (const { tank_id, wallet } of rows) {
      const at = wallet === numberedAddress(99) ? now - 8 * 86_400 : now - 3_600;
      const paid = { tankId: tank_id, paymasterId: 'paymaster', postedAt: at, isBack: false, wei: 700n, cost: 700n };
      await addSettled(transaction, { ...paid, usersPaid: 0n, usdMicros: null, usdMicrosPerCoin: null });
    }
  });
  const seen = { chainId, contract, chainDeposit: plenty };
  const shortest = await store.read((snapshot) => readShortTanks(snapshot, seen, now));
  expect(shortest).toMatchObject({ inUse: wallets.length, low: 0 });
  expect(shortest.tanks).toHaveLength(maxShortTanks);
  const last = wallets.length;
  expect(shortest.tanks[0]).toEqual({
    wallet: numberedAddress(last),
    available: BigInt(10_000 - last),
    daysLeft: (10_000 - last) / 100,
  });
  expect(shortest.tanks.map(({ wallet }) => wallet)).not.toContain(numberedAddress(1));
  // With a deposit that covers little of what the tanks have, that is all they can promise.
  const poor = await store.read((snapshot) => readShortTanks(snapshot, { ...seen, chainDeposit: 250n }, now));
  expect(poor).toMatchObject({
    low: wallets.length,
    tanks: expect.arrayContaining([expect.objectContaining({ available: 250n, daysLeft: 2.5 })]),
  });
  // What one tank holds, the others cannot promise either.
  await hold(9_000n, 1n);
  const held = await store.read((snapshot) => readShortTanks(snapshot, { ...seen, chainDeposit: 9_300n }, now));
  expect(new Set(held.tanks.map(({ available }) => available))).toEqual(new Set([300n]));
});

import { maxIdleTanks, maxStrayDeposits } from '@tollfree/contract/limits';
import { BaseError, pad, toHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { biconomySponsorship07 } from '../../core/evm/paymaster-contracts/biconomy/biconomy-sponsorship-0.7.ts';
import {
  checkContracts,
  compareKeptSums,
  compareLedgerAndChain,
} from '../../core/ledger/checking/compare-ledger-and-chain.ts';
import { createRowSums } from '../../core/ledger/checking/row-sums.ts';
import { holdBatch } from '../../core/ledger/holds/hold-batch.ts';
import { ensureContractTotals } from '../../core/ledger/posting/pass-block.ts';
import { postEvents } from '../../core/ledger/posting/post-events.ts';
import { readGasTank } from '../../core/ledger/tanks/read-gas-tank.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import type { Store } from '../../core/store/store.ts';
import {
  chainId,
  contract,
  customerDeposit,
  depositEvent,
  entryPoint,
  holdRequest,
  landedEvent,
  numberedAddress,
  plenty,
  post,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';

const ledger = useLedger();

const location = { chainId, address: contract, entryPoint };

/** What the contract had deposited as each question arrives, in order; the last answer is given again and again. */
function chainOf(answers: readonly (() => Promise<bigint>)[]) {
  let asked = 0;
  const call = async () => {
    const answer = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    return { data: toHex((await answer?.()) ?? 0n, { size: 32 }) };
  };
  return { client: { call } as unknown as ChainClient, asked: () => asked };
}

/** The next blocks are taken into the ledger, as the watcher does next to a check. */
async function moveOn(store: Store, amount: bigint): Promise<void> {
  await post(store, [depositEvent(1, amount)]);
  // Each block has a hash of its own.
  await store.db
    .updateTable('contract_watches')
    .set({ last_hash: `0x${amount}` })
    .execute();
}

describe('a ledger that moves while it is compared', () => {
  test('are looked at again, and their difference is that of one moment', async () => {
    const { store } = ledger;
    await post(store, [depositEvent(1, 100n)]);
    const chain = chainOf([
      async () => {
        await moveOn(store, 7n);
        return 93n;
      },
      async () => 107n,
    ]);
    expect(await compareLedgerAndChain(store, chain.client, { location, versions: [] })).toMatchObject({
      state: 'compared',
      bookDeposit: 107n,
      difference: 0n,
    });
    expect(chain.asked()).toBe(2);
  });

  test('are not looked at again when they agree', async () => {
    await post(ledger.store, [depositEvent(1, 100n)]);
    const chain = chainOf([
      async () => {
        await moveOn(ledger.store, 7n);
        return 100n;
      },
    ]);
    expect(await compareLedgerAndChain(ledger.store, chain.client, { location, versions: [] })).toMatchObject({
      bookDeposit: 100n,
      difference: 0n,
    });
    expect(chain.asked()).toBe(1);
  });

  test('are not looked at for ever', async () => {
    const { store } = ledger;
    await post(store, [depositEvent(1, 100n)]);
    let amount = 0n;
    const chain = chainOf([
      async () => {
        amount += 1n;
        await moveOn(store, amount);
        return 5n;
      },
    ]);
    expect(await compareLedgerAndChain(store, chain.client, { location, versions: [] })).toMatchObject({
      difference: -98n,
    });
    expect(chain.asked()).toBe(3);
  });

  test('reports a difference at once when it did not move', async () => {
    await post(ledger.store, [depositEvent(1, 100n)]);
    const chain = chainOf([async () => 93n]);
    const report = await compareLedgerAndChain(ledger.store, chain.client, { location, versions: [] });
    expect(report).toMatchObject({ difference: -7n, chainDeposit: 93n });
    expect(chain.asked()).toBe(1);
  });
});

test('contracts that are checked together are compared at one moment, and one that moved alone again', async () => {
  const { store } = ledger;
  const other = numberedAddress(0xc2);
  await ensureContractTotals(store, [{ chainId, address: other }]);
  await post(store, [depositEvent(1, 100n)]);
  const events = [{ ...depositEvent(2, 50n), contract: other }];
  const stretch = { chainId, contract: other, events, watchBefore: undefined, nextBlock: 9n, lastHash: '0x' } as const;
  await store.transaction((transaction) => postEvents(transaction, stretch, 1));
  const moving = chainOf([
    async () => {
      await moveOn(store, 7n);
      return 107n;
    },
    async () => 107n,
  ]);
  const still = chainOf([async () => 50n]);
  const reports = await checkContracts(
    store,
    [
      { client: moving.client, checked: { location, versions: [] } },
      { client: still.client, checked: { location: { ...location, address: other }, versions: [] } },
    ],
    createRowSums(store, { now: () => 0 }),
  );
  expect(reports).toMatchObject([
    { contract, bookDeposit: 107n, difference: 0n, faults: [] },
    { contract: other, bookDeposit: 50n, difference: 0n, faults: [] },
  ]);
  expect([moving.asked(), still.asked()]).toEqual([2, 1]);
});

describe('the ledger of a contract that keeps balances of its customers', () => {
  const customers = biconomySponsorship07.customerFunding;
  if (customers === undefined) throw new Error('The contract keeps no balances.');
  const checked = { location, versions: ['1'], customers };

  /** A contract that keeps this for each wallet in turn, and a deposit of all of it. */
  function keeping(balances: readonly bigint[]) {
    const asked: string[] = [];
    const call = async ({ to, data }: { to: string; data: string }) => {
      if (to === entryPoint)
        return {
          data: toHex(
            balances.reduce((sum, each) => sum + each, 0n),
            { size: 32 },
          ),
        };
      const index = balances.findIndex((_, number) => data === customers?.balanceData(numberedAddress(number + 1)));
      asked.push(data);
      return { data: toHex(balances[index] ?? 0n, { size: 32 }) };
    };
    return { client: { call } as unknown as ChainClient, asked };
  }
  const fill = (wallets: number) =>
    post(
      ledger.store,
      Array.from({ length: wallets }, (_, index) => customerDeposit(index + 1, BigInt(100 + index))).flat(),
    );

  test('are next to each balance, however many there are', async () => {
    await fill(25);
    const balances = Array.from({ length: 25 }, (_, index) => BigInt(100 + index));
    const chain = keeping(balances);
    const report = await compareLedgerAndChain(ledger.store, chain.client, checked);
    const sum = balances.reduce((total, each) => total + each, 0n);
    expect(report).toMatchObject({ state: 'compared', difference: 0n, faults: [], customerBalances: sum });
    expect(new Set(chain.asked).size).toBe(25);
    expect(report).not.toHaveProperty('customers');
    // No paymaster pays from any of them; those with the most are told of.
    expect(report.idleTankCount).toBe(25);
    expect(report.idleTanks).toHaveLength(maxIdleTanks);
    expect(report.idleTanks[0]?.left).toBe(124n);
  });

  test('name a balance that differs though their sum does not', async () => {
    await fill(2);
    const report = await compareLedgerAndChain(ledger.store, keeping([99n, 102n]).client, checked);
    expect(report).toMatchObject({
      difference: 0n,
      faults: [
        `balance of ${numberedAddress(1)}: ledger 100 wei, contract 99 wei`,
        `balance of ${numberedAddress(2)}: ledger 101 wei, contract 102 wei`,
      ],
    });
  });

  test('are looked at again when such a balance differs and they moved on meanwhile', async () => {
    await fill(1);
    const first = keeping([99n]);
    let looks = 0;
    const call: typeof first.client.call = async (asked) => {
      if (asked?.to !== entryPoint) return (looks === 1 ? first : keeping([100n])).client.call(asked as never);
      looks += 1;
      if (looks === 1) await ledger.store.db.updateTable('contract_watches').set({ last_hash: '0x1' }).execute();
      return keeping([100n]).client.call(asked);
    };
    expect(await compareLedgerAndChain(ledger.store, { ...first.client, call }, checked)).toMatchObject({ faults: [] });
    expect(looks).toBe(2);
  });
});

describe('a ledger that cannot be compared', () => {
  const checked = { location, versions: [] };

  test('are told of as they are, with how far they are', async () => {
    const away = { call: () => Promise.reject(new BaseError('out of service')) } as unknown as ChainClient;
    const common = { chainId, contract, entryPoint, state: 'unreachable', faults: [], idleTanks: [] };
    const empty = { ...common, atBlock: 0n, bookDeposit: 0n, idleTankCount: 0, strayDepositCount: 0 };
    expect(await compareLedgerAndChain(ledger.store, away, checked)).toMatchObject(empty);
    const sound = chainOf([async () => 0n]);
    // Before the first block there is nothing to ask about.
    expect(await compareLedgerAndChain(ledger.store, sound.client, checked)).toMatchObject(empty);
    expect(sound.asked()).toBe(0);
    await post(ledger.store, [depositEvent(1, 100n)]);
    const { next_block } = await ledger.store.db
      .selectFrom('contract_watches')
      .select('next_block')
      .executeTakeFirstOrThrow();
    const report = await compareLedgerAndChain(ledger.store, away, { ...checked, versions: ['1'] });
    expect(report).toMatchObject({
      state: 'unreachable',
      atBlock: BigInt(next_block) - 1n,
      bookDeposit: 100n,
      idleTankCount: 1,
      idleTanks: [{ left: 100n }],
    });
    for (const field of ['chainDeposit', 'difference', 'customers', 'idle']) expect(report).not.toHaveProperty(field);
  });

  test('for a fault of the program are no outage of the node', async () => {
    await post(ledger.store, [depositEvent(1, 100n)]);
    const faulty = { call: () => Promise.reject(new TypeError('a fault')) } as unknown as ChainClient;
    await expect(compareLedgerAndChain(ledger.store, faulty, checked)).rejects.toThrow('a fault');
    await expect(compareKeptSums(ledger.store, faulty, location)).rejects.toThrow('a fault');
  });
});

test('of deposits in no tank the largest are told of, each with what can be done', async () => {
  const strays = Array.from({ length: maxStrayDeposits + 2 }, (_, index) => ({
    kind: 'deposit' as const,
    contract,
    totalDeposit: 0n,
    rise: BigInt(index + 1),
    blockNumber: 1n,
    logIndex: 1,
    txHash: pad(toHex(index + 1)),
  }));
  await post(ledger.store, strays);
  const report = await compareLedgerAndChain(ledger.store, chainOf([async () => 0n]).client, {
    location,
    versions: [],
  });
  expect(report.strayDepositCount).toBe(maxStrayDeposits + 2);
  expect(report.strayDeposits).toHaveLength(maxStrayDeposits);
  expect(report.strayDeposits[0]).toEqual({
    txHash: pad(toHex(maxStrayDeposits + 2)),
    amount: BigInt(maxStrayDeposits + 2),
    recovery: expect.stringContaining('tollfree tank credit'),
  });
});

test('the days a tank lasts are told from what the last seven days cost, and not from all time', async () => {
  const { store } = ledger;
  const day = 86_400;
  await post(store, [depositEvent(1, 1_000n)]);
  for (const nonce of [1n, 2n]) {
    const request = holdRequest({ tank: tankOf(1), amount: 300n, nonce });
    await store.transaction((transaction) => holdBatch(transaction, [request], 1));
  }
  // The lab ledger at the second 1.
  await post(store, [landedEvent(0xa1, 1n, 70n)]);
  const daysLeft = async (now: number) =>
    (await store.transaction((transaction) => readGasTank(transaction, tankOf(1), { chainDeposit: plenty }, now)))
      .daysLeft;
  // 630 wei are free, at 10 a day.
  expect(await daysLeft(1 + 7 * day)).toBe(63);
  // The day in which they begin is taken whole.
  expect(await daysLeft(8 * day - 1)).toBe(63);
  expect(await daysLeft(8 * day)).toBeUndefined();
});

test('the days a tank lasts are counted up to a million', async () => {
  const { store } = ledger;
  await post(store, [depositEvent(1, plenty)]);
  await store.transaction((transaction) => holdBatch(transaction, [holdRequest({ tank: tankOf(1), amount: 9n })], 1));
  await post(store, [landedEvent(0xa1, 0n, 1n)]);
  const funds = { chainDeposit: plenty };
  const tank = await store.transaction((transaction) => readGasTank(transaction, tankOf(1), funds, 2));
  expect(tank.daysLeft).toBe(1_000_000);
});

import { toHex } from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkBooksAndChain } from '../../core/ledger/checking/check-books-and-chain.ts';
import { holdBatch } from '../../core/ledger/holds/hold-batch.ts';
import { readGasTank } from '../../core/ledger/tanks/read-gas-tank.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import type { Store } from '../../core/store/store.ts';
import {
  chainId,
  contract,
  depositEvent,
  entryPoint,
  holdRequest,
  landedEvent,
  openLedger,
  plenty,
  post,
  tankOf,
} from '../support/core/ledger-lab.ts';

let ledger: Awaited<ReturnType<typeof openLedger>>;
beforeEach(async () => {
  ledger = await openLedger();
});
afterEach(() => ledger.close());

const place = { chainId, address: contract, entryPoint };

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

/** The next blocks are taken into the books, as the watcher does beside a check. */
async function moveOn(store: Store, amount: bigint): Promise<void> {
  await post(store, [depositEvent(1, amount)]);
  // Each block has a hash of its own.
  await store.db
    .updateTable('contract_watches')
    .set({ last_hash: `0x${amount}` })
    .execute();
}

describe('books that move while they are compared', () => {
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
    expect(await checkBooksAndChain(store, chain.client, { place, versions: [] })).toMatchObject({
      state: 'compared',
      bookDeposit: 107n,
      difference: 0n,
    });
    expect(chain.asked()).toBe(2);
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
    expect(await checkBooksAndChain(store, chain.client, { place, versions: [] })).toMatchObject({ difference: -98n });
    expect(chain.asked()).toBe(3);
  });

  test('and a difference of books that stood still is said at once', async () => {
    await post(ledger.store, [depositEvent(1, 100n)]);
    const chain = chainOf([async () => 93n]);
    const report = await checkBooksAndChain(ledger.store, chain.client, { place, versions: [] });
    expect(report).toMatchObject({ difference: -7n, chainDeposit: 93n });
    expect(chain.asked()).toBe(1);
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
  // The lab books at the second 1.
  await post(store, [landedEvent(0xa1, 1n, 70n)]);
  const daysLeft = async (now: number) =>
    (await store.transaction((transaction) => readGasTank(transaction, tankOf(1), { chainDeposit: plenty }, now)))
      .daysLeft;
  // 630 wei are free, at 10 a day.
  expect(await daysLeft(1 + 7 * day)).toBe(63);
  // The hour in which they begin is taken whole.
  expect(await daysLeft(3_600 + 7 * day)).toBeUndefined();
});

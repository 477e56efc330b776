import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import { readAvailableFunds } from '../../core/ledger/holds/read-available-funds.ts';
import { readGasTank } from '../../core/ledger/tanks/read-gas-tank.ts';
import { depositEvent, holdRequest, post, readTank, tankOf } from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';

const ledger = useLedger();

function openQueue() {
  const clock = { now: () => 1_000 };
  return createHoldQueue(ledger.store, clock, []);
}

test('a wallet that never deposited has nothing', async () => {
  expect(await readAvailableFunds(ledger.store, holdRequest({ tank: tankOf(1), amount: 1n }))).toBe(0n);
});

test('a deposit that no node has told is not said to be zero, and nothing is available', async () => {
  await post(ledger.store, [depositEvent(1, 50n)]);
  const tank = await ledger.store.read((snapshot) => readGasTank(snapshot, tankOf(1), {}, 1_000));
  expect(tank).not.toHaveProperty('chainDeposit');
  expect(tank).toMatchObject({ funded: 50n, available: 0n });
});

test('what is held for the same nonce is available to it alone, and not once the deposit has fallen below it', async () => {
  const tank = tankOf(1);
  await post(ledger.store, [depositEvent(1, 50n)]);
  await openQueue().hold(holdRequest({ tank, amount: 50n, nonce: 7n }));
  const available = (nonce: bigint, chainDeposit: bigint) =>
    readAvailableFunds(ledger.store, holdRequest({ tank, amount: 1n, nonce, chainDeposit }));
  expect(await available(7n, 50n)).toBe(50n);
  expect(await available(8n, 50n)).toBe(0n);
  expect(await available(7n, 49n)).toBe(0n);
});

test('what is said to be available can be held to the last wei and no further, and asking holds nothing', async () => {
  const queue = openQueue();
  let wallet = 0;
  const wei = fc.bigInt({ min: 1n, max: 1_000n });
  const property = fc.asyncProperty(wei, wei, wei, fc.boolean(), async (funded, onChain, firstWish, sameNonce) => {
    wallet += 1;
    const tank = tankOf(wallet);
    await post(ledger.store, [depositEvent(wallet, funded)]);
    const others = await ledger.store.db
      .selectFrom('contract_totals_with_held')
      .select('held')
      .executeTakeFirstOrThrow();
    const chainDeposit = BigInt(others.held) + onChain;
    await queue.hold(holdRequest({ tank, amount: firstWish, chainDeposit }));
    const asked = holdRequest({ tank, amount: 0n, chainDeposit, nonce: sameNonce ? 0n : 1n });
    const before = await readTank(ledger.store, tank);
    const available = await readAvailableFunds(ledger.store, asked);
    expect(await readTank(ledger.store, tank)).toStrictEqual(before);
    expect((await queue.hold({ ...asked, amount: available + 1n })).kind).toBe('unfunded');
    expect((await queue.hold({ ...asked, amount: available })).kind).toBe('held');
  });
  await fc.assert(property, { numRuns: 40 });
});

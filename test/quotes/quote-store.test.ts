import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createQuoteStore,
  createSharedQuoteStore,
  type QuoteKey,
  type QuoteStore,
} from '../../core/quotes/quote-store.ts';
import { openStore } from '../../core/store/open-store.ts';
import { isOnPostgres, testDatabase } from '../support/store/test-database.ts';
import { createTestClock } from './price-lab.ts';

const now = 1_800_000_000;
const key: QuoteKey = {
  paymasterId: 'f3b1c0de-0000-4000-8000-000000000001',
  sender: '0x00000000000000000000000000000000000000AA',
  nonce: 2n ** 200n + 1n,
  token: '0x00000000000000000000000000000000000000BB',
};
const quote = { maximum: 2n ** 256n - 1n, exchangeRate: 2_200_000_000n, userPercent: 100, validUntil: now + 300 };
const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };

/** Two processes that give and keep quotes: of one memory, or of one database with a store each where it is on a server. */
async function openQuoteStores(kind: 'in memory' | 'shared') {
  const clock = createTestClock(now);
  if (kind === 'in memory') {
    const quotes = createQuoteStore(clock);
    return { clock, here: quotes, there: quotes };
  }
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-quotes-'));
  const database = await testDatabase(folder);
  const stores = [await openStore(database)];
  if (isOnPostgres) stores.push(await openStore(database));
  onTestFinished(async () => {
    for (const store of stores) await store.close();
    rmSync(folder, { recursive: true });
  });
  const quoteStores = stores.map((store) => createSharedQuoteStore({ store, clock, logger }));
  const [here, there = here] = quoteStores as [QuoteStore, QuoteStore?];
  return { clock, here, there, store: stores[0] };
}

describe.each(['in memory', 'shared'] as const)('a quote store %s', (kind) => {
  test('has the quote up to and including its last second', async () => {
    const { clock, here, there } = await openQuoteStores(kind);
    await here.remember([[key, quote]]);
    clock.moveTo(now + 300);
    expect(await there.find(key)).toEqual(quote);
    clock.moveTo(now + 301);
    expect(await there.find(key)).toBeUndefined();
  });

  test('has the latest quote only, no matter who gave it', async () => {
    const { here, there } = await openQuoteStores(kind);
    await here.remember([[key, quote]]);
    await there.remember([[key, { ...quote, maximum: 5n }]]);
    expect((await here.find(key))?.maximum).toBe(5n);
  });

  test.each<readonly [string, Partial<QuoteKey>]>([
    ['paymaster', { paymasterId: 'f3b1c0de-0000-4000-8000-000000000002' }],
    ['sender', { sender: '0x00000000000000000000000000000000000000AB' }],
    ['nonce', { nonce: 2n ** 200n }],
    ['token', { token: '0x00000000000000000000000000000000000000bc' }],
  ])('has nothing for another %s', async (_, other) => {
    const { here, there } = await openQuoteStores(kind);
    await here.remember([[key, quote]]);
    expect(await there.find({ ...key, ...other })).toBeUndefined();
  });

  test('does not mind the case of an address', async () => {
    const { here, there } = await openQuoteStores(kind);
    await here.remember([[key, quote]]);
    expect(await there.find({ ...key, token: '0x00000000000000000000000000000000000000bb' })).toEqual(quote);
  });
});

test('a store in memory forgets the quote that was longest out of use when it is full', async () => {
  const quotes = createQuoteStore(createTestClock(now), 2);
  const at = (nonce: bigint) => ({ ...key, nonce });
  await quotes.remember([[at(1n), quote]]);
  await quotes.remember([[at(2n), quote]]);
  await quotes.find(at(1n));
  await quotes.remember([[at(3n), quote]]);
  const found = await Promise.all([1n, 2n, 3n].map((nonce) => quotes.find(at(nonce))));
  expect(found.map((one) => one !== undefined)).toEqual([true, false, true]);
});

test('a full store in memory forgets quotes of the paymaster that has most, and keeps those of others', async () => {
  const quotes = createQuoteStore(createTestClock(now), 100);
  await quotes.remember([[key, quote]]);
  for (let nonce = 0n; nonce < 1_000n; nonce += 1n) {
    await quotes.remember([[{ ...key, paymasterId: 'f3b1c0de-0000-4000-8000-000000000002', nonce }, quote]]);
  }
  expect(await quotes.find(key)).toEqual(quote);
});

describe('a shared store', () => {
  test('writes what is given at the same time in one transaction, the last of what is given twice', async () => {
    const { here, store } = await openQuoteStores('shared');
    const transaction = vi.spyOn(store ?? expect.fail(), 'transaction');
    const given = Array.from({ length: 50 }, (_, index) =>
      here.remember([
        [
          { ...key, nonce: BigInt(index % 25) },
          { ...quote, maximum: BigInt(index) },
        ],
      ]),
    );
    await Promise.all(given);
    expect(transaction.mock.calls.length).toBeLessThan(4); // one of quotes, one that prunes, one in between
    for (const nonce of [0, 24]) {
      expect((await here.find({ ...key, nonce: BigInt(nonce) }))?.maximum).toBe(BigInt(nonce + 25));
    }
  });

  test('deletes all that has ended, however much it is', async () => {
    const { clock, here, store } = await openQuoteStores('shared');
    const { db } = store ?? expect.fail();
    await here.remember(
      Array.from({ length: 2_500 }, (_, nonce) => [{ ...key, nonce: BigInt(nonce) }, quote] as const),
    );
    clock.moveTo(now + 400);
    await here.remember([[key, { ...quote, validUntil: now + 800 }]]);
    await vi.waitFor(async () => {
      const rows = await db.selectFrom('quotes').select('valid_until').execute();
      expect(rows).toEqual([{ valid_until: now + 800 }]);
    });
  });

  test('deletes what has ended, and goes on after a database that refused', async () => {
    const { clock, here, store } = await openQuoteStores('shared');
    const { transaction, db } = store ?? expect.fail();
    await here.remember([[key, quote]]);
    clock.moveTo(now + 400);
    const refusing = vi.spyOn(store ?? expect.fail(), 'transaction').mockRejectedValueOnce(new Error('disk full'));
    await expect(here.remember([[{ ...key, nonce: 1n }, quote]])).rejects.toThrow('disk full');
    refusing.mockImplementation(transaction);
    clock.moveTo(now + 500);
    await here.remember([
      [
        { ...key, nonce: 2n },
        { ...quote, validUntil: now + 800 },
      ],
    ]);
    await vi.waitFor(async () => {
      const rows = await db.selectFrom('quotes').select('valid_until').execute();
      expect(rows).toEqual([{ valid_until: now + 800 }]);
    });
  });
});

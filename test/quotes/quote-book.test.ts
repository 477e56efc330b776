import { describe, expect, test } from 'vitest';
import { createQuoteBook, type QuoteKey } from '../../core/quotes/quote-book.ts';
import { createTestClock } from './price-lab.ts';

const now = 1_800_000_000;
const key: QuoteKey = {
  paymasterId: 'f3b1c0de-0000-4000-8000-000000000001',
  sender: '0x00000000000000000000000000000000000000AA',
  nonce: 2n ** 200n + 1n,
  token: '0x00000000000000000000000000000000000000BB',
};
const quote = { maximum: 2n ** 128n, exchangeRate: 2_200_000_000n, validUntil: now + 300 };

describe('the quote book', () => {
  test('has the quote up to and including its last second', () => {
    const clock = createTestClock(now);
    const book = createQuoteBook(clock);
    book.remember(key, quote);
    clock.moveTo(now + 300);
    expect(book.find(key)).toEqual(quote);
    clock.moveTo(now + 301);
    expect(book.find(key)).toBeUndefined();
    clock.moveTo(now);
    expect(book.find(key)).toBeUndefined();
  });

  test('has the latest quote only', () => {
    const book = createQuoteBook(createTestClock(now));
    book.remember(key, quote);
    book.remember(key, { ...quote, maximum: 5n });
    expect(book.find(key)?.maximum).toBe(5n);
  });

  test.each<readonly [string, Partial<QuoteKey>]>([
    ['paymaster', { paymasterId: 'f3b1c0de-0000-4000-8000-000000000002' }],
    ['sender', { sender: '0x00000000000000000000000000000000000000AB' }],
    ['nonce', { nonce: 2n ** 200n }],
    ['token', { token: '0x00000000000000000000000000000000000000bc' }],
  ])('has nothing for another %s', (_, other) => {
    const book = createQuoteBook(createTestClock(now));
    book.remember(key, quote);
    expect(book.find({ ...key, ...other })).toBeUndefined();
  });

  test('does not mind the case of an address', () => {
    const book = createQuoteBook(createTestClock(now));
    book.remember(key, quote);
    expect(book.find({ ...key, token: '0x00000000000000000000000000000000000000bb' })).toEqual(quote);
  });

  test('forgets the quote that was longest out of use when it is full', () => {
    const book = createQuoteBook(createTestClock(now), 2);
    const at = (nonce: bigint) => ({ ...key, nonce });
    book.remember(at(1n), quote);
    book.remember(at(2n), quote);
    book.find(at(1n));
    book.remember(at(3n), quote);
    expect([1n, 2n, 3n].map((nonce) => book.find(at(nonce)) !== undefined)).toEqual([true, false, true]);
  });
});

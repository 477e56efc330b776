import fc from 'fast-check';
import { expect, test } from 'vitest';
import { areEqual, createAccountPages } from '../../core/ledger/checking/account-pages.ts';

/** More than two halves of 64 bits hold apart, as the worth of many operations is. */
const most = 10n ** 24n;
const added = fc.record({
  // On the first page, the second, and one far away.
  accountId: fc.constantFrom(1, 1_023, 1_024, 5_000_000),
  count: fc.integer({ min: -3, max: 3 }),
  amount: fc.bigInt({ min: -most, max: most }),
});

test('pages of accounts have the exact sums of what was added, in whatever order, and taken off', () => {
  fc.assert(
    fc.property(fc.array(added, { maxLength: 60 }), (all) => {
      const pages = createAccountPages();
      for (const { accountId, ...quantity } of all) pages.add(accountId, quantity);
      const ids = new Set<number>(all.map(({ accountId }) => accountId));
      expect(new Set(pages.ids())).toEqual(ids);
      for (const id of [1, 1_023, 1_024, 5_000_000]) {
        const own = all.filter(({ accountId }) => accountId === id);
        const sum = {
          count: own.reduce((total, { count }) => total + count, 0),
          amount: own.reduce((total, { amount }) => total + amount, 0n),
        };
        expect(pages.has(id)).toBe(ids.has(id));
        expect(areEqual(pages.of(id), sum)).toBe(true);
        expect(areEqual(pages.of(id), { ...sum, amount: sum.amount + 2n ** 64n })).toBe(false);
      }
    }),
  );
});
